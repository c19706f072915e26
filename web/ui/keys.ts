// Keys, and the actions of a page that have them: each has a name, for the palette and the list of keys.
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** `keys` as written for people: `t`, `Shift C`, `g p`. An action without keys is in the palette alone. */
export type KeyAction = {
  name: string
  keys?: string
  /** Whether it stands in the palette; so unless said. */
  isListed?: boolean
  /** Where it leads, for what is no more than a link. */
  href?: string
  run: () => void
}

const shown = signal<readonly (readonly KeyAction[])[]>([])
/** Single keys can be switched off (WCAG 2.2, 2.1.4). */
export const areSingleKeysEnabled = signal(localStorage.getItem('single_keys') !== 'off')
const sequence_ms = 1_200
let before = ''
let before_ms = 0

/** Offers actions while the component is on the page; the innermost is asked first. */
export function useKeyActions(actions: readonly KeyAction[]): void {
  // Before the paint: whoever sees the page may press its keys.
  useLayoutEffect(() => {
    shown.value = [...shown.value, actions]
    return () => {
      shown.value = shown.value.filter((one) => one !== actions)
    }
  })
}

/** All that can be done now, the innermost first. */
export function listKeyActions(): KeyAction[] {
  return [...shown.value].reverse().flat()
}

const spelled: Record<string, string> = { Escape: 'Esc', ' ': 'Space' }

/** Runs what the keys mean, unless somebody writes, or the event is another's. */
export function runActionOfKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const [target] = event.composedPath()
  if (isWriting(target)) return
  if (document.querySelector('dialog[open]')) return
  const key = nameOf(event)
  if (!areSingleKeysEnabled.value && key.length === 1) return
  const now_ms = performance.now()
  const pair = now_ms - before_ms < sequence_ms ? `${before} ${key}` : key
  const actions = listKeyActions()
  const action =
    actions.find(({ keys }) => keys === pair) ?? actions.find(({ keys }) => keys === key)
  before = action ? '' : key
  before_ms = now_ms
  if (!action) return
  event.preventDefault()
  action.run()
}

function nameOf({ key, shiftKey }: KeyboardEvent): string {
  if (key.length > 1) return spelled[key] ?? key
  return shiftKey && /[A-Z]/i.test(key) ? `Shift ${key.toUpperCase()}` : (spelled[key] ?? key)
}

function isWriting(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox],[type=radio]), textarea, select')
  )
}
