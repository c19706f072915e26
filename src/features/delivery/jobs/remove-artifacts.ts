// Deletes files of jobs: one transaction deletes their rows, updates the statistics and enqueues the deletion of their
// blobs. After a crash the task deletes the blobs.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { enqueueAll } from '../../../tasks/task.ts'
import { removeOwnBlobTask } from '../../basics/own-blobs/own-blob.ts'
import { deleteArtifacts } from './job.store.ts'
import { addToArtifactsSize } from './job.ts'

/** Deletes the artifacts with these ids, at most as many as a statement takes. */
export async function removeArtifacts(tx: Db, clock: Clock, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const gone = await deleteArtifacts(tx, ids)
  const now = timestamp(clock)
  for (const [project_id, files] of Map.groupBy(gone, (file) => file.project_id)) {
    const bytes = -files.reduce((sum, { size }) => sum + Number(size), 0)
    await addToArtifactsSize(tx, { project_id, bytes, now })
  }
  await enqueueAll(tx, clock, {
    task: removeOwnBlobTask,
    requests: gone.map(({ blob }) => ({
      key: blob,
      payload: { kind: 'artifacts', name: blob },
    })),
  })
}
