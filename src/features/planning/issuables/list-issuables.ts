// Lists issues and merge requests: of a project, of a group with its subgroups, or of everything that the caller can
// see.
import {
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import type { Facts } from '../../../access/rule.ts'
import type { Db, Schema } from '../../../db/db.ts'
import {
  containsTextCondition,
  isIndexSearchable,
  isStorableInteger,
  lowerCaseExpression,
  textMatchQuery,
} from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import {
  type Issuable,
  type IssuableKind,
  mayReadIssuablesByKind,
  maySeeConfidentialIssues,
  visibleIssuableCondition,
} from '../../../subjects/issuable.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  type IssuableFilterInput,
  type PersonFilter,
  parsePersonFilter,
  parseTitlesFilter,
  type TitlesFilter,
} from './list-filter.ts'

/**
 * The project or group to list. For a project with the caller's level on it: a caller who may not read its issues or merge
 * requests gets an empty list.
 */
export type IssuableListPlace =
  | { inProject: Facts<Project> }
  /** `isDirect` excludes the projects of subgroups. */
  | { group_id: number; withArchived: boolean; isDirect?: boolean }
  | { everywhere: true; withArchived: boolean }

/** The project, or the group with its own projects but not those of its subgroups (docs/api/milestones.md). */
export function issuableListPlaceOfMilestone({
  subject: owner,
  level,
  actor,
}: Facts<OwningProjectOrGroup>): IssuableListPlace {
  return owner.kind === 'project'
    ? { inProject: { subject: owner.project, level, actor } }
    : { group_id: owner.id, withArchived: true, isDirect: true }
}

export type IssuableListFilter = IssuableFilterInput & {
  state?: string
  /** These filters are for issues only. */
  confidential?: boolean
  due_date?: string
  issue_type?: string
  weight?: string
  milestone_id?: number
  /** Further conditions on one kind's own table, as subqueries of issuable ids. */
  own?: readonly ((eb: RowBuilder) => Expression<SqlBool>)[]
}

type Tables = Schema
type RowBuilder = ExpressionBuilder<Tables, 'issuables'>
type Query = SelectQueryBuilder<Tables, 'issuables', object>

/** The maximum number of rows with a label for which the query starts from the label. */
const few_rows_max = 2000

export type IssuableListRequest = {
  kind: IssuableKind
  viewer: Viewer
  place: IssuableListPlace
  filter: IssuableListFilter
  /** The current day in UTC. */
  today: string
}

/** Selects the matching rows, without an order. */
export async function matchingIssuablesQuery(db: Db, asked: IssuableListRequest): Promise<Query> {
  const { kind, viewer, place, filter, today } = asked
  let query = db.selectFrom('issuables').where('issuables.kind', '=', sql.lit(kind)) as Query
  query = inPlace(query, { kind, viewer, place })
  const conditions = await conditionsOf(db, { filter, today, viewer, place })
  for (const condition of conditions) query = query.where(condition)
  return query
}

function inPlace(
  query: Query,
  { kind, viewer, place }: Pick<IssuableListRequest, 'kind' | 'viewer' | 'place'>,
): Query {
  if ('inProject' in place) {
    const { subject, level } = place.inProject
    const isRead = mayReadIssuablesByKind[kind](place.inProject)
    const here = query.where('issuables.project_id', '=', isRead ? subject.id : 0)
    if (maySeeConfidentialIssues(level) || kind !== 'issue') return here
    return here.where((eb) => isOpenTo(eb, viewer))
  }
  return query.where((eb) => {
    const seen = eb
      .selectFrom('projects')
      .select('projects.id')
      .where('projects.state', '=', 'ready')
      .whereRef('projects.id', '=', 'issuables.project_id')
      .where(visibleIssuableCondition(viewer, kind))
      .$if(!place.withArchived, (projects) => projects.where('projects.archived', '=', false))
      .$if('group_id' in place, (projects) =>
        projects.where('projects.namespace_id', 'in', (eb) =>
          eb
            .selectFrom('namespace_ancestors')
            .select('namespace_ancestors.namespace_id')
            .where(
              'namespace_ancestors.ancestor_id',
              '=',
              'group_id' in place ? place.group_id : 0,
            ),
        ),
      )
      .$if('group_id' in place && place.isDirect === true, (projects) =>
        projects.where('projects.namespace_id', '=', 'group_id' in place ? place.group_id : 0),
      )
    return eb.exists(seen)
  })
}

function isOpenTo(eb: RowBuilder, { user }: Viewer): Expression<SqlBool> {
  const isOpen = eb('issuables.confidential', '=', sql.lit(false))
  if (!user) return isOpen
  return eb.or([isOpen, eb('issuables.author_id', '=', user.id), isAssigned(eb, user.id)])
}

function isAssigned(eb: RowBuilder, user_id: number): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('issuable_assignees')
      .select(sql.lit(1).as('one'))
      .whereRef('issuable_assignees.issuable_id', '=', 'issuables.id')
      .where('issuable_assignees.user_id', '=', user_id),
  )
}

type Condition = (eb: RowBuilder) => Expression<SqlBool>

async function conditionsOf(
  db: Db,
  {
    filter,
    today,
    viewer,
    place,
  }: Pick<IssuableListRequest, 'filter' | 'today' | 'viewer' | 'place'>,
): Promise<Condition[]> {
  const conditions: Condition[] = [...(filter.own ?? [])]
  const add = (isGiven: unknown, condition: Condition) => {
    if (isGiven !== undefined && isGiven !== '' && isGiven !== false) conditions.push(condition)
  }
  const { state, author_id, author_username, confidential, issue_type, iids } = filter
  const me = viewer.user?.id ?? 0
  const scope = filter.scope?.replaceAll('-', '_')
  add(scope === 'created_by_me', (eb) => eb('issuables.author_id', '=', me))
  add(scope === 'assigned_to_me', (eb) => isAssigned(eb, me))
  if (state !== undefined && state !== 'all') {
    conditions.push((eb) => eb('issuables.state', '=', state as Issuable['state']))
  }
  add(iids, (eb) => eb('issuables.iid', 'in', [...(iids ?? []).filter(isStorableInteger), 0]))
  add(author_id, (eb) => eb('issuables.author_id', '=', author_id ?? 0))
  add(author_username, (eb) =>
    eb('issuables.author_id', 'in', usersNamed(db, [author_username ?? ''])),
  )
  if (confidential !== undefined) {
    conditions.push((eb) => eb('issuables.confidential', '=', confidential))
  }
  add(issue_type, (eb) => eb('issuables.issue_type', '=', issue_type as Issuable['issue_type']))
  add(filter.milestone_id, (eb) => eb('issuables.milestone_id', '=', filter.milestone_id ?? 0))
  conditions.push(...weightConditions(filter.weight))
  conditions.push(
    ...(await assigneeConditions(
      db,
      parsePersonFilter(filter.assignee_id),
      filter.assignee_username,
    )),
  )
  conditions.push(...(await milestoneConditions(db, filter.milestone, { today, place })))
  conditions.push(...dueConditions(filter.due_date, today))
  conditions.push(...(await labelConditions(db, parseTitlesFilter(filter.labels), place)))
  conditions.push(...searchConditions(db, filter))
  conditions.push(...reactionConditions(db, filter.my_reaction_emoji, me))
  const { created_after, created_before, updated_after, updated_before } = filter
  add(created_after, (eb) => eb('issuables.created_at', '>=', created_after ?? ''))
  add(created_before, (eb) => eb('issuables.created_at', '<=', created_before ?? ''))
  add(updated_after, (eb) => eb('issuables.updated_at', '>=', updated_after ?? ''))
  add(updated_before, (eb) => eb('issuables.updated_at', '<=', updated_before ?? ''))
  conditions.push(...(await negatedConditions(db, filter.not, { me, today, place })))
  return conditions
}

async function negatedConditions(
  db: Db,
  not: IssuableFilterInput['not'],
  { me, today, place }: { me: number; today: string; place: IssuableListPlace },
): Promise<Condition[]> {
  if (!not) return []
  const conditions: Condition[] = []
  const { author_id, author_username, assignee_id, iids, milestone_ids } = not
  const storableIids = (iids ?? []).filter(isStorableInteger)
  if (storableIids.length > 0) conditions.push((eb) => eb('issuables.iid', 'in', storableIids))
  if (author_id !== undefined) conditions.push((eb) => eb('issuables.author_id', '=', author_id))
  if (author_username) {
    conditions.push((eb) => eb('issuables.author_id', 'in', usersNamed(db, [author_username])))
  }
  const person = assignee_id === undefined ? undefined : { id: assignee_id }
  conditions.push(...(await assigneeConditions(db, person, not.assignee_username)))
  conditions.push(...(await milestoneConditions(db, not.milestone, { today, place })))
  if (milestone_ids?.length) {
    conditions.push((eb) => eb('issuables.milestone_id', 'in', milestone_ids))
  }
  const titles = parseTitlesFilter(not.labels)
  if (titles !== undefined && typeof titles !== 'string') {
    // One condition for each label, so that `not` excludes rows with any of them and not only rows with all
    // of them.
    for (const title of titles.titles) {
      conditions.push(...(await labelConditions(db, { titles: [title] }, place)))
    }
  }
  conditions.push(...reactionConditions(db, not.my_reaction_emoji, me))
  // A row without a milestone does not have the excluded milestone either, hence `coalesce`.
  return conditions.map(
    (condition) => (eb) => sql<SqlBool>`not coalesce(${condition(eb)}, ${sql.lit(false)})`,
  )
}

function usersNamed(db: Db, names: readonly string[]) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where(
      lowerCaseExpression('users.username'),
      'in',
      names.map((name) => name.toLowerCase()),
    )
}

function weightConditions(weight: string | undefined): Condition[] {
  if (weight === undefined || weight === '') return []
  if (/^none$/i.test(weight)) return [(eb) => eb('issuables.weight', 'is', null)]
  if (/^any$/i.test(weight)) return [(eb) => eb('issuables.weight', 'is not', null)]
  const number = /^\d{1,9}$/.test(weight) ? Number(weight) : -1
  return [(eb) => eb('issuables.weight', '=', number)]
}

async function assigneeConditions(
  db: Db,
  person: PersonFilter | undefined,
  names: readonly string[] | undefined,
): Promise<Condition[]> {
  const links = (eb: RowBuilder) =>
    eb
      .selectFrom('issuable_assignees')
      .select(sql.lit(1).as('one'))
      .whereRef('issuable_assignees.issuable_id', '=', 'issuables.id')
  const given = names?.filter((name) => name !== '') ?? []
  const conditions: Condition[] = given.map((name) => (eb) => {
    const users = usersNamed(db, [name])
    return eb.exists(links(eb).where('issuable_assignees.user_id', 'in', users))
  })
  if (person === 'none') conditions.push((eb) => eb.not(eb.exists(links(eb))))
  else if (person === 'any') conditions.push((eb) => eb.exists(links(eb)))
  else if (person) {
    const rows = db
      .selectFrom('issuable_assignees')
      .select('issuable_assignees.issuable_id')
      .where('issuable_assignees.user_id', '=', person.id)
    const asksEach = await isCommon(rows)
    conditions.push((eb) =>
      asksEach
        ? eb.exists(links(eb).where('issuable_assignees.user_id', '=', person.id))
        : eb('issuables.id', 'in', rows),
    )
  }
  return conditions
}

async function milestoneConditions(
  db: Db,
  title: string | undefined,
  { today, place }: { today: string; place: IssuableListPlace },
): Promise<Condition[]> {
  if (title === undefined || title === '') return []
  const word = title.toLowerCase()
  if (word === 'none' || word === 'no milestone') {
    return [(eb) => eb('issuables.milestone_id', 'is', null)]
  }
  if (word === 'any' || word === 'any milestone') {
    return [(eb) => eb('issuables.milestone_id', 'is not', null)]
  }
  let chosen = db.selectFrom('milestones').select('milestones.id')
  if (word === 'upcoming' || word === '#upcoming') {
    chosen = chosen.where('state', '=', 'active').where('due_date', '>', today)
  } else if (word === 'started' || word === '#started') {
    chosen = chosen.where('state', '=', 'active').where('start_date', '<=', today)
  } else chosen = chosen.where('title', '=', title)
  if (!('inProject' in place)) return [(eb) => eb('issuables.milestone_id', 'in', chosen)]
  const { id: project_id } = place.inProject.subject
  const rows = await chosen
    .where((eb) =>
      eb.or([
        eb('project_id', '=', project_id),
        eb('namespace_id', 'in', namespacesAbove(db, project_id)),
      ]),
    )
    .execute()
  const [only, ...others] = rows.map(({ id }) => id)
  // With a single milestone, the index returns the rows in order.
  if (others.length === 0) return [(eb) => eb('issuables.milestone_id', '=', only ?? 0)]
  return [(eb) => eb('issuables.milestone_id', 'in', [only ?? 0, ...others])]
}

const day_ms = 24 * 60 * 60 * 1000

function dueConditions(due: string | undefined, today: string): Condition[] {
  if (due === undefined) return []
  const now_ms = Date.parse(`${today}T00:00:00Z`)
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const between = (from: number, to: number): Condition[] => [
    (eb) =>
      eb.and([eb('issuables.due_date', '>=', day(from)), eb('issuables.due_date', '<=', day(to))]),
  ]
  const now = new Date(now_ms)
  const weekday = (now.getUTCDay() + 6) % 7
  const monthStart = (offset: number) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)
  switch (due.toLowerCase()) {
    case '0':
    case '':
      return due === '' ? [] : [(eb) => eb('issuables.due_date', 'is', null)]
    case 'any':
      return [(eb) => eb('issuables.due_date', 'is not', null)]
    case 'today':
      return between(now_ms, now_ms)
    case 'tomorrow':
      return between(now_ms + day_ms, now_ms + day_ms)
    case 'overdue':
      return [(eb) => eb('issuables.due_date', '<', today)]
    case 'week':
      return between(now_ms - weekday * day_ms, now_ms + (6 - weekday) * day_ms)
    case 'month':
      return between(monthStart(0), monthStart(1) - day_ms)
    case 'next_month_and_previous_two_weeks':
      return between(now_ms - 14 * day_ms, monthStart(2) - day_ms)
    default:
      return []
  }
}

/** Returns whether the subquery selects more rows than a query should start from. */
async function isCommon(
  // biome-ignore lint/suspicious/noExplicitAny: which rows are counted is the caller's matter.
  rows: SelectQueryBuilder<any, any, any>,
): Promise<boolean> {
  return (await rows.limit(1).offset(few_rows_max).executeTakeFirst()) !== undefined
}

/**
 * Returns the conditions for all given labels. For a rare label the query starts from its issuables; for a common one
 * each row is checked in the order of the list.
 */
async function labelConditions(
  db: Db,
  titles: TitlesFilter | undefined,
  place: IssuableListPlace,
): Promise<Condition[]> {
  if (titles === undefined) return []
  const links = (eb: RowBuilder) =>
    eb
      .selectFrom('issuable_labels')
      .select(sql.lit(1).as('one'))
      .whereRef('issuable_labels.issuable_id', '=', 'issuables.id')
  if (titles === 'none') return [(eb) => eb.not(eb.exists(links(eb)))]
  if (titles === 'any') return [(eb) => eb.exists(links(eb))]
  const conditions: Condition[] = []
  for (const title of titles.titles) {
    // Within a project, the ids are looked up first, so that the database can estimate the number of matching
    // rows.
    const labels =
      'inProject' in place
        ? await labelIdsOf(db, place.inProject.subject.id, title)
        : db.selectFrom('labels').select('labels.id').where('labels.title', '=', title)
    const rows = db
      .selectFrom('issuable_labels')
      .select('issuable_labels.issuable_id')
      .where('label_id', 'in', labels as readonly number[])
    const asksEach = await isCommon(rows)
    conditions.push((eb) =>
      asksEach
        ? eb.exists(links(eb).where('issuable_labels.label_id', 'in', labels as readonly number[]))
        : eb('issuables.id', 'in', rows),
    )
  }
  return conditions
}

/** Selects the groups whose labels and milestones are available in the project. */
function namespacesAbove(db: Db, project_id: number) {
  return db
    .selectFrom('namespace_ancestors')
    .innerJoin('projects', 'projects.namespace_id', 'namespace_ancestors.namespace_id')
    .select('namespace_ancestors.ancestor_id')
    .where('projects.id', '=', project_id)
}

async function labelIdsOf(db: Db, project_id: number, title: string): Promise<number[]> {
  const rows = await db
    .selectFrom('labels')
    .select('id')
    .where('title', '=', title)
    .where((eb) =>
      eb.or([
        eb('project_id', '=', project_id),
        eb('namespace_id', 'in', namespacesAbove(db, project_id)),
      ]),
    )
    .execute()
  return [0, ...rows.map(({ id }) => id)]
}

const search_words_max = 10
const searchedColumns = ['title', 'description']

function searchConditions(db: Db, filter: IssuableListFilter): Condition[] {
  const words = (filter.search ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, search_words_max)
  const asked = filter.in?.split(',').map((name) => name.trim()) ?? []
  const named = searchedColumns.filter((name) => asked.includes(name))
  const columns = (named.length > 0 ? named : searchedColumns).map((name) => `issuables.${name}`)
  // The longest word matches the fewest rows, so only that word is searched in the index.
  const longest = words.toSorted((a, b) => b.length - a.length)[0]
  return words.map((word) => (eb) => {
    const has = containsTextCondition(db, columns, word)
    if (word !== longest || !isIndexSearchable(db, word)) return has
    return eb.and([sql<SqlBool>`issuables.id in (${textMatchQuery('issuable_texts', word)})`, has])
  })
}

function reactionConditions(db: Db, emoji: string | undefined, me: number): Condition[] {
  if (emoji === undefined || emoji === '') return []
  const awards = db
    .selectFrom('award_emojis')
    .select((eb) => eb.ref('award_emojis.issuable_id').$notNull().as('issuable_id'))
    .where('award_emojis.user_id', '=', me)
    .where('award_emojis.issuable_id', 'is not', null)
  const named = awards.where('award_emojis.name', '=', emoji)
  const isNone = /^none$/i.test(emoji)
  const isAny = /^any$/i.test(emoji)
  return [
    (eb) => {
      const condition = eb('issuables.id', 'in', isNone || isAny ? awards : named)
      return isNone ? eb.not(condition) : condition
    },
  ]
}

export const issuableOrders = [
  'created_at',
  'updated_at',
  'priority',
  'due_date',
  'relative_position',
  'label_priority',
  'milestone_due',
  'popularity',
  'title',
  'weight',
] as const
/** The orders of lists. The last one is only for merge requests. */
export type IssuableOrder = (typeof issuableOrders)[number] | 'merged_at'

type Direction = 'asc' | 'desc'

/** The distance between the positions of issues that were never moved by hand. */
export const relative_position_step = 1024

/** Sorts rows. Rows without a value come last in both directions; equal rows are sorted newest first. */
function sorted(query: Query, { order, sort }: { order: IssuableOrder; sort: Direction }): Query {
  const lastNull = (expression: ReturnType<typeof sql<unknown>>) =>
    query
      .orderBy(sql`case when ${expression} is null then 1 else 0 end`)
      .orderBy(expression, sort)
      .orderBy('issuables.id', 'desc')
  const due = sql`(select milestones.due_date from milestones where milestones.id = issuables.milestone_id)`
  const priority = sql`(select min(label_priorities.priority) from label_priorities
    inner join issuable_labels on issuable_labels.label_id = label_priorities.label_id
    where issuable_labels.issuable_id = issuables.id
    and label_priorities.project_id = issuables.project_id)`
  switch (order) {
    case 'created_at':
    case 'updated_at':
      return query.orderBy(`issuables.${order}`, sort).orderBy('issuables.id', 'desc')
    case 'title':
      return query.orderBy(sql`lower(issuables.title)`, sort).orderBy('issuables.id', 'desc')
    case 'popularity':
      return query.orderBy('issuables.upvotes', sort).orderBy('issuables.id', 'desc')
    case 'merged_at':
      return lastNull(
        sql`(select merge_requests.merged_at from merge_requests where merge_requests.issuable_id = issuables.id)`,
      )
    case 'due_date':
      return lastNull(sql`issuables.due_date`)
    case 'weight':
      return lastNull(sql`issuables.weight`)
    case 'relative_position':
      // An issue that was never moved is placed by its number, as when another issue is moved next to it.
      return query
        .orderBy(
          sql`coalesce(issuables.position, issuables.iid * ${relative_position_step})`,
          'asc',
        )
        .orderBy('issuables.id', 'desc')
    case 'milestone_due':
      return lastNull(due)
    case 'label_priority':
      return lastNull(priority)
    case 'priority':
      return query
        .orderBy(sql`case when ${due} is null then 1 else 0 end`)
        .orderBy(due, sort)
        .orderBy(sql`case when ${priority} is null then 1 else 0 end`)
        .orderBy(priority, sort)
        .orderBy('issuables.id', 'desc')
  }
}

/** Returns one page of issues or merge requests. */
export async function listIssuables(
  db: Db,
  asked: IssuableListRequest & { order?: IssuableOrder; sort?: Direction },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Issuable[]; total: number | undefined }> {
  const matching = await matchingIssuablesQuery(db, asked)
  const { order = 'created_at', sort = 'desc' } = asked
  const rows = (await sorted(matching, { order, sort })
    .selectAll('issuables')
    .limit(per_page)
    .offset(offset)
    .execute()) as Issuable[]
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** Counts the matching open and closed ones. */
export async function countIssuablesByState(
  db: Db,
  asked: IssuableListRequest,
): Promise<{ all: number; closed: number; opened: number }> {
  const matching = await matchingIssuablesQuery(db, asked)
  const rows = await matching
    .select((eb) => ['issuables.state', eb.fn.countAll<number>().as('number')])
    .groupBy('issuables.state')
    .execute()
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.number ?? 0)
  return { all: of('opened') + of('closed'), closed: of('closed'), opened: of('opened') }
}
