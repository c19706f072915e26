// The archive of one job for another one that runs (docs/api/runners.md, "Archives of other jobs").
import type { Actor } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { readPipelines } from '../../../subjects/pipeline.ts'
import { findProject } from '../../../subjects/project.ts'
import type { Artifact } from '../jobs/job.ts'
import { findJob } from '../pipelines/job.ts'
import { findArtifact } from './artifact.store.ts'

/** Undefined where there is none, or the job's user may not read it. */
export async function findArchiveFor(
  { db }: { db: Db },
  actor: Actor,
  job_id: number,
): Promise<Artifact | undefined> {
  const job = await findJob(db, job_id)
  const found = job && (await findProject(db, actor, { id: job.project_id }))
  if (!found || !canSeeProject(actor, found)) return undefined
  if (!readPipelines({ subject: found.project, level: found.level, actor })) return undefined
  return findArtifact(db, { job_id, file_type: 'archive' })
}
