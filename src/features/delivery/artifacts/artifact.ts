// Public functions of artifacts: finds the pipeline of a reference that they are taken from.
import type { Db } from '../../../db/db.ts'

/** Returns the newest successful pipeline of a branch or tag; pipelines of external statuses only do not count. */
export async function findLatestSuccessfulPipelineId(
  db: Db,
  { project_id, ref }: { project_id: number; ref: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('status', '=', 'success')
    .where('parent_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
