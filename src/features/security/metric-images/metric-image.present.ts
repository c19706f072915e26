import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { Project } from '../../../subjects/project.ts'
import type { MetricImage } from './metric-image.store.ts'

export const MetricImageJson = namedObject('MetricImage', {
  id: Type.Integer(),
  created_at: Type.String(),
  filename: Type.String(),
  file_path: Type.String(),
  url: nullableText,
  url_text: nullableText,
})

/** Presents an image. The URL of the file is below the project's, like that of every upload. */
export function presentMetricImage(
  { id, created_at, file_name, secret, url, url_text }: MetricImage,
  { full_path }: Pick<Project, 'full_path'>,
): Static<typeof MetricImageJson> {
  const file_path = `/${full_path}/uploads/${secret}/${file_name}`
  return { id, created_at, filename: file_name, file_path, url, url_text }
}
