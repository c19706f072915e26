// A word about a thing: its visibility, a label, a filter that can be taken away.
import type { ComponentChildren } from 'preact'
import './chip.css'

export function Chip({
  children,
  tone = 'plain',
}: {
  children: ComponentChildren
  tone?: 'plain' | 'warning' | 'passed' | 'failed'
}) {
  return <span class={`chip chip-${tone}`}>{children}</span>
}
