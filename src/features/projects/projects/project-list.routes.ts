import { Type } from 'typebox'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level, memberLevels } from '../../../access/level.ts'
import { anyone } from '../../../access/rule.ts'
import { totalFromPage } from '../../../db/paginate.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { keysetAnswer, Page } from '../../../http/pagination.ts'
import type { RawParameters } from '../../../http/parameters.ts'
import {
  dateTime,
  oneOf,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { keysetUnavailable, notFound, offsetTooLarge } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { findPersonalNamespace } from '../../../subjects/namespace.ts'
import { mayReadProject, projectLoader } from '../../../subjects/project.ts'
import { findUserByIdOrName } from '../../../subjects/user.ts'
import {
  addCustomAttributesToRecords,
  customAttributeFilterInput,
  parseCustomAttributeFilter,
  withCustomAttributesInput,
} from '../../basics/custom-attributes/custom-attribute.ts'
import {
  countProjects,
  listProjectIds,
  type ProjectFilter,
  type ProjectOrder,
  projectOrders,
  sizeOrders,
} from './list-projects.ts'
import { ShownProjectsJson, showProjects } from './show-projects.ts'

const tag = 'Projects'

const listInput = {
  ...pageInput,
  pagination: Type.Optional(oneOf(['keyset', 'legacy'])),
  archived: optionalBoolean,
  id_after: optionalInteger,
  id_before: optionalInteger,
  last_activity_after: Type.Optional(dateTime()),
  last_activity_before: Type.Optional(dateTime()),
  membership: optionalBoolean,
  min_access_level: Type.Optional(oneOfNumbers([Level.minimal, ...memberLevels])),
  order_by: Type.Optional(oneOf<ProjectOrder['by']>(projectOrders, { default: 'created_at' })),
  owned: optionalBoolean,
  search: optionalText,
  simple: optionalBoolean,
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
  starred: optionalBoolean,
  statistics: optionalBoolean,
  visibility: Type.Optional(oneOf(['public', 'internal', 'private'])),
  with_issues_enabled: optionalBoolean,
  with_merge_requests_enabled: optionalBoolean,
  with_programming_language: optionalText,
  ...customAttributeFilterInput,
  ...withCustomAttributesInput,
}

/** The filter that the path of a list implies, besides its parameters. */
type Narrowing = Pick<ProjectFilter, 'namespace' | 'invited' | 'topics' | 'forked_from_id'>

type ListInput = Omit<ProjectFilter, keyof Narrowing> & {
  page?: number
  per_page?: number
  pagination?: 'keyset' | 'legacy'
  order_by?: ProjectOrder['by']
  sort?: ProjectOrder['sort']
  simple?: boolean
  statistics?: boolean
  custom_attributes?: Record<string, unknown>
  with_custom_attributes?: boolean
}

async function list(context: Context<unknown, ListInput>, narrowing: Narrowing) {
  const { db, actor, config, input } = context
  const { sort = 'desc', page = 1, per_page = 20 } = input
  const order_by = orderFor(actor, input)
  const isPaid = config.tier !== 'free'
  const filter: ProjectFilter = {
    ...input,
    ...narrowing,
    attributes: parseCustomAttributeFilter(actor, input),
    // Only administrators may filter by storage (docs/api/projects.md, "List").
    repository_storage: isAdmin(actor) ? input.repository_storage : undefined,
    // Parameters of the paid tiers, which the free tier ignores.
    repository_checksum_failed: isPaid ? input.repository_checksum_failed : undefined,
    wiki_checksum_failed: isPaid ? input.wiki_checksum_failed : undefined,
    // The order by similarity is limited to the caller's own projects, or to a group (docs/api/projects.md,
    // "List").
    membership: input.membership || (order_by === 'similarity' && !narrowing.namespace),
  }
  const { range } = context
  const order = { by: order_by, sort }
  if (input.pagination === 'keyset') {
    if (order_by !== 'id') throw keysetUnavailable()
    const { per_page } = range
    const ids = await listProjectIds(db, actor, { filter, order, offset: 0, per_page })
    const next: RawParameters =
      sort === 'asc' ? { id_after: ids.at(-1) } : { id_before: ids.at(-1) }
    return keysetAnswer(context, await show(context, ids), next)
  }
  if (page * per_page > limits.project_offset_max) {
    throw offsetTooLarge(limits.project_offset_max, 'Project')
  }
  const { offset } = range
  const ids = await listProjectIds(db, actor, { filter, order, offset, per_page: range.per_page })
  const [total, items] = await Promise.all([
    totalFromPage({ ...range, found: ids.length }, () => countProjects(db, actor, filter)),
    show(context, ids),
  ])
  return new Page({ items, total })
}

/** Returns the order. One that the caller may not use, or that needs a search, is replaced by the default. */
function orderFor(
  actor: Actor,
  { order_by = 'created_at', search }: ListInput,
): ProjectOrder['by'] {
  const isSize = sizeOrders.some((name) => name === order_by)
  const isMeant = order_by === 'similarity' ? search && actor.user : !isSize || isAdmin(actor)
  return isMeant ? order_by : 'created_at'
}

async function show(context: Context<unknown, ListInput>, ids: readonly number[]) {
  const { simple: isSimple, statistics: includesStatistics } = context.input
  const shown = await showProjects(context, ids, { isSimple, includesStatistics })
  const isWanted = context.input.with_custom_attributes
  if (!isWanted) return shown
  const items = shown.map(({ value }) => value)
  return addCustomAttributesToRecords(context, 'project', { items, isWanted })
}

export const projectListEndpoints = [
  endpoint({
    route: 'GET /projects',
    summary: 'List projects',
    tag,
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      ...listInput,
      order_by: Type.Optional(
        oneOf([...projectOrders, ...sizeOrders, 'similarity'], { default: 'created_at' }),
      ),
      repository_checksum_failed: optionalBoolean,
      wiki_checksum_failed: optionalBoolean,
      repository_storage: optionalText,
      search_namespaces: Type.Optional(Type.Boolean({ default: false })),
      topic: Type.Optional(Type.Array(Type.String(), { maxItems: limits.filter_values })),
    }),
    answer: ShownProjectsJson,
    run: (context) => list(context, { topics: context.input.topic }),
  }),

  endpoint({
    route: 'GET /users/:user_id/projects',
    summary: 'List the projects in a user’s own namespace',
    tag,
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      user_id: Type.String(),
      ...listInput,
      order_by: Type.Optional(oneOf([...projectOrders, 'similarity'], { default: 'created_at' })),
    }),
    answer: ShownProjectsJson,
    async run(context) {
      const user = await findUserByIdOrName(context.db, context.input.user_id)
      const namespace = user && (await findPersonalNamespace(context.db, user.id))
      if (!namespace) throw notFound('User')
      return list(context, { namespace: { id: namespace.id } })
    },
  }),

  endpoint({
    route: 'GET /groups/:id/projects',
    summary: 'List the projects of a group',
    tag: 'Groups',
    on: groupLoader,
    allow: anyone, // The caller must be able to see the group.
    input: Type.Object({
      ...listInput,
      order_by: Type.Optional(oneOf([...projectOrders, 'similarity'], { default: 'created_at' })),
      topic: Type.Optional(Type.Array(Type.String(), { maxItems: limits.filter_values })),
      with_shared: Type.Optional(Type.Boolean({ default: true })),
      include_subgroups: Type.Optional(Type.Boolean({ default: false })),
    }),
    answer: ShownProjectsJson,
    run(context) {
      const { clock, subject: group, input } = context
      const { with_shared = true, include_subgroups: below = false } = input
      const invited = with_shared ? { group_id: group.id, today: today(clock) } : undefined
      return list(context, { namespace: { id: group.id, below }, invited, topics: input.topic })
    },
  }),

  endpoint({
    route: 'GET /groups/:id/projects/shared',
    summary: 'List the projects to which a group is invited',
    tag: 'Groups',
    on: groupLoader,
    allow: anyone, // The caller must be able to see the group.
    input: Type.Object(listInput),
    answer: ShownProjectsJson,
    run(context) {
      const { clock, subject: group } = context
      return list(context, { invited: { group_id: group.id, today: today(clock) } })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/forks',
    summary: 'List the forks of a project',
    tag,
    on: projectLoader,
    allow: mayReadProject,
    input: Type.Object(listInput),
    answer: ShownProjectsJson,
    run: (context) => list(context, { forked_from_id: context.subject.id }),
  }),
]
