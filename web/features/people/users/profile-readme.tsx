// The README of the project that has the name of its owner, where there is one the reader may see.
import { readCached, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { repositoryPageUrl } from '../../../ui/project-address.ts'

const listRoute = 'GET /users/:user_id/projects'

/** Lists the user's projects whose names are most similar to the username. */
const listInput = (username: string) =>
  ({ user_id: username, search: username, order_by: 'similarity', per_page: 5 }) as const

type Listed = {
  id: number
  path: string
  path_with_namespace: string
  default_branch?: string | null
  readme_url?: string | null
}
type Found = { id: number; file_path: string; ref: string; href: string; name: string }

/** Returns the location of the README; undefined if there is none that the reader can see. */
function findReadme(projects: readonly object[], username: string): Found | undefined {
  const project = (projects as readonly Listed[]).find(
    ({ path }) => path.toLowerCase() === username.toLowerCase(),
  )
  const { id, path_with_namespace, default_branch: ref, readme_url } = project ?? {}
  if (!id || !path_with_namespace || !ref || !readme_url) return undefined
  const [, file_path] = readme_url.split(`/-/blob/${ref}/`)
  if (!file_path) return undefined
  const href = repositoryPageUrl(`/${encodePath(path_with_namespace)}`, 'blob', ref, file_path)
  return { id, file_path, ref, href, name: `${path_with_namespace} / ${file_path}` }
}

const renderedRoute = 'GET /projects/:id/repository/files/:file_path/rendered'
const renderedInput = ({ id, file_path, ref }: Found) => ({ id, file_path, ref })

/** Has the README at hand before the page is shown; most users have none. */
export async function prefetchReadme(username: string): Promise<void> {
  const found = findReadme(await readCached(listRoute, listInput(username)), username)
  if (found) await readCached(renderedRoute, renderedInput(found))
}

export function ProfileReadme({ username }: { username: string }) {
  const { data: projects } = useApi(listRoute, listInput(username))
  const found = projects && findReadme(projects, username)
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
