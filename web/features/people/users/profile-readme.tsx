// The README of the project that has the name of its owner, where there is one the reader may see.
import type { Answer } from '../../../api/call.ts'
import { read, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { addressOf } from '../../../ui/project-address.ts'

type Found = { id: number; file_path: string; ref: string; href: string; name: string }

const projectOf = (username: string) => ({ id: `${username}/${username}` })

/** Where the README of a project is; undefined where the reader sees none. */
function findReadme(project: Answer<'GET /projects/:id'> | undefined): Found | undefined {
  const { id, path_with_namespace, default_branch: ref, readme_url } = project ?? {}
  if (!id || !path_with_namespace || !ref || !readme_url) return undefined
  const [, file_path] = readme_url.split(`/-/blob/${ref}/`)
  if (!file_path) return undefined
  const href = addressOf(`/${encodePath(path_with_namespace)}`, 'blob', ref, file_path)
  return { id, file_path, ref, href, name: `${path_with_namespace} / ${file_path}` }
}

const renderedRoute = 'GET /projects/:id/repository/files/:file_path/rendered'
const renderedInput = ({ id, file_path, ref }: Found) => ({ id, file_path, ref })

/** Has the README at hand before the page is shown; most users have none. */
export async function prepareReadme(username: string): Promise<void> {
  const found = findReadme(await read('GET /projects/:id', projectOf(username)))
  if (found) await read(renderedRoute, renderedInput(found))
}

export function ProfileReadme({ username }: { username: string }) {
  const { data: project } = useApi('GET /projects/:id', projectOf(username))
  const found = findReadme(project)
  const { data } = useApi(renderedRoute, found && renderedInput(found))
  if (!found || !data) return null
  return (
    <section class="user-readme" aria-labelledby="readme">
      <h2 id="readme">
        <a href={found.href}>{found.name}</a>
      </h2>
      <Prose html={data.html} linksIn={found.id} />
    </section>
  )
}
