import type { Db } from '../../../db/db.ts'

/**
 * Claims an LFS object whose bytes are about to be stored. Waits while they are being removed; afterwards they stay
 * long enough to be linked.
 */
export async function reserveLfsObject(
  db: Db,
  { oid, size, now }: { oid: string; size: number; now: string },
): Promise<void> {
  await db
    .insertInto('lfs_objects')
    .values({ oid, size, unlinked_since: now, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('oid')
        .doUpdateSet({ unlinked_since: now })
        .where('lfs_objects.unlinked_since', 'is not', null),
    )
    .execute()
}

/** Links a claimed object to a project, once. Its size then counts for the project. */
export async function linkLfsObjectToProject(
  tx: Db,
  { oid, project_id, now }: { oid: string; project_id: number; now: string },
): Promise<void> {
  const { id, size } = await tx
    .updateTable('lfs_objects')
    .set({ unlinked_since: null })
    .where('oid', '=', oid)
    .returning(['id', 'size'])
    .executeTakeFirstOrThrow()
  const link = await tx
    .insertInto('project_lfs_objects')
    .values({ project_id, lfs_object_id: id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id')
    .executeTakeFirst()
  if (!link) return
  await tx
    .insertInto('project_statistics')
    .values({ project_id, lfs_objects_size: size, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((eb) => ({
        lfs_objects_size: eb('project_statistics.lfs_objects_size', '+', size),
      })),
    )
    .execute()
}

/** Returns objects that have had no project since before `before`, at most `limit`. */
export async function listUnlinkedLfsObjects(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<{ id: number; oid: string }[]> {
  return db
    .selectFrom('lfs_objects')
    .select(['id', 'oid'])
    .where('unlinked_since', '<', before)
    .orderBy('unlinked_since')
    .limit(limit)
    .execute()
}

/**
 * Deletes the row of an object if it has had no project since before `before`; returns false otherwise. The row stays locked
 * until the transaction ends.
 */
export async function deleteUnlinkedLfsObject(
  tx: Db,
  { id, before }: { id: number; before: string },
): Promise<boolean> {
  await tx
    .updateTable('lfs_objects')
    .set({ unlinked_since: null })
    .where('id', '=', id)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('project_lfs_objects').select('project_id').where('lfs_object_id', '=', id),
      ),
    )
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('lfs_objects')
    .where('id', '=', id)
    .where('unlinked_since', '<', before)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Marks the objects that only this project has as unlinked. Call it right before the project is deleted. */
export async function markLfsObjectsUnlinked({
  tx,
  project_id,
  now,
}: {
  tx: Db
  project_id: number
  now: string
}): Promise<void> {
  await tx
    .updateTable('lfs_objects')
    .set({ unlinked_since: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('project_lfs_objects')
        .select('lfs_object_id')
        .where('project_id', '=', project_id),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('project_lfs_objects as other')
            .select('other.project_id')
            .whereRef('other.lfs_object_id', '=', 'lfs_objects.id')
            .where('other.project_id', '<>', project_id),
        ),
      ),
    )
    .execute()
}
