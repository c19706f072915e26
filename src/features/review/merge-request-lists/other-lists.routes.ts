// The merge requests of a milestone, and those related to an issue.
import { Type } from 'typebox'
import { type Endpoint, endpoint, type SubjectLoader } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { issueLoader, mayReadIssuable } from '../../../subjects/issuable.ts'
import {
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import {
  issuableListPlaceOfMilestone,
  listIssuables,
} from '../../planning/issuables/list-issuables.ts'
import {
  listClosingMergeRequests,
  listRelatedMergeRequests,
} from '../../planning/issues/list-related.ts'
import { findMilestoneOfOwner, mayReadMilestones } from '../../planning/milestones/milestone.ts'
import { BasicMergeRequestJson, showMergeRequests } from '../merge-requests/show-requests.ts'

function milestoneRequests(
  base: '/projects/:id/milestones' | '/groups/:id/milestones',
  on: SubjectLoader<OwningProjectOrGroup>,
): Endpoint {
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  return endpoint({
    tag: 'Milestones',
    on,
    signIn: 'always',
    route: `GET ${base}/:milestone_id/merge_requests`,
    summary: `List the merge requests of a milestone of ${whose}`,
    allow: mayReadMilestones,
    input: Type.Object({ milestone_id: Type.Integer(), ...pageInput }),
    answer: Type.Array(BasicMergeRequestJson),
    async run(context) {
      const { db, actor, clock, range, subject, input } = context
      const milestone = await findMilestoneOfOwner(db, subject, input.milestone_id)
      if (!milestone) throw recordNotFound()
      const { rows, total } = await listIssuables(
        db,
        {
          kind: 'merge_request',
          viewer: actor,
          place: issuableListPlaceOfMilestone(context),
          filter: { milestone_id: milestone.id },
          today: today(clock),
          order: 'label_priority',
          sort: 'asc',
        },
        range,
      )
      return new Page({ items: await showMergeRequests(context, rows), total })
    },
  })
}

const ofIssue = (
  name: 'closed_by' | 'related_merge_requests',
  list: typeof listClosingMergeRequests,
  summary: string,
): Endpoint =>
  endpoint({
    tag: 'Issues',
    on: issueLoader,
    route: `GET /projects/:id/issues/:issue_iid/${name}`,
    summary,
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(BasicMergeRequestJson),
    async run(context) {
      const { db, actor, level, subject, range } = context
      const of = { issue: subject.issuable, range }
      const { rows, total } = await list(db, { actor, level }, of)
      const items = await showMergeRequests(context, rows, { within: subject.full_path })
      return new Page({ items, total })
    },
  })

export const otherListEndpoints: readonly Endpoint[] = [
  milestoneRequests('/projects/:id/milestones', projectAsOwnerLoader),
  milestoneRequests('/groups/:id/milestones', groupAsOwnerLoader),
  ofIssue(
    'closed_by',
    listClosingMergeRequests,
    'List the merge requests that would close an issue',
  ),
  ofIssue(
    'related_merge_requests',
    listRelatedMergeRequests,
    'List the merge requests that mention an issue or would close it',
  ),
]
