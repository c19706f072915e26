import type { Insertable } from 'kysely'
import type { Db, JobArtifactTable } from '../../../db/db.ts'
import type { Artifact } from '../jobs/job.ts'

export function findArtifact(
  db: Db,
  { job_id, file_type }: { job_id: number; file_type: string },
): Promise<Artifact | undefined> {
  return db
    .selectFrom('job_artifacts')
    .selectAll()
    .where('job_id', '=', job_id)
    .where('file_type', '=', file_type)
    .executeTakeFirst()
}

export async function insertArtifact(
  tx: Db,
  artifact: Insertable<JobArtifactTable>,
): Promise<void> {
  await tx.insertInto('job_artifacts').values(artifact).execute()
}

/** Counts bytes of artifacts, or fewer of them, to the project's statistics. */
export async function growStatistics(
  tx: Db,
  { project_id, bytes, now }: { project_id: number; bytes: number; now: string },
): Promise<void> {
  await tx
    .updateTable('project_statistics')
    .set((eb) => ({ job_artifacts_size: eb('job_artifacts_size', '+', bytes), updated_at: now }))
    .where('project_id', '=', project_id)
    .execute()
}
