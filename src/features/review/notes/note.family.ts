import { whenever } from '../../../kernel/effect.ts'
import { aMergeRequest, anIssue } from '../../../subjects/issuable.ts'
import type { Family } from '../../family.ts'

import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'

import { applyOwnActions } from '../merging/quick-actions.ts'

import { discussionEndpointsOf } from './discussion.routes.ts'
import { enqueueNoteMoves, noteTasks } from './move-notes.ts'
import { noteEndpointsOf } from './note.routes.ts'
import { placeOnDiff } from './place-on-diff.ts'

const issues = {
  tag: 'Notes',
  noun: 'an issue',
  on: anIssue,
  base: '/projects/:id/issues/:issue_iid',
}
const mergeRequests = {
  tag: 'Notes',
  noun: 'a merge request',
  on: aMergeRequest,
  base: '/projects/:id/merge_requests/:merge_request_iid',
}

export const noteFamily: Family = {
  endpoints: [
    ...noteEndpointsOf(issues),
    ...discussionEndpointsOf(issues),
    ...discussionEndpointsOf({ ...mergeRequests, place: placeOnDiff }),
    ...noteEndpointsOf({ ...mergeRequests, finish: applyOwnActions }),
  ],
  tasks: noteTasks,
  effects: [whenever(issuableChanged, enqueueNoteMoves)],
}
