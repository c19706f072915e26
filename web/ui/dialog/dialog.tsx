// A question that comes over the page, for what cannot be undone or needs words first.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import { TextField } from '../field/field.tsx'
import { RefusalNote } from '../refusal/refusal.tsx'
import { useUniqueId } from '../unique-id.ts'
import './dialog.css'

/** Open while it is rendered. The focus goes to its first field, and back when it closes. */
export function Dialog({
  title,
  onClose,
  isWide,
  children,
}: {
  title: string
  onClose: () => void
  isWide?: boolean
  children: ComponentChildren
}) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useUniqueId()
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    // By default the browser focuses the first control, which is the close button.
    if (!box.current?.querySelector('[autofocus]')) {
      box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    }
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by the browser.
    <dialog
      ref={box}
      class={`dialog ${isWide ? 'dialog-wide' : ''}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === box.current) onClose()
      }}
    >
      <div class="dialog-inside">
        <div class="row row-apart">
          <h2 id={id}>{title}</h2>
          <Button look="quiet" aria-label={ui.close} onClick={onClose}>
            ✕
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

type Question = {
  title: string
  text: ComponentChildren
  action: string
  /** What has to be typed first, for what loses work of others. */
  typed?: string
  run: () => Promise<unknown>
}

const question = signal<Question | undefined>(undefined)

/** Asks before something that cannot be undone; the dialog stays with the reason if it is refused. */
export function confirmBefore(asked: Question): void {
  question.value = asked
}

/** Where `confirmBefore` asks; once, in the frame. */
export function ConfirmDialogHost() {
  const asked = question.value
  if (!asked) return null
  return <Confirm key={asked.title} {...asked} onClose={() => (question.value = undefined)} />
}

function Confirm({ title, text, action, typed, run, onClose }: Question & { onClose: () => void }) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const [given, setGiven] = useState('')
  const go = async () => {
    setBusy(true)
    try {
      await run()
      onClose()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <div>{text}</div>
        {typed === undefined ? null : (
          <TextField
            label={ui.typeToConfirm(typed)}
            value={given}
            autocomplete="off"
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        )}
        {refusal ? <RefusalNote refusal={refusal} /> : null}
        <div class="row">
          <Button
            look="danger"
            isBusy={isBusy}
            blocked={typed !== undefined && given !== typed && ui.typeConfirmationFirst}
            onClick={() => void go()}
          >
            {action}
          </Button>
          <Button onClick={onClose}>{ui.cancel}</Button>
        </div>
      </div>
    </Dialog>
  )
}
