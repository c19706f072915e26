// Who owns a file, as CODEOWNERS of its commit says.
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import type { PlaceLocation } from '../../../ui/page-module.ts'

/** Nothing for visitors, on the free tier, and of files without owners. */
export function FileOwners({ place }: Pick<PlaceLocation, 'place'>) {
  const { id, path, commit } = place
  const isAsked = user.value && user.value.tier !== 'free' && path && commit
  const { data } = useApi(
    'GET /projects/:id/repository/files/:file_path/code_owners',
    isAsked ? { id, file_path: path, ref: commit } : undefined,
  )
  // Several sections may name the same ones; two people may have the same name.
  const owners = new Map<string, { name: string; href?: string }>()
  for (const { users, groups, roles } of data ?? []) {
    for (const { name, username } of users) {
      owners.set(username, { name, href: `/${username}` })
    }
    for (const { name, full_path } of groups) {
      owners.set(full_path, { name, href: `/${full_path}` })
    }
    for (const role of roles)
      owners.set(`@@${role}`, { name: repositoryPagesText.ownersByRole[role] })
  }
  if (owners.size === 0) return null
  return (
    <span class="file-frame-owners">
      {repositoryPagesText.codeOwners}{' '}
      {[...owners].map(([key, { name, href }], at) => (
        <span key={key}>
          {at > 0 ? ', ' : ''}
          {href ? <a href={href}>{name}</a> : name}
        </span>
      ))}
    </span>
  )
}
