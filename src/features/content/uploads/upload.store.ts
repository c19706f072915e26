import type { Insertable, Selectable } from 'kysely'
import type { Db, UploadTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type Upload = Selectable<UploadTable>
export type UploadWithUploader = Upload & {
  uploader_name: string | null
  uploader_username: string | null
}

/** Returns one page of a project's uploads, newest first, each with its author. */
export async function listUploads(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: UploadWithUploader[]; total: number | undefined }> {
  const query = db.selectFrom('uploads').where('uploads.project_id', '=', project_id)
  const rows = await query
    .leftJoin('users', 'users.id', 'uploads.uploaded_by_id')
    .selectAll('uploads')
    .select(['users.name as uploader_name', 'users.username as uploader_username'])
    .orderBy('uploads.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('uploads.id')) }
}

export async function insertUpload(tx: Db, upload: Insertable<UploadTable>): Promise<number> {
  const { id } = await tx
    .insertInto('uploads')
    .values(upload)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes the row; returns undefined if it was deleted meanwhile. */
export function deleteUpload(tx: Db, id: number): Promise<{ blob: string } | undefined> {
  return tx.deleteFrom('uploads').where('id', '=', id).returning('blob').executeTakeFirst()
}

/** Returns blobs of a project's uploads by id, after the upload `after`. */
export function listUploadBlobs(
  tx: Db,
  project_id: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; blob: string }[]> {
  return tx
    .selectFrom('uploads')
    .select(['id', 'blob'])
    .where('project_id', '=', project_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
