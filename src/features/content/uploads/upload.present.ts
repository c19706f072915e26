import { type Static, Type } from 'typebox'
import { namedObject, nullable } from '../../../http/schema.ts'
import type { Project } from '../../../subjects/project.ts'
import type { UploadWithUploader } from './upload.store.ts'
import { markdownOfUpload } from './upload-name.ts'

export const NewUploadJson = namedObject('NewUpload', {
  alt: Type.String(),
  url: Type.String(),
  full_path: Type.String(),
  markdown: Type.String(),
})

/** Returns the URLs of a new upload, and the Markdown that clients insert into texts. */
export function presentNewUpload(
  project: Project,
  { secret, file_name }: { secret: string; file_name: string },
): Static<typeof NewUploadJson> {
  const url = `/uploads/${secret}/${file_name}`
  const { alt, markdown } = markdownOfUpload(file_name, url)
  return { alt, url, full_path: `/${project.full_path}${url}`, markdown }
}

export const UploadJson = namedObject('Upload', {
  id: Type.Integer(),
  size: Type.Integer(),
  filename: Type.String(),
  created_at: Type.String(),
  uploaded_by: nullable(
    Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String() }),
  ),
})

export function presentUpload(upload: UploadWithUploader): Static<typeof UploadJson> {
  const { id, size, file_name, created_at, uploaded_by_id } = upload
  const { uploader_name: name, uploader_username: username } = upload
  return {
    id,
    size: Number(size),
    filename: file_name,
    created_at,
    uploaded_by:
      uploaded_by_id === null || name === null || username === null
        ? null
        : { id: uploaded_by_id, name, username },
  }
}
