// Stores and deletes uploads of a project: the bytes and the row.

import { Readable } from 'node:stream'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { UploadedFile } from '../../../http/raw-parameters.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { notFound, tooLarge } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import {
  cancelOwnBlobRemoval,
  commitOwnBlob,
  enqueueOwnBlobRemoval,
  receiveOwnBlob,
} from '../../basics/own-blobs/own-blob.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { deleteUpload, insertUpload } from './upload.store.ts'
import { sanitizeUploadName } from './upload-name.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

const mebibyte = 1024 * 1024

/**
 * Stores an uploaded file of a project; `alongside` runs in the transaction that inserts its row. Throws 413 if it
 * is larger than the instance allows. Not within a transaction, since bytes are written.
 */
export async function storeUpload<Made>(
  { db, clock, config }: Uses,
  {
    project_id,
    uploaded_by_id,
    file: { filename, content },
  }: { project_id: number; uploaded_by_id: number; file: UploadedFile },
  alongside: (tx: Db, upload: { id: number; secret: string; file_name: string }) => Promise<Made>,
): Promise<Made> {
  const bytes_max = (await readSettingOrDefault(db, 'max_attachment_size')) * mebibyte
  if (content.length > bytes_max) throw tooLarge()
  const stream = Readable.from([content])
  const received = await receiveOwnBlob({ config }, 'uploads', { stream, bytes_max })
  const blob = await commitOwnBlob({ db, clock }, received)
  const address = { secret: randomHex(32), file_name: sanitizeUploadName(filename) }
  return runTransaction(db, async (tx) => {
    const id = await insertUpload(tx, {
      project_id,
      uploaded_by_id,
      ...address,
      size: content.length,
      blob,
      created_at: timestamp(clock),
    })
    await cancelOwnBlobRemoval(tx, blob)
    return alongside(tx, { id, ...address })
  })
}

/**
 * Deletes an upload with everything that depends on its row, in the caller's transaction. Throws 404 if it was deleted
 * meanwhile.
 */
export async function removeUpload(tx: Db, clock: Clock, id: number): Promise<void> {
  const removed = await deleteUpload(tx, id)
  if (!removed) throw notFound()
  await enqueueOwnBlobRemoval(tx, clock, { kind: 'uploads', name: removed.blob })
}
