import type { Db } from '../../../db/db.ts'

/** Notes which objects nobody has any more once the project is gone; to be called right before it goes. */
export async function releaseLfsObjects({
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
