// A folder: its entries, and what last changed each, which is asked for second and moves nothing when it comes.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Answer } from '../../api/call.ts'
import { formatDateTime, formatRelativeTime } from '../../text/numbers.ts'
import { repository } from '../../text/repository.ts'
import { useKeyActions } from '../../ui/keys.ts'
import { encodePath } from '../../ui/navigation.ts'
import { appendHtml, escapeHtml, setHtml } from '../html.ts'
import './tree.css'

export type TreeEntry = Answer<'GET /projects/:id/repository/tree'>[number]

/** Rows of a group, which the browser lays out when it comes into sight. */
const group_rows = 50

/** `base` is the project's address, `parent` the folder's above. Entries may grow in number, and gain last commits. */
export function Tree({
  entries,
  base,
  refName,
  parent,
  label,
}: {
  entries: readonly TreeEntry[]
  base: string
  refName: string
  parent: string | undefined
  label: string
}) {
  const list = useRef<HTMLDivElement>(null)
  const drawn = useRef<readonly TreeEntry[]>([])
  useLayoutEffect(() => {
    const { current } = list
    if (!current) return
    const before = drawn.current
    const isMore =
      before.length > 0 && before.every(({ id, path }, at) => isSame(entries[at], { id, path }))
    if (!isMore) setHtml(current, parent === undefined ? '' : upHtml(parent))
    const from = isMore ? before.length : 0
    for (let at = from; at < entries.length; at += group_rows) {
      const rows = entries.slice(at, at + group_rows)
      const html = rows.map((entry) => rowHtml(entry, { base, refName })).join('')
      appendHtml(current, `<div class="tree-group" role="presentation">${html}</div>`)
    }
    drawn.current = entries
  }, [entries, base, refName, parent])
  useEffect(() => {
    if (list.current) tellLastCommits(list.current, entries, base)
  }, [entries])
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.tree-name') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step]?.focus()
  }
  useKeyActions([
    { name: repository.nextEntry, keys: 'j', isListed: false, run: () => move(1) },
    { name: repository.previousEntry, keys: 'k', isListed: false, run: () => move(-1) },
  ])
  // biome-ignore lint/a11y/useSemanticElements: groups of rows stand between a list and its items.
  return <div class="tree" role="list" ref={list} aria-label={label} />
}

const isSame = (one: TreeEntry | undefined, other: { id: string; path: string }) =>
  one?.id === other.id && one.path === other.path

function upHtml(parent: string): string {
  const words = escapeHtml(repository.parentFolder)
  return `<div class="tree-row" role="listitem"><span class="tree-sign tree-sign-up" aria-hidden="true"></span><a class="tree-name" href="${escapeHtml(parent)}" aria-label="${words}">..</a></div>`
}

function rowHtml(
  { name, path, type, mode, id }: TreeEntry,
  { base, refName }: { base: string; refName: string },
): string {
  const kind = type === 'blob' && mode === '120000' ? 'link' : type
  const section = type === 'tree' ? 'tree' : 'blob'
  const href = `${base}/-/${section}/${encodePath(refName)}/${encodePath(path)}`
  const said =
    kind === 'blob' ? '' : `<span class="only-spoken"> ${escapeHtml(repository.kinds[kind])}</span>`
  const at = kind === 'commit' ? ` <span class="tree-at">@ ${id.slice(0, 8)}</span>` : ''
  return `<div class="tree-row" role="listitem"><span class="tree-sign tree-sign-${kind}" aria-hidden="true"></span><a class="tree-name" href="${escapeHtml(href)}">${escapeHtml(name)}${said}</a>${at}<span class="tree-title"></span><span class="tree-time"></span></div>`
}

/** Fills in what each entry was last changed by. */
function tellLastCommits(list: HTMLElement, entries: readonly TreeEntry[], base: string): void {
  const rows = list.querySelectorAll<HTMLElement>('.tree-group > .tree-row')
  const now = new Date()
  entries.forEach(({ last_commit }, at) => {
    const [title, time] = [...(rows[at]?.children ?? [])].slice(-2)
    if (!last_commit || !title || !time || title.firstChild) return
    const link = document.createElement('a')
    link.href = `${base}/-/commit/${last_commit.id}`
    link.textContent = last_commit.title
    link.title = last_commit.title
    title.append(link)
    const date = new Date(last_commit.committed_date)
    time.textContent = formatRelativeTime(date, now)
    time.setAttribute('title', `${last_commit.author_name}, ${formatDateTime(date)}`)
  })
}
