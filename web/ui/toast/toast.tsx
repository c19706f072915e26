// A sentence about what was just done, with the way to undo it. Never the only place an error is told.
import { signal } from '@preact/signals'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import './toast.css'

type Toast = { id: number; words: string; undo?: () => void }

const shown = signal<readonly Toast[]>([])
const shown_ms = 6_000
let made = 0

/** Says it for some seconds; `undo` takes it back. */
export function showToast(words: string, { undo }: { undo?: () => void } = {}): void {
  const toast = { id: ++made, words, ...(undo ? { undo } : {}) }
  shown.value = [...shown.value.slice(-2), toast]
  setTimeout(() => end(toast), shown_ms)
}

function end(toast: Toast): void {
  shown.value = shown.value.filter((one) => one !== toast)
}

export function ToastHost() {
  return (
    <div class="toast-place" role="status" aria-live="polite">
      {shown.value.map((toast) => (
        <div class="toast" key={toast.id}>
          <span class="grow">{toast.words}</span>
          {toast.undo ? (
            <Button
              look="quiet"
              onClick={() => {
                end(toast)
                toast.undo?.()
              }}
            >
              {ui.undo}
            </Button>
          ) : null}
        </div>
      ))}
    </div>
  )
}
