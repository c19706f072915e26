// Public functions of LFS: names and locations of objects, and which of them a project has.

import { type BlobPlace, contentAddressedPlace } from '../../../blobs/blob-place.ts'
import type { Db } from '../../../db/db.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'

/** The only supported hash algorithm (git-lfs: docs/api/batch.md, `hash_algo`). */
export const lfsHashAlgorithm = 'sha256'

/** Whether the text is the id of an LFS object: SHA-256 in lower-case hex. */
export function isLfsOid(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function lfsBlobPlace(oid: string): BlobPlace {
  return contentAddressedPlace('lfs', oid)
}

/** Returns the object with that id if the project has it, which means that somebody has uploaded it there. */
export function findLfsObject(
  db: Db,
  { project_id, oid }: { project_id: number; oid: string },
): Promise<{ oid: string; size: number } | undefined> {
  return db
    .selectFrom('lfs_objects')
    .innerJoin('project_lfs_objects as link', 'link.lfs_object_id', 'lfs_objects.id')
    .select(['lfs_objects.oid', 'lfs_objects.size'])
    .where('lfs_objects.oid', '=', oid)
    .where('link.project_id', '=', project_id)
    .executeTakeFirst()
}

/** Far below the maximum number of parameters of a statement in both databases. */
const oids_a_query = 1000

/** Returns the objects that the project has. */
export async function filterProjectLfsOids(
  db: Db,
  projectId: number,
  oids: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of splitIntoBatches(oids, oids_a_query)) {
    const rows = await db
      .selectFrom('lfs_objects')
      .innerJoin('project_lfs_objects as link', 'link.lfs_object_id', 'lfs_objects.id')
      .select('lfs_objects.oid')
      .where('lfs_objects.oid', 'in', some)
      .where('link.project_id', '=', projectId)
      .execute()
    for (const { oid } of rows) found.add(oid)
  }
  return found
}

/** Links every object of the source to its fork. Call it in the transaction that makes the fork ready. */
export async function copyLfsObjectLinks(
  tx: Db,
  { from, to, now }: { from: number; to: number; now: string },
): Promise<void> {
  await tx
    .insertInto('project_lfs_objects')
    .columns(['project_id', 'lfs_object_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('project_lfs_objects')
        .select([eb.val(to).as('project_id'), 'lfs_object_id', eb.val(now).as('created_at')])
        .where('project_id', '=', from),
    )
    .execute()
  await tx
    .updateTable('projects')
    .set((eb) => ({
      uses_lfs: eb
        .selectFrom('projects as source')
        .select('uses_lfs')
        .where('source.id', '=', from),
    }))
    .where('id', '=', to)
    .execute()
}

/** Marks the project as using LFS: pushes are checked for pointers from now on. */
export async function markProjectUsesLfs(db: Db, projectId: number): Promise<void> {
  await db.updateTable('projects').set({ uses_lfs: true }).where('id', '=', projectId).execute()
}
