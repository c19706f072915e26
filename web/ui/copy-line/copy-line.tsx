// A line to be taken elsewhere: shown whole, copied by one press.
import { useState } from 'preact/hooks'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import './copy-line.css'

export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div class="copy-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys. */}
      <pre class="copy-line-text" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label={ui.copyThing(label)} />
    </div>
  )
}

const told_ms = 2_000

/** Copies a text that stands elsewhere; says for a while that it did. `label` is what is copied, where it is not plain. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await copyText(text)
    setDone(true)
    setTimeout(() => setDone(false), told_ms)
  }
  return (
    <Button aria-label={label} onClick={() => void copy()}>
      {isDone ? ui.copied : ui.copy}
    </Button>
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
