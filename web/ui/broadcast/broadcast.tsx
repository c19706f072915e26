// A message of the administrators: a band in its colours, or plain if it is a notification.
import type { ComponentChildren } from 'preact'
import { broadcastPlace } from '../../text/admin-places.ts'
import './broadcast.css'

export type BroadcastLook = {
  message: string
  color: string | null
  font: string | null
  broadcast_type: string
}

export function BroadcastBand({
  message: { message, color, font, broadcast_type },
  children,
}: {
  message: BroadcastLook
  /** What can be done with it. */
  children?: ComponentChildren
}) {
  const isBanner = broadcast_type === 'banner' && color !== null
  const style = isBanner ? { background: color, color: legibleTextColour(color, font) } : undefined
  return (
    <div class={`broadcast ${isBanner ? 'broadcast-banner' : ''}`} style={style}>
      <p class="broadcast-text">{withLinks(message)}</p>
      {children}
    </div>
  )
}

/** Dismisses a message permanently. */
export function DismissButton({ message, onClick }: { message: string; onClick: () => void }) {
  return (
    <button type="button" class="broadcast-close" onClick={onClick}>
      <span aria-hidden="true">✕</span>
      <span class="only-spoken">{broadcastPlace.dismiss(message.slice(0, 60))}</span>
    </button>
  )
}

/** Addresses in the text are links; nothing else in it is markup. */
function withLinks(text: string): ComponentChildren[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, at) => (at % 2 === 1 ? <a href={part}>{part}</a> : part))
}

const contrast_min = 4.5

/** The colour of the letters, unless they could not be read on the ground: then black or white. */
export function legibleTextColour(ground: string, letters: string | null): string {
  if (letters !== null && contrast(ground, letters) >= contrast_min) return letters
  return contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? '#ffffff' : '#000000'
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const hex = color.slice(1)
  const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(whole.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
