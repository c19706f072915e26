// The bar of a page: what state it is in, why, and the one action that moves it on.
import type { ComponentChildren } from 'preact'
import './state-bar.css'

export function StateBar({
  state,
  children,
  actions,
}: {
  state: ComponentChildren
  children?: ComponentChildren
  actions?: ComponentChildren
}) {
  return (
    <section class="state-bar">
      <div class="state-bar-state">{state}</div>
      <div class="state-bar-why">{children}</div>
      {actions ? <div class="state-bar-actions row">{actions}</div> : null}
    </section>
  )
}
