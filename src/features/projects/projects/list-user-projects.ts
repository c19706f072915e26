// Lists of projects related to a user: starred, contributed to.
import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { memberLevels } from '../../../access/level.ts'
import { totalFromPage } from '../../../db/paginate.ts'
import type { Context } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  oneOf,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findUserByIdOrName, type User } from '../../../subjects/user.ts'
import {
  countProjects,
  listProjectIds,
  type ProjectFilter,
  projectOrders,
} from './list-projects.ts'
import { showProjects } from './show-projects.ts'

export const UserProjectsInput = Type.Object({
  user_id: Type.String(),
  ...pageInput,
  archived: optionalBoolean,
  id_after: optionalInteger,
  id_before: optionalInteger,
  membership: optionalBoolean,
  min_access_level: Type.Optional(oneOfNumbers(memberLevels)),
  order_by: Type.Optional(oneOf(projectOrders, { default: 'created_at' })),
  owned: optionalBoolean,
  search: optionalText,
  simple: optionalBoolean,
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
  starred: optionalBoolean,
  statistics: optionalBoolean,
  visibility: Type.Optional(oneOf(['public', 'internal', 'private'])),
  with_issues_enabled: optionalBoolean,
  with_merge_requests_enabled: optionalBoolean,
})

/**
 * Returns a page of the projects that `narrow` selects for the user, as far as the caller can see them; a private profile
 * is empty except for its user and administrators. Throws 404 for an unknown user.
 */
export async function listUserProjects(
  context: Context<unknown, Static<typeof UserProjectsInput>>,
  narrow: (user: User) => Pick<ProjectFilter, 'starred_by_id' | 'contributed_by'>,
): Promise<Page> {
  const { db, actor, input } = context
  const { order_by: by = 'created_at', sort = 'desc' } = input
  const user = await findUserByIdOrName(db, input.user_id)
  if (!user) throw notFound('User')
  const { range } = context
  const isHidden = user.private_profile && !isAdmin(actor) && actor.user?.id !== user.id
  if (isHidden) return new Page({ items: [], total: 0 })
  const filter: ProjectFilter = { ...input, ...narrow(user) }
  const ids = await listProjectIds(db, actor, { filter, order: { by, sort }, ...range })
  const { simple: isSimple, statistics: includesStatistics } = input
  const [total, items] = await Promise.all([
    totalFromPage({ ...range, found: ids.length }, () => countProjects(db, actor, filter)),
    showProjects(context, ids, { isSimple, includesStatistics }),
  ])
  return new Page({ items, total })
}
