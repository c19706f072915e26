// The path of a file or folder, each part a link.
import { code } from '../../text/code.ts'
import { codeUrl } from '../place.ts'
import './crumbs.css'

export function Crumbs({
  base,
  gitRef,
  path,
  section = 'tree',
}: {
  base: string
  gitRef: string
  path: string
  section?: string
}) {
  const parts = path === '' ? [] : path.split('/')
  const project = decodeURIComponent(base.split('/').at(-1) ?? '')
  return (
    <nav class="crumbs" aria-label={code.pathLabel}>
      <a href={codeUrl(base, section === 'commits' ? 'commits' : 'tree', gitRef)}>{project}</a>
      {parts.map((part, at) => {
        const isLast = at === parts.length - 1
        const url = codeUrl(base, section, gitRef, parts.slice(0, at + 1).join('/'))
        return (
          <span key={url}>
            <span class="muted"> / </span>
            {isLast ? <strong>{part}</strong> : <a href={url}>{part}</a>}
          </span>
        )
      })}
    </nav>
  )
}
