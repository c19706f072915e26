// The entries of a folder. What last changed each comes a moment later, into the room that waits for it.
import { useApi } from '../../api/use-api.ts'
import { code } from '../../text/code.ts'
import { List } from '../list/list.tsx'
import type { Place } from '../page-module.ts'
import { baseOf, codeUrl, parentPath } from '../place.ts'
import { Time } from '../time/time.tsx'
import './tree.css'

const signs = { tree: '▸', blob: '·', commit: '⎇' } as const

/** The reads a page of the tree begins with. */
export function treeInput(place: Place, page: number) {
  const { id, commit, path } = place
  return { id, ref: commit ?? '', path: path ?? '', per_page: 100, page }
}

export function Tree({ place, page = 1 }: { place: Place; page?: number }) {
  const input = treeInput(place, page)
  const { data: entries } = useApi('GET /projects/:id/repository/tree', input)
  const { data: dated } = useApi('GET /projects/:id/repository/tree', {
    ...input,
    with_last_commit: true,
  })
  const base = baseOf(place)
  const ref = place.ref ?? ''
  const last = new Map(dated?.map(({ path, last_commit }) => [path, last_commit]))
  return (
    <div class="tree">
      <List label={code.folder}>
        {place.path ? (
          <li class="tree-row">
            <span class="tree-sign" aria-hidden="true" />
            <a href={codeUrl(base, 'tree', ref, parentPath(place.path))} aria-label={code.up}>
              {code.upSign}
            </a>
          </li>
        ) : null}
        {entries?.map(({ path, name, type }) => {
          const commit = last.get(path)
          return (
            <li class="tree-row" key={path}>
              <span class="tree-sign" aria-hidden="true">
                {signs[type]}
              </span>
              <a
                data-main
                class={`tree-name one-line ${type === 'tree' ? 'tree-folder' : ''}`}
                href={type === 'commit' ? undefined : codeUrl(base, type, ref, path)}
                title={type === 'commit' ? code.submodule : undefined}
              >
                {name}
                {type === 'tree' ? '/' : ''}
              </a>
              <span class="tree-commit one-line">
                {commit ? <a href={`${base}/-/commit/${commit.id}`}>{commit.title}</a> : null}
              </span>
              <span class="tree-when muted">
                {commit ? <Time at={commit.committed_date} /> : null}
              </span>
            </li>
          )
        })}
      </List>
    </div>
  )
}
