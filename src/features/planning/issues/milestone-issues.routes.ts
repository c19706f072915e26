// The issues of a milestone, and how they were opened and closed while it ran.
import { Type } from 'typebox'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nullableInteger, pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import {
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { issuableListPlaceOfMilestone, listIssuables } from '../issuables/list-issuables.ts'
import { findMilestoneOfOwner, type Milestone, mayReadMilestones } from '../milestones/milestone.ts'
import { listBurndownEvents } from './list-burndown-events.ts'
import { BasicIssueJson, showBasicIssues } from './show-issues.ts'

const tag = 'Milestones'

const BurndownEventJson = namedObject('BurndownEvent', {
  created_at: Type.String(),
  weight: nullableInteger,
  action: Type.String(),
})

type MilestoneContext = Context<OwningProjectOrGroup, { milestone_id: number }>

async function getMilestone({ db, subject, input }: MilestoneContext): Promise<Milestone> {
  const milestone = await findMilestoneOfOwner(db, subject, input.milestone_id)
  if (!milestone) throw recordNotFound()
  return milestone
}

function endpointsOf(
  base: '/projects/:id/milestones' | '/groups/:id/milestones',
  on: SubjectLoader<OwningProjectOrGroup>,
): readonly Endpoint[] {
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  const idInput = { milestone_id: Type.Integer() }
  return [
    endpoint({
      tag,
      on,
      signIn: 'always',
      route: `GET ${base}/:milestone_id/issues`,
      summary: `List the issues of a milestone of ${whose}`,
      allow: mayReadMilestones,
      input: Type.Object({ ...idInput, ...pageInput }),
      answer: Type.Array(BasicIssueJson),
      async run(context) {
        const { db, actor, clock, range } = context
        const { id } = await getMilestone(context)
        const { rows, total } = await listIssuables(
          db,
          {
            kind: 'issue',
            viewer: actor,
            place: issuableListPlaceOfMilestone(context),
            filter: { milestone_id: id },
            today: today(clock),
            order: 'label_priority',
            sort: 'asc',
          },
          range,
        )
        return new Page({ items: await showBasicIssues(context, rows), total })
      },
    }),

    endpoint({
      tag,
      on,
      signIn: 'always',
      tier: 'premium',
      route: `GET ${base}/:milestone_id/burndown_events`,
      summary: `List the burndown events of a milestone of ${whose}`,
      allow: mayReadMilestones,
      input: Type.Object(idInput),
      answer: Type.Array(BurndownEventJson),
      async run(context) {
        const { db, actor, clock } = context
        const { id, start_date, due_date } = await getMilestone(context)
        if (start_date === null || due_date === null) return []
        const asked = {
          kind: 'issue' as const,
          viewer: actor,
          place: issuableListPlaceOfMilestone(context),
          filter: { milestone_id: id },
          today: today(clock),
        }
        return listBurndownEvents(db, { asked, start_date, due_date })
      },
    }),
  ]
}

export const milestoneIssueEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/milestones', projectAsOwnerLoader),
  ...endpointsOf('/groups/:id/milestones', groupAsOwnerLoader),
]
