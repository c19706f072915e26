import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { afterMergeTasks } from './after-merge.ts'
import { autoMergeTasks, continueAutoMerges } from './auto-merge.ts'
import { completeMergeTasks } from './complete-merge.ts'
import { mergeEndpoints } from './merge.routes.ts'
import { quickActionTasks } from './quick-actions.ts'
import { rebaseTasks } from './rebase-request.ts'

export const mergeFamily: Family = {
  endpoints: mergeEndpoints,
  tasks: [
    ...completeMergeTasks,
    ...afterMergeTasks,
    ...autoMergeTasks,
    ...rebaseTasks,
    ...quickActionTasks,
  ],
  effects: [onEffect(pipelineChangedEffect, continueAutoMerges)],
}
