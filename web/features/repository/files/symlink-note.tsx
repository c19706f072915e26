import { useApi } from '../../../api/use-api.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'

/** Where a symbolic link leads. A file of one short line may be one: its folder says so. */
export function SymlinkNote({ at: { place }, target }: { at: PlaceLocation; target: string }) {
  const path = place.path ?? ''
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const { data } = useApi('GET /projects/:id/repository/tree', {
    id: place.id,
    ref: place.commit ?? '',
    per_page: 100,
    ...(folder === '' ? {} : { path: folder }),
  })
  if (data?.find((entry) => entry.path === path)?.mode !== '120000') return null
  const resolved = resolvePath(folder, target)
  return (
    <p class="file-frame-note">
      {repositoryPagesText.linkTo}{' '}
      {resolved === undefined ? (
        <code>{target}</code>
      ) : (
        <a href={repositoryPageUrl(placeBasePath(place), 'blob', place.ref ?? '', resolved)}>
          {target}
        </a>
      )}
    </p>
  )
}

/** Undefined for what is outside of the repository. */
function resolvePath(folder: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of target.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
