// Events of the labels, the milestone and the state of issues and merge requests, and of the weight of issues.
import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nullable, nullableInteger, pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import {
  type IssuableSubject,
  issueLoader,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { BasicLabelJson, presentBasicLabel } from '../labels/label.ts'
import { findMilestones, MilestoneJson, presentMilestone } from '../milestones/milestone.ts'
import { listResourceEvents, type ResourceEvent } from './resource-event.store.ts'

const tag = 'Resource events'

const common = {
  id: Type.Integer(),
  user: nullable(BasicUserJson),
  created_at: Type.String(),
  resource_type: Type.String(),
  resource_id: Type.Integer(),
}
const records = {
  label: namedObject('LabelEvent', {
    ...common,
    label: nullable(BasicLabelJson),
    action: Type.String(),
  }),
  milestone: namedObject('MilestoneEvent', {
    ...common,
    milestone: nullable(MilestoneJson),
    action: Type.String(),
  }),
  state: namedObject('StateEvent', { ...common, state: Type.String() }),
  weight: namedObject('WeightEvent', {
    id: common.id,
    user: common.user,
    created_at: common.created_at,
    issue_id: Type.Integer(),
    weight: nullableInteger,
  }),
} as const

const signedInReader: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayReadIssuable(facts)

type EventContext = Context<IssuableSubject, unknown>

async function present(context: EventContext, events: readonly ResourceEvent[]) {
  const { db, baseUrl, clock, subject } = context
  const { issuable } = subject
  const milestones = await findMilestones(
    db,
    events.flatMap(({ milestone_id }) => milestone_id ?? []),
  )
  return events.map((event) => {
    const milestone = event.milestone_id === null ? undefined : milestones.get(event.milestone_id)
    const who = {
      id: event.id,
      user: event.user ? presentBasicUser(event.user, baseUrl) : null,
      created_at: event.created_at,
    }
    if (event.kind === 'weight') return { ...who, issue_id: issuable.id, weight: event.weight }
    const shared = {
      ...who,
      resource_type: issuable.kind === 'issue' ? 'Issue' : 'MergeRequest',
      resource_id: issuable.id,
    }
    if (event.kind === 'state') return { ...shared, state: event.action }
    if (event.kind === 'label') {
      const label = event.label ? presentBasicLabel(event.label) : null
      return { ...shared, label, action: event.action }
    }
    const view = { baseUrl, today: today(clock) }
    const shown = milestone ? presentMilestone(milestone, view) : null
    return { ...shared, milestone: shown, action: event.action }
  })
}

type Kind = keyof typeof records

function endpointsOf(
  base: string,
  { on, noun, kinds }: { on: SubjectLoader<IssuableSubject>; noun: string; kinds: readonly Kind[] },
): readonly Endpoint[] {
  return kinds.flatMap((kind) => [
    endpoint({
      tag,
      on,
      signIn: 'always',
      route: `GET /projects/:id/${base}/resource_${kind}_events`,
      summary: `List the ${kind} events of ${noun}`,
      allow: signedInReader,
      input: Type.Object(pageInput),
      answer: Type.Array(records[kind]),
      async run(context) {
        const of = { issuable_id: context.subject.issuable.id, kind }
        const { rows, total } = await listResourceEvents(context.db, of, context.range)
        return new Page({ items: await present(context, rows), total })
      },
    }),
    endpoint({
      tag,
      on,
      signIn: 'always',
      route: `GET /projects/:id/${base}/resource_${kind}_events/:event_id`,
      summary: `Get a ${kind} event of ${noun}`,
      allow: signedInReader,
      input: Type.Object({ event_id: Type.Integer() }),
      answer: records[kind],
      async run(context) {
        const { db, subject, input } = context
        const of = { issuable_id: subject.issuable.id, kind, id: input.event_id }
        const { rows } = await listResourceEvents(db, of, { offset: 0, per_page: 1 })
        const [shown] = await present(context, rows)
        if (!shown) throw recordNotFound()
        return shown
      },
    }),
  ])
}

export const resourceEventEndpoints: readonly Endpoint[] = [
  ...endpointsOf('issues/:issue_iid', {
    on: issueLoader,
    noun: 'an issue',
    kinds: ['label', 'milestone', 'state', 'weight'],
  }),
  ...endpointsOf('merge_requests/:merge_request_iid', {
    on: mergeRequestLoader,
    noun: 'a merge request',
    kinds: ['label', 'milestone', 'state'],
  }),
]
