// How files of jobs go: their rows and their share of the statistics in one transaction, which asks for the
// removal of their blobs. A crash before it leaves all, one after it is made up for by the task.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { enqueueAll } from '../../../tasks/task.ts'
import { removeOwnBlob } from '../jobs/own-blob.ts'
import { deleteArtifacts, growStatistics, listArtifactIds } from './artifact.store.ts'

const files_a_statement = 500

/** Removes the files of these ids, as many as one statement takes. */
export async function removeArtifacts(tx: Db, clock: Clock, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const gone = await deleteArtifacts(tx, ids)
  const now = timestamp(clock)
  for (const [project_id, files] of Map.groupBy(gone, (file) => file.project_id)) {
    const bytes = -files.reduce((sum, { size }) => sum + Number(size), 0)
    await growStatistics(tx, { project_id, bytes, now })
  }
  await enqueueAll(tx, clock, {
    task: removeOwnBlob,
    requests: gone.map(({ blob }) => ({
      key: blob,
      payload: { kind: 'artifacts', name: blob },
    })),
  })
}

/** Removes all files of a job, of the jobs of a pipeline, or of a project; to be called before these go. */
export async function removeArtifactsOf(
  tx: Db,
  clock: Clock,
  of: { job_id: number } | { pipeline_id: number } | { project_id: number },
): Promise<void> {
  for (;;) {
    const ids = await listArtifactIds(tx, of, files_a_statement)
    await removeArtifacts(tx, clock, ids)
    if (ids.length < files_a_statement) return
  }
}
