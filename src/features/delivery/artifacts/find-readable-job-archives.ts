// Finds archives of jobs for another running job (docs/api/runners.md, "Archives of other jobs").
import type { Actor } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { findProject } from '../../../subjects/project.ts'
import { listJobArtifacts } from '../jobs/job.ts'
import { mayReadJobArchive, type ReadableJobArchive } from './open-archive.ts'

/** Returns the archives of the jobs that the actor may read, by job id. */
export async function findReadableJobArchives(
  db: Db,
  actor: Actor,
  jobIds: readonly number[],
): Promise<Map<number, ReadableJobArchive>> {
  const files = await listJobArtifacts(db, jobIds)
  const archives = files.filter(({ file_type }) => file_type === 'archive')
  const found = new Map<number, ReadableJobArchive>()
  for (const project_id of new Set(archives.map((archive) => archive.project_id))) {
    const project = await findProject(db, actor, { id: project_id })
    if (!project || !canSeeProject(actor, project)) continue
    const facts = { subject: project.project, level: project.level, actor }
    for (const archive of archives) {
      if (mayReadJobArchive(facts, archive)) found.set(archive.job_id, archive)
    }
  }
  return found
}
