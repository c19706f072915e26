// A button that opens a menu (ARIA authoring practices, "Menu Button"); the layer is the browser's.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useUniqueId } from '../unique-id.ts'
import './menu.css'

export type MenuEntry = { words: string; href?: string; run?: () => void; isDanger?: boolean }

export function Menu({
  label,
  items,
  children,
  look = 'plain',
}: {
  label: string
  items: readonly (MenuEntry | false | undefined)[]
  children: ComponentChildren
  look?: 'plain' | 'quiet'
}) {
  const id = useUniqueId()
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => box.current?.hidePopover()
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`button button-${look} menu-opener`}
        style={{ anchorName: `--menu-${id}` }}
        popovertarget={id}
        aria-haspopup="menu"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          box.current?.showPopover()
        }}
      >
        {children}
      </button>
      <div
        ref={box}
        id={id}
        class="menu"
        role="menu"
        popover="auto"
        aria-label={label}
        style={{ positionAnchor: `--menu-${id}` }}
        onToggle={(event) => {
          if (event.newState === 'open') itemsOf(box.current)[0]?.focus()
        }}
        onKeyDown={(event) => moveIn(box.current, event, close)}
      >
        {items.map((item) =>
          item ? <MenuItem key={item.words} item={item} onDone={close} /> : null,
        )}
      </div>
    </>
  )
}

function MenuItem({ item, onDone }: { item: MenuEntry; onDone: () => void }) {
  const { words, href, run, isDanger } = item
  const look = `menu-item ${isDanger ? 'menu-danger' : ''}`
  if (href !== undefined)
    return (
      <a role="menuitem" tabIndex={-1} class={look} href={href} onClick={onDone}>
        {words}
      </a>
    )
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={look}
      onClick={() => {
        onDone()
        run?.()
      }}
    >
      {words}
    </button>
  )
}

function itemsOf(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
}

function moveIn(box: HTMLElement | null, event: KeyboardEvent, close: () => void): void {
  const items = itemsOf(box)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  if (event.key === 'Tab') {
    close()
    return
  }
  const letter = event.key.length === 1 ? event.key.toLowerCase() : ''
  const byLetter =
    letter && items.find((item) => item.textContent?.toLowerCase().startsWith(letter))
  const next = byLetter || items[to[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus()
}
