import type { Db } from '../../../db/db.ts'
import { enqueueAll } from '../../../tasks/task.ts'
import { removeOwnBlobTask } from '../../basics/own-blobs/own-blob.ts'
import { listUploadBlobs } from './upload.store.ts'

const blobs_a_statement = 500

/** Enqueues the deletion of the files of a project's uploads, in the transaction that deletes their rows. */
export async function enqueueUploadBlobRemoval({
  tx,
  project_id,
  now,
}: {
  tx: Db
  project_id: number
  now: string
}): Promise<void> {
  for (let after = 0; ; ) {
    const limit = blobs_a_statement
    const rows = await listUploadBlobs(tx, project_id, { after, limit })
    const last = rows.at(-1)
    if (!last) return
    await enqueueAll(tx, () => new Date(now), {
      task: removeOwnBlobTask,
      requests: rows.map(({ blob }) => ({
        key: blob,
        payload: { kind: 'uploads' as const, name: blob },
      })),
    })
    after = last.id
  }
}
