// Enqueues the deletion of the blobs of logs and artifacts before their rows are deleted.
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { enqueueAll } from '../../../tasks/task.ts'
import { removeOwnBlobTask } from '../../basics/own-blobs/own-blob.ts'
import { listJobBlobs, subtractArtifactsSize } from './blob.store.ts'

/**
 * Enqueues the removal of all blobs and rows of the jobs of a pipeline and its child pipelines, or of a project. Subtracts
 * their size from the statistics if the project stays.
 */
export async function enqueueJobBlobRemoval(
  tx: Db,
  clock: Clock,
  of: { pipeline_id: number } | { project_id: number },
): Promise<void> {
  if ('pipeline_id' in of) await subtractArtifactsSize(tx, of.pipeline_id)
  for (let after = 0; ; ) {
    const blobs = await listJobBlobs(tx, of, after)
    const last = blobs.at(-1)
    if (!last) return
    await enqueueAll(tx, clock, {
      task: removeOwnBlobTask,
      requests: blobs.flatMap(({ names }) =>
        names.map(({ kind, name }) => ({ key: name, payload: { kind, name } })),
      ),
    })
    after = last.job_id
  }
}
