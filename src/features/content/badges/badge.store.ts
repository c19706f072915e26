import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import type { BadgeTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { BadgeOwner } from './badge-owner.ts'

export type Badge = Selectable<BadgeTable>

function ownBadges(db: Db, { kind, id }: BadgeOwner) {
  return db
    .selectFrom('badges')
    .where(kind === 'project' ? 'badges.project_id' : 'badges.namespace_id', '=', id)
}

/** Selects the badges of the owner; a project also shows those of its groups. */
function shownBadges(db: Db, owner: BadgeOwner) {
  if (owner.kind === 'group') return ownBadges(db, owner)
  return db
    .selectFrom('badges')
    .where((eb) =>
      eb.or([
        eb('badges.project_id', '=', owner.id),
        eb(
          'badges.namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_id', '=', owner.namespace_id),
        ),
      ]),
    )
}

/** Returns one page of the badges that the owner shows, in the order of their creation. */
export async function listBadges(
  db: Db,
  owner: BadgeOwner,
  { name, offset, per_page }: { name?: string; offset: number; per_page: number },
): Promise<{ rows: Badge[]; total: number | undefined }> {
  let query = shownBadges(db, owner)
  if (name !== undefined) query = query.where('badges.name', '=', name)
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findBadgeOfOwnerOrAncestors(
  db: Db,
  owner: BadgeOwner,
  id: number,
): Promise<Badge | undefined> {
  return shownBadges(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function findOwnBadge(db: Db, owner: BadgeOwner, id: number): Promise<Badge | undefined> {
  return ownBadges(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the owner has at least so many badges of its own. */
export async function hasBadgesAtLeast(db: Db, owner: BadgeOwner, count: number): Promise<boolean> {
  const row = await ownBadges(db, owner)
    .select('id')
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertBadge(
  db: Db,
  { kind, id }: BadgeOwner,
  badge: Insertable<BadgeTable>,
): Promise<Badge> {
  return db
    .insertInto('badges')
    .values({
      ...badge,
      project_id: kind === 'project' ? id : null,
      namespace_id: kind === 'group' ? id : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateBadge(db: Db, id: number, changes: Updateable<BadgeTable>): Promise<Badge> {
  return db
    .updateTable('badges')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteBadge(db: Db, id: number): Promise<void> {
  await db.deleteFrom('badges').where('id', '=', id).execute()
}

/** Returns the id of the oldest project of a group that the caller can see. */
export async function findOldestVisibleProjectId(
  db: Db,
  actor: Actor,
  namespace_id: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.namespace_id', '=', namespace_id)
    .where('projects.state', '=', 'ready')
    .where(visibleProjectCondition(actor))
    .orderBy('projects.created_at')
    .orderBy('projects.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
