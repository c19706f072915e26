import { whenever } from '../../../kernel/effect.ts'
import { pipelineChanged } from '../../delivery/pipelines/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { issuableChanged } from '../issuables/issuable-changed.ts'
import { noteMade } from '../notes/note-made.ts'
import { callForIssuable, callForNote } from './watch-issuables.ts'
import { callForPipeline } from './watch-pipelines.ts'
import { callForPush } from './watch-pushes.ts'
import { webhookEndpoints } from './webhook.routes.ts'
import { webhookTasks } from './webhook.tasks.ts'

export const webhookFamily: Family = {
  endpoints: webhookEndpoints,
  tasks: webhookTasks,
  effects: [
    whenever(pushLanded, callForPush),
    whenever(pipelineChanged, callForPipeline),
    whenever(issuableChanged, callForIssuable),
    whenever(noteMade, callForNote),
  ],
}
