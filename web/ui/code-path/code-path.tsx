// Where in the files one is: each folder above is a link.
import { repository } from '../../text/repository.ts'
import { repositoryPageUrl } from '../project-address.ts'
import './code-path.css'

/** `name` is the project's own, which stands for its top folder. */
export function CodePath({
  base,
  name,
  refName,
  path,
}: {
  base: string
  name: string
  refName: string
  path: string
}) {
  const parts = path.split('/')
  return (
    <nav class="code-path" aria-label={repository.path}>
      <a href={repositoryPageUrl(base, 'tree', refName)}>{name}</a>
      {parts.map((part, at) => {
        const isLast = at === parts.length - 1
        const above = parts.slice(0, at + 1).join('/')
        return (
          <span key={above}>
            <span class="code-path-slash" aria-hidden="true">
              /
            </span>
            {isLast ? (
              <strong aria-current="page">{part}</strong>
            ) : (
              <a href={repositoryPageUrl(base, 'tree', refName, above)}>{part}</a>
            )}
          </span>
        )
      })}
    </nav>
  )
}
