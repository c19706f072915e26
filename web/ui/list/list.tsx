// Rows, walked by `j` and `k`; Enter opens the link of the chosen one.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { ui } from '../../text/ui.ts'
import { useKeyActions } from '../keys.ts'
import './list.css'

export function List({ label, children }: { label: string; children: ComponentChildren }) {
  const list = useRef<HTMLUListElement>(null)
  const move = (step: 1 | -1) => {
    const rows = [...(list.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const next = at < 0 ? rows[step > 0 ? 0 : rows.length - 1] : rows[at + step]
    const link =
      next?.querySelector<HTMLElement>('a[data-main]') ??
      next?.querySelector<HTMLElement>('a, button')
    link?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  useKeyActions([
    { name: ui.nextRow, keys: 'j', isListed: false, run: () => move(1) },
    { name: ui.previousRow, keys: 'k', isListed: false, run: () => move(-1) },
  ])
  return (
    <ul class="list" ref={list} aria-label={label}>
      {children}
    </ul>
  )
}

/** `children` is the main of it, `aside` what stands at its end. */
export function ListRow({
  children,
  aside,
}: {
  children: ComponentChildren
  aside?: ComponentChildren
}) {
  return (
    <li class="list-row">
      <div class="list-main">{children}</div>
      {aside ? <div class="list-aside">{aside}</div> : null}
    </li>
  )
}
