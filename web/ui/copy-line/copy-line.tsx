// A line to be taken elsewhere: shown whole, copied by one press.
import { useState } from 'preact/hooks'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import './copy-line.css'

export function CopyLine({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false)
  return (
    <div class="copy-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys. */}
      <pre class="copy-line-text" tabIndex={0}>
        {text}
      </pre>
      <Button
        aria-label={ui.copyThing(label)}
        onClick={() => {
          void copyText(text).then(() => {
            setDone(true)
            setTimeout(() => setDone(false), 2_000)
          })
        }}
      >
        {isDone ? ui.copied : ui.copy}
      </Button>
    </div>
  )
}

/** Copies; by a hidden field where the page is not served by https, which browsers want for the other way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
