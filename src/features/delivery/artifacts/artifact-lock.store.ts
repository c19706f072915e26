import type { Db } from '../../../db/db.ts'

/** Lets go of the artifacts that are kept as the latest of a reference. */
export async function unlockPipelines(
  db: Db,
  { project_id, ref, tag }: { project_id: number; ref: string; tag: boolean },
): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ locked: false })
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('locked', '=', true)
    .execute()
}
