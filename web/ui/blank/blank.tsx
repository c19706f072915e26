// A place with nothing in it: what would be here, and the one thing that makes it so.
import type { ComponentChildren } from 'preact'
import './blank.css'

export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="blank">
      <p class="blank-title">{title}</p>
      {children}
    </div>
  )
}

/** Rows of the height of what will come; only ever seen on a first visit. */
export function LoadingRows({ rows = 5 }: { rows?: number }) {
  return (
    <div class="blank-waiting" aria-hidden="true">
      {Array.from({ length: rows }, (_, place) => (
        <div key={place} class="blank-row" />
      ))}
    </div>
  )
}
