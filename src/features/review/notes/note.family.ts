import { onEffect } from '../../../kernel/effect.ts'
import { issueLoader, mergeRequestLoader } from '../../../subjects/issuable.ts'
import type { Family } from '../../family.ts'

import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'

import { applyMergeRequestActions } from '../merging/quick-actions.ts'

import { discussionEndpointsOf } from './discussion.routes.ts'
import { enqueueNoteMoves, noteTasks } from './move-notes.ts'
import { noteEndpointsOf } from './note.routes.ts'
import { resolveDiffPosition } from './resolve-diff-position.ts'

const issues = {
  tag: 'Notes',
  noun: 'an issue',
  on: issueLoader,
  base: '/projects/:id/issues/:issue_iid',
}
const mergeRequests = {
  tag: 'Notes',
  noun: 'a merge request',
  on: mergeRequestLoader,
  base: '/projects/:id/merge_requests/:merge_request_iid',
}

export const noteFamily: Family = {
  endpoints: [
    ...noteEndpointsOf(issues),
    ...discussionEndpointsOf(issues),
    ...discussionEndpointsOf({ ...mergeRequests, place: resolveDiffPosition }),
    ...noteEndpointsOf({ ...mergeRequests, finish: applyMergeRequestActions }),
  ],
  tasks: noteTasks,
  effects: [onEffect(issuableChangedEffect, enqueueNoteMoves)],
}
