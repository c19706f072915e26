import type { Updateable } from 'kysely'
import { Level } from '../../../access/level.ts'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import type { Db, MemberTable } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'
import type { Member } from './member.ts'
import type { ActorWithLevel, MemberSource } from './member-source.ts'
import {
  directMembershipsQuery,
  effectiveMembershipsQuery,
  inheritedMembershipsQuery,
} from './membership-query.store.ts'

/** A user with their membership. `id` is the user's id; the level and expiry are those of the membership. */
export type MemberWithUser = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> &
  Pick<Member, 'access_level' | 'created_at' | 'expires_at'>

export type MemberFilter = {
  /** Part of the name or username. */
  query?: string
  user_ids?: readonly number[]
  skip_users?: readonly number[]
}

type Page = { offset: number; per_page: number }
/**
 * The project or group whose members are selected. With `asker`, inherited members and members of invited
 * groups are included, as far as the asker may see them.
 */
type Scope = { source: MemberSource; today: string; asker?: ActorWithLevel }

/** Returns one page of members ordered by user id, and their total. */
export async function listMembers(
  db: Db,
  scope: Scope,
  filter: MemberFilter,
  { offset, per_page }: Page,
): Promise<{ rows: MemberWithUser[]; total: number | undefined }> {
  const matching = filteredMembers(db, scope, filter)
  const rows = await selectMembers(matching)
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}

/** Returns the membership of one user, by the same rules as the list. */
export function findMember(
  db: Db,
  scope: Scope,
  userId: number,
): Promise<MemberWithUser | undefined> {
  return selectMembers(filteredMembers(db, scope, { user_ids: [userId] })).executeTakeFirst()
}

function filteredMembers(db: Db, { source, today, asker }: Scope, filter: MemberFilter) {
  const grants = asker
    ? effectiveMembershipsQuery(db, source, { asker, today })
    : directMembershipsQuery(db, source, today)
  let query = db.selectFrom(grants.as('held')).innerJoin('users', 'users.id', 'held.user_id')
  const { query: text, user_ids, skip_users } = filter
  if (text) {
    query = query.where(containsTextCondition(db, ['users.name', 'users.username'], text))
  }
  if (user_ids && user_ids.length > 0) query = query.where('users.id', 'in', user_ids)
  if (skip_users && skip_users.length > 0) query = query.where('users.id', 'not in', skip_users)
  return query
}

function selectMembers(query: ReturnType<typeof filteredMembers>) {
  return query.select([
    'users.id',
    'users.username',
    'users.name',
    'users.state',
    'users.avatar',
    'held.access_level',
    'held.created_at',
    'held.expires_at',
  ])
}

/** Returns the user's direct membership of the source. */
export function findDirectMembership(
  db: Db,
  source: MemberSource,
  userId: number,
): Promise<Member | undefined> {
  return db
    .selectFrom('members')
    .selectAll()
    .where(source.kind === 'group' ? 'namespace_id' : 'project_id', '=', source.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function updateMember(
  db: Db,
  id: number,
  changes: Updateable<MemberTable>,
): Promise<void> {
  await db.updateTable('members').set(changes).where('id', '=', id).execute()
}

export async function deleteMember(db: Db, id: number): Promise<void> {
  await db.deleteFrom('members').where('id', '=', id).execute()
}

/** Returns the user's highest membership of a group above the source, with that group's name. */
export async function findInheritedMembership(
  db: Db,
  source: MemberSource,
  { userId, today }: { userId: number; today: string },
): Promise<{ access_level: number; group_name: string } | undefined> {
  return db
    .selectFrom(inheritedMembershipsQuery(db, source, today).as('grant'))
    .innerJoin('members', 'members.id', 'grant.id')
    .innerJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .select(['grant.access_level', 'namespaces.name as group_name'])
    .where('grant.user_id', '=', userId)
    .orderBy('grant.access_level', 'desc')
    .orderBy('grant.distance')
    .executeTakeFirst()
}

/** Whether a group or a group above it has an Owner other than this user. */
export async function hasGroupOtherOwner(
  db: Db,
  groupId: number,
  { userId, today }: { userId: number; today: string },
): Promise<boolean> {
  const other = await db
    .selectFrom('namespace_ancestors as tree')
    .innerJoin('members', 'members.namespace_id', 'tree.ancestor_id')
    .select('members.id')
    .where('tree.namespace_id', '=', groupId)
    .where('members.access_level', '=', Level.owner)
    .where('members.user_id', '!=', userId)
    .where(notExpiredCondition('members.expires_at', today))
    .executeTakeFirst()
  return other !== undefined
}

/** Deletes a user's memberships of everything below a group. Returns the projects whose access has to be recomputed. */
export async function deleteDescendantMemberships(
  db: Db,
  groupId: number,
  userId: number,
): Promise<number[]> {
  const below = db
    .selectFrom('namespace_ancestors')
    .select('namespace_ancestors.namespace_id')
    .where('namespace_ancestors.ancestor_id', '=', groupId)
  const ended = await db
    .deleteFrom('members')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('namespace_id', 'in', below),
        eb('project_id', 'in', (inner) =>
          inner
            .selectFrom('projects')
            .select('projects.id')
            .where('projects.namespace_id', 'in', below),
        ),
      ]),
    )
    .returning('project_id')
    .execute()
  return ended.flatMap(({ project_id }) => project_id ?? [])
}
