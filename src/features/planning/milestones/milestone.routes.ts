import { Type } from 'typebox'
import { lockUntilCommit } from '../../../db/dialect.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import {
  dateTime,
  namedObject,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { parseDay, timestamp, today } from '../../../kernel/clock.ts'
import { forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { findGroup } from '../../../subjects/group.ts'
import {
  groupAsOwner,
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { projectUrl } from '../../../subjects/project.ts'
import { nextGroupInternalId, nextInternalId } from '../../basics/internal-ids/internal-id.ts'
import { renderDescriptionHtml } from '../../basics/markdown/markdown.ts'
import { mayWriteMilestones } from './milestone.policy.ts'
import {
  deleteMilestone,
  findDescendantMilestoneIds,
  insertMilestone,
  isMilestoneTitleTaken,
  listMilestones,
  mergeMilestones,
  updateMilestone,
} from './milestone.store.ts'
import {
  findMilestoneOfOwner,
  type Milestone,
  MilestoneJson,
  mayReadMilestones,
  presentMilestone,
} from './milestone.ts'
import { milestoneChangedEffect } from './milestone-changed.ts'
import { checkMilestoneFields, stripTagsFromTitle } from './milestone-problems.ts'

const tag = 'Milestones'
/** Serializes changes of titles, which are unique among a group and everything below it. */
const title_lock = 5

type MilestoneContext<Input = unknown> = Context<OwningProjectOrGroup, Input>

const idInput = { milestone_id: Type.Integer() }
const datesInput = {
  start_date: Type.Optional(nullableText),
  due_date: Type.Optional(nullableText),
}
const states = ['active', 'closed', 'all'] as const

const show = ({ baseUrl, clock }: MilestoneContext, milestone: Milestone) =>
  presentMilestone(milestone, { baseUrl, today: today(clock) })

async function getMilestone({
  db,
  subject: owner,
  input,
}: MilestoneContext<{ milestone_id: number }>): Promise<Milestone> {
  const found = await findMilestoneOfOwner(db, owner, input.milestone_id)
  if (!found) throw recordNotFound()
  return found
}

type Fields = {
  title?: string
  description?: string | null
  start_date?: string | null
  due_date?: string | null
}

async function create(context: MilestoneContext<Fields & { title: string }>) {
  const { db, clock, subject: owner, input } = context
  const fields = {
    title: stripTagsFromTitle(input.title),
    description: input.description ?? null,
    start_date: parseDay(input.start_date ?? ''),
    due_date: parseDay(input.due_date ?? ''),
  }
  await lockUntilCommit(db, title_lock)
  const isTaken = await isMilestoneTitleTaken(db, owner, { title: fields.title, except: 0 })
  checkMilestoneFields(fields, { verb: 'create', isTaken, given: input })
  const now = timestamp(clock)
  const iid =
    owner.kind === 'project'
      ? await nextInternalId(db, owner.id, 'milestones')
      : await nextGroupInternalId(db, owner.id, 'milestones')
  const row = { ...fields, iid, state: 'active' as const, created_at: now, updated_at: now }
  const made = await insertMilestone(db, owner, row)
  await publishMilestoneChange(context, made, 'created')
  return show(context, made)
}

/** Publishes the change of a milestone in its transaction. */
async function publishMilestoneChange(
  { db, clock, user }: MilestoneContext,
  { id, title, project_id }: Milestone,
  action: 'created' | 'closed' | 'reopened' | 'destroyed',
): Promise<void> {
  const change = { tx: db, clock, milestone: { id, title, project_id }, action, user_id: user.id }
  await milestoneChangedEffect.run(change)
}

async function change(
  context: MilestoneContext<Fields & { milestone_id: number; state_event?: 'close' | 'activate' }>,
) {
  const { db, clock, subject: owner, input } = context
  const before = await getMilestone(context)
  const given = input.title === undefined ? '' : stripTagsFromTitle(input.title)
  const fields = {
    title: given === '' ? before.title : given,
    description: input.description === undefined ? before.description : input.description,
    start_date:
      input.start_date === undefined ? before.start_date : parseDay(input.start_date ?? ''),
    due_date: input.due_date === undefined ? before.due_date : parseDay(input.due_date ?? ''),
  }
  await lockUntilCommit(db, title_lock)
  const isTaken =
    fields.title !== before.title &&
    (await isMilestoneTitleTaken(db, owner, { title: fields.title, except: before.id }))
  checkMilestoneFields(fields, { verb: 'update', isTaken, given: input })
  const events = { close: 'closed', activate: 'active' } as const
  const state = input.state_event === undefined ? before.state : events[input.state_event]
  const changes = { ...fields, state, updated_at: timestamp(clock) }
  const changed = await updateMilestone(db, before, changes)
  if (state !== before.state)
    await publishMilestoneChange(context, changed, state === 'closed' ? 'closed' : 'reopened')
  return show(context, changed)
}

/** A milestone with its description as HTML, on request. */
const RenderedMilestoneJson = namedObject('RenderedMilestone', {
  ...MilestoneJson.properties,
  description_html: optionalText,
})

function endpointsOf(
  base: '/projects/:id/milestones' | '/groups/:id/milestones',
  on: SubjectLoader<OwningProjectOrGroup>,
): readonly Endpoint[] {
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  const common = { tag, on, signIn: 'always' as const }
  return [
    endpoint({
      ...common,
      route: `GET ${base}`,
      summary: `List the milestones of ${whose}`,
      allow: mayReadMilestones,
      input: Type.Object({
        state: Type.Optional(oneOf(states, { default: 'all' })),
        iids: Type.Optional(Type.Array(Type.Integer())),
        title: optionalText,
        search: optionalText,
        include_parent_milestones: optionalBoolean,
        include_ancestors: optionalBoolean,
        include_descendants: optionalBoolean,
        updated_before: Type.Optional(dateTime()),
        updated_after: Type.Optional(dateTime()),
        ...pageInput,
      }),
      answer: Type.Array(MilestoneJson),
      async run(context) {
        const { db, actor, subject: owner, input, range } = context
        const { state, iids, title, search, updated_before, updated_after } = input
        const filter = {
          ...(state !== undefined && state !== 'all' && { state }),
          ...(iids && { iids }),
          title,
          search,
          updated_before,
          updated_after,
          includesAncestors: input.include_parent_milestones ?? input.include_ancestors ?? false,
          includesDescendants: input.include_descendants ?? false,
        }
        const { rows, total } = await listMilestones(db, actor, { owner, filter }, range)
        return new Page({ items: rows.map((row) => show(context, row)), total })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:milestone_id`,
      summary: `Get a milestone of ${whose}`,
      allow: mayReadMilestones,
      input: Type.Object({ ...idInput, render_html: optionalBoolean }),
      answer: RenderedMilestoneJson,
      async run(context) {
        const { subject: owner, input, baseUrl } = context
        const shown = show(context, await getMilestone(context))
        if (!input.render_html) return shown
        const url = owner.kind === 'project' ? projectUrl(baseUrl, owner.project) : undefined
        return { ...shown, ...(await renderDescriptionHtml(shown.description, url)) }
      },
    }),

    endpoint({
      ...common,
      route: `POST ${base}`,
      summary: `Create a milestone of ${whose}`,
      allow: mayWriteMilestones,
      input: Type.Object({
        title: Type.String(),
        description: Type.Optional(nullableText),
        ...datesInput,
      }),
      status: 201,
      answer: MilestoneJson,
      run: create,
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/:milestone_id`,
      summary: `Change, close or open a milestone of ${whose}`,
      allow: mayWriteMilestones,
      input: Type.Object({
        ...idInput,
        title: optionalText,
        description: Type.Optional(nullableText),
        ...datesInput,
        state_event: Type.Optional(oneOf(['close', 'activate'])),
      }),
      rules: [atLeastOneOf('title', 'description', 'start_date', 'due_date', 'state_event')],
      answer: MilestoneJson,
      run: change,
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}/:milestone_id`,
      summary: `Delete a milestone of ${whose}`,
      allow: mayWriteMilestones,
      input: Type.Object(idInput),
      status: 204,
      async run(context) {
        const milestone = await getMilestone(context)
        checkIfUnmodifiedSince(context.request, milestone.updated_at)
        await deleteMilestone(context.db, milestone.id)
        await publishMilestoneChange(context, milestone, 'destroyed')
      },
    }),
  ]
}

export const milestoneEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/milestones', projectAsOwnerLoader),
  endpoint({
    tag,
    on: projectAsOwnerLoader,
    signIn: 'always',
    route: 'POST /projects/:id/milestones/:milestone_id/promote',
    summary: 'Promote a project milestone to a group milestone',
    allow: mayWriteMilestones,
    input: Type.Object(idInput),
    answer: MilestoneJson,
    async load(context) {
      const { db, actor, subject: owner } = context
      const milestone = await getMilestone(context)
      const found = await findGroup(db, actor, { id: owner.namespace_id })
      if (!found) throw forbidden()
      return { milestone, subject: groupAsOwner(found.group), level: found.level }
    },
    authorize: ({ actor, loaded }) => mayWriteMilestones({ ...loaded, actor }),
    async run(context) {
      const { db, clock } = context
      const { milestone, subject: group } = context.loaded
      await lockUntilCommit(db, title_lock)
      const { title, description, state, start_date, due_date, created_at } = milestone
      const from = await findDescendantMilestoneIds(db, { group_id: group.id, title })
      const iid = await nextGroupInternalId(db, group.id, 'milestones')
      const dates = { start_date, due_date, created_at, updated_at: timestamp(clock) }
      const made = await insertMilestone(db, group, { iid, title, description, state, ...dates })
      await mergeMilestones(db, { from, to: made.id })
      return show(context, made)
    },
  }),
  ...endpointsOf('/groups/:id/milestones', groupAsOwnerLoader),
]
