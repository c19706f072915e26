// What a press asked for and the server refused, where no form and no dialog has told it: it stands below the heading
// of the page until the next press.
import { effect, signal } from '@preact/signals'
import { Refusal } from '../../api/refusal.ts'
import { currentUrl } from '../navigation.ts'
import { RefusalNote } from '../refusal/refusal.tsx'

const last = signal<Refusal | undefined>(undefined)
const forget = () => {
  last.value = undefined
}

/** Takes every refusal that nobody has caught. Called once, before the first page is shown. */
export function catchUnhandledRefusals(): void {
  addEventListener('unhandledrejection', (event) => {
    if (!(event.reason instanceof Refusal)) return
    event.preventDefault()
    last.value = event.reason
  })
  const isPress = (target: EventTarget | null) =>
    target instanceof Element && target.closest('a, button') !== null
  addEventListener('click', ({ target }) => isPress(target) && forget(), { capture: true })
  effect(() => {
    if (currentUrl.value) forget()
  })
}

export function UnhandledRefusalNote() {
  const refusal = last.value
  if (!refusal) return null
  return (
    <div ref={(note) => note?.scrollIntoView({ block: 'nearest' })}>
      <RefusalNote refusal={refusal} />
    </div>
  )
}
