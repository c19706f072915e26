import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { noteCreatedEffect } from '../../review/notes/note-created.ts'
import { notificationTasks } from './notification.tasks.ts'
import { notifyOfIssuable, notifyOfNote, notifyOfPipeline } from './watch-changes.ts'

export const notificationFamily: Family = {
  tasks: notificationTasks,
  effects: [
    onEffect(issuableChangedEffect, notifyOfIssuable),
    onEffect(noteCreatedEffect, notifyOfNote),
    onEffect(pipelineChangedEffect, notifyOfPipeline),
  ],
}
