import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { autoMergeEnabledEffect } from '../../review/merging/auto-merge-enabled.ts'
import { noteCreatedEffect, reviewPublishedEffect } from '../../review/notes/note-created.ts'
import { dueIssueTasks } from './due-issues.tasks.ts'
import { notificationTasks } from './notification.tasks.ts'
import {
  enqueueAutoMergeNotification,
  enqueueIssuableNotification,
  enqueueNoteNotification,
  enqueuePipelineNotification,
  enqueueReviewNotification,
} from './watch-changes.ts'

export const notificationFamily: Family = {
  tasks: [...notificationTasks, ...dueIssueTasks],
  effects: [
    onEffect(issuableChangedEffect, enqueueIssuableNotification),
    onEffect(noteCreatedEffect, enqueueNoteNotification),
    onEffect(reviewPublishedEffect, enqueueReviewNotification),
    onEffect(autoMergeEnabledEffect, enqueueAutoMergeNotification),
    onEffect(pipelineChangedEffect, enqueuePipelineNotification),
  ],
}
