// Uploaded files at the addresses by which texts refer to them.
import type { Actor } from '../../access/actor.ts'
import { createUploadAnswer, findUpload } from '../../features/content/uploads/upload.ts'
import type { Answer } from '../../http/answer.ts'
import type { Instance, RequestFacts } from '../../http/endpoint.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { findProjectIdByFormerPath, findVisibleProject } from '../../subjects/project.ts'
import type { WebPage } from './find-page.ts'

type Asked = { page: Extract<WebPage, { kind: 'upload' }>; actor: Actor; request: RequestFacts }

/** Serves an uploaded file to callers who see the project, which may be named by its path, a former path or its id. */
export async function answerUploadPage(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  { page: { project: name, secret, file_name }, actor, request }: Asked,
): Promise<Answer> {
  const isId = /^\d+$/.test(name)
  const by = isId ? { id: Number(name) } : { path: name }
  const former = async () => {
    const id = isId ? undefined : await findProjectIdByFormerPath(db, name)
    return id === undefined ? undefined : findVisibleProject(db, actor, { id })
  }
  const found = (await findVisibleProject(db, actor, by)) ?? (await former())
  if (!found) throw unknownRoute()
  const upload = await findUpload(db, found.project.id, { secret, file_name })
  if (!upload) throw unknownRoute()
  return createUploadAnswer(config, upload, request)
}
