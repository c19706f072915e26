import type { Selectable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleNamespaceCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { AvatarTable, Db } from '../../../db/db.ts'
import type { AvatarOwner } from '../../../subjects/avatar-url.ts'

/** Inserts an avatar that belongs to nobody yet and returns its id. */
export async function insertAvatar(
  db: Db,
  {
    now,
    ...avatar
  }: Pick<Selectable<AvatarTable>, 'blob' | 'file_name' | 'content_type' | 'size'> & {
    now: string
  },
): Promise<number> {
  const { id } = await db
    .insertInto('avatars')
    .values({ ...avatar, owner_kind: null, owner_id: null, unlinked_since: now, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Unassigns the avatar of the owner. It is deleted later. */
export async function unassignAvatar(
  tx: Db,
  { kind, id }: AvatarOwner,
  now: string,
): Promise<void> {
  await tx
    .updateTable('avatars')
    .set({ owner_kind: null, owner_id: null, unlinked_since: now })
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .execute()
}

export async function assignAvatar(
  tx: Db,
  { kind, id }: AvatarOwner,
  avatarId: number,
): Promise<void> {
  await tx
    .updateTable('avatars')
    .set({ owner_kind: kind, owner_id: id, unlinked_since: null })
    .where('id', '=', avatarId)
    .returning('id')
    .executeTakeFirstOrThrow()
}

export function findAvatar(
  db: Db,
  { kind, id }: AvatarOwner,
): Promise<Selectable<AvatarTable> | undefined> {
  return db
    .selectFrom('avatars')
    .selectAll()
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .executeTakeFirst()
}

/** Returns at most `limit` avatars that have had no owner since before `before`. */
export function listUnlinkedAvatars(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<{ id: number; blob: string }[]> {
  return db
    .selectFrom('avatars')
    .select(['id', 'blob'])
    .where('unlinked_since', '<', before)
    .orderBy('unlinked_since')
    .limit(limit)
    .execute()
}

/** Deletes the row of an avatar unless it has an owner; then returns false. */
export async function deleteUnlinkedAvatar(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('avatars')
    .where('id', '=', id)
    .where('unlinked_since', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function isAvatarOwnerVisible(
  db: Db,
  actor: Actor,
  { kind, id }: AvatarOwner,
): Promise<boolean> {
  if (kind === 'user' || kind === 'topic') return true
  const seen =
    kind === 'project'
      ? db
          .selectFrom('projects')
          .select('id')
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .where(visibleProjectCondition(actor))
      : db
          .selectFrom('namespaces')
          .select('id')
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .where(visibleNamespaceCondition(actor))
  return (await seen.executeTakeFirst()) !== undefined
}
