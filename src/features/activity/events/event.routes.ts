// Events of the caller, of a user, of a project (docs/api/events.md).
import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpoint, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  date,
  namedObject,
  nullableInteger,
  nullableText,
  oneOf,
  optionalBoolean,
  pageInput,
} from '../../../http/schema.ts'
import { addDays, today } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findIssuablesByIds } from '../../../subjects/issuable.ts'
import { mayReadProject, projectLoader } from '../../../subjects/project.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import { BasicUserJson, findUserByIdOrName, presentBasicUser } from '../../../subjects/user.ts'
import { findNotes, NoteJson, presentNote } from '../../review/notes/note.ts'
import {
  countEventsByDay,
  type EventFilter,
  type EventWithTarget,
  listEvents,
} from './event.store.ts'

const tag = 'Events'

const actions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
  'approved',
] as const

const pageType = 'WikiPage::Meta'

const targetTypes: Readonly<Record<string, readonly string[]>> = {
  issue: ['Issue'],
  milestone: ['Milestone'],
  merge_request: ['MergeRequest'],
  note: ['Note', 'DiffNote', 'DiscussionNote'],
  project: ['Project'],
  snippet: ['Snippet'],
  user: ['User'],
  wiki: [pageType],
  design: ['DesignManagement::Design'],
}

const filterInput = {
  action: Type.Optional(oneOf(actions)),
  target_type: Type.Optional(oneOf(Object.keys(targetTypes))),
  before: Type.Optional(date()),
  after: Type.Optional(date()),
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
  with_project: optionalBoolean,
}
const FilterObject = Type.Object({ ...filterInput, ...pageInput })
type FilterInput = Static<typeof FilterObject>

const EventJson = namedObject('ActivityEvent', {
  id: Type.Integer(),
  project_id: nullableInteger,
  action_name: Type.String(),
  target_id: nullableInteger,
  target_iid: nullableInteger,
  target_type: nullableText,
  author_id: Type.Integer(),
  target_title: nullableText,
  created_at: Type.String(),
  note: Type.Optional(NoteJson),
  author: BasicUserJson,
  push_data: Type.Optional(
    Type.Object({
      commit_count: Type.Integer(),
      action: Type.String(),
      ref_type: Type.String(),
      commit_from: nullableText,
      commit_to: nullableText,
      ref: Type.String(),
      commit_title: nullableText,
      ref_count: nullableInteger,
    }),
  ),
  wiki_page: Type.Optional(
    Type.Object({ format: Type.String(), slug: Type.String(), title: Type.String() }),
  ),
  author_username: Type.String(),
  imported: Type.Boolean(),
  project: Type.Optional(ProjectIdentityJson),
})

const CalendarJson = namedObject('ActivityCalendar', {
  from: Type.String(),
  to: Type.String(),
  days: Type.Array(Type.Object({ date: Type.String(), count: Type.Integer() })),
})

/** The days of a calendar: a year, extended to the first day of its first week. */
const calendar_days = 371

/** Returns the period between two days, both exclusive. */
function periodOf({ before, after }: FilterInput): Pick<EventFilter, 'from' | 'until'> {
  return {
    ...(after !== undefined && { from: `${addDays(after, 1)}T00:00:00.000Z` }),
    ...(before !== undefined && { until: `${before}T00:00:00.000Z` }),
  }
}

const pushNames = { created: 'pushed new', pushed: 'pushed to', removed: 'deleted' } as const

/** Returns the action name that clients expect (docs/api/events.md, "Names"). */
function actionName({ action, target_type, push }: EventWithTarget): string {
  switch (action) {
    case 'pushed':
      return push ? pushNames[push.action] : 'pushed to'
    case 'created':
      return ['Project', pageType].includes(target_type ?? '') ? 'created' : 'opened'
    case 'reopened':
      return 'opened'
    case 'merged':
      return 'accepted'
    case 'commented':
      return 'commented on'
    case 'expired':
      return 'removed due to membership expiration from'
    default:
      return action
  }
}

type Viewing = Pick<Context<unknown, FilterInput>, 'db' | 'actor' | 'input' | 'range' | 'baseUrl'>

async function listed(context: Viewing, place: EventFilter): Promise<Page> {
  const { db, actor, input, range, baseUrl } = context
  const target_types = input.target_type && ownValue(targetTypes, input.target_type)
  const filter = {
    ...place,
    ...periodOf(input),
    ...(input.action && { action: input.action }),
    ...(target_types && { target_types }),
  }
  const sort = input.sort ?? 'desc'
  const { rows, total } = await listEvents(db, actor, { filter, sort }, range)
  const notes = await findNotes(
    db,
    rows.flatMap(({ note_id }) => note_id ?? []),
  )
  const noted = [...notes.values()].flatMap(({ issuable_id }) => issuable_id ?? [])
  const issuables = await findIssuablesByIds(db, noted)
  const items = rows.map((event) => {
    const note = event.note_id === null ? undefined : notes.get(event.note_id)
    const shown = note && presentNote(note, issuables.get(note.issuable_id ?? 0), baseUrl)
    return {
      id: event.id,
      project_id: event.project_id,
      action_name: actionName(event),
      target_id: event.target_id,
      target_iid: note ? note.id : (event.issuable_iid ?? event.milestone_iid),
      target_type: note ? (note.type ?? 'Note') : event.target_type,
      author_id: event.author_id,
      target_title:
        event.issuable_title ??
        event.milestone_title ??
        event.wiki_page?.title ??
        (event.target_type === 'Project' ? event.project_name : null),
      created_at: event.created_at,
      ...(shown && { note: shown }),
      author: presentBasicUser(event.author, baseUrl),
      ...(event.push && { push_data: event.push }),
      ...(event.wiki_page && { wiki_page: event.wiki_page }),
      author_username: event.author.username,
      imported: false,
      ...(input.with_project && {
        project: presentProjectIdentity(event.project, event.namespace),
      }),
    }
  })
  return new Page({ items, total })
}

/**
 * Returns the user whose events are requested. Throws 404 if the user does not exist. Events of private
 * profiles are hidden.
 */
async function findAuthor({
  db,
  actor,
  input,
}: Pick<Context<unknown, { user_id: string }>, 'db' | 'actor' | 'input'>) {
  const user = await findUserByIdOrName(db, input.user_id)
  if (!user) throw notFound('User')
  const isHidden = user.private_profile && actor.user?.id !== user.id && !isAdmin(actor)
  return { user, isHidden }
}

const anywhere = endpointFactory({ tag, scope: 'read_user' })

export const eventEndpoints = [
  anywhere({
    route: 'GET /events',
    summary: 'List your events, or those of your projects',
    signIn: 'always',
    allow: anyone,
    input: Type.Object({ scope: Type.Optional(Type.String()), ...filterInput, ...pageInput }),
    answer: Type.Array(EventJson),
    run(context) {
      const { user, input } = context
      const place = input.scope === 'all' ? { member_id: user.id } : { author_id: user.id }
      return listed(context, place)
    },
  }),

  anywhere({
    route: 'GET /users/:user_id/events',
    summary: 'List the events of a user',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object({ user_id: Type.String(), ...filterInput, ...pageInput }),
    answer: Type.Array(EventJson),
    async run(context) {
      const { user, isHidden } = await findAuthor(context)
      if (isHidden) return new Page({ items: [], total: 0 })
      return listed(context, { author_id: user.id })
    },
  }),

  anywhere({
    route: 'GET /users/:user_id/calendar',
    summary: 'Count the events of a user on each day of the past year',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object({ user_id: Type.String() }),
    answer: CalendarJson,
    async run(context) {
      const { db, actor, clock } = context
      const { user, isHidden } = await findAuthor(context)
      const to = today(clock)
      const from = addDays(to, 1 - calendar_days)
      if (isHidden) return { from, to, days: [] }
      return { to, ...(await countEventsByDay(db, actor, { author_id: user.id, from })) }
    },
  }),

  endpoint({
    tag,
    on: projectLoader,
    route: 'GET /projects/:id/events',
    summary: 'List the events of a project',
    allow: mayReadProject,
    input: Type.Object({ ...filterInput, ...pageInput }),
    answer: Type.Array(EventJson),
    run: (context) => listed(context, { project_id: context.subject.id }),
  }),
]
