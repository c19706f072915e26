// A face, or the first letters of a name on a colour made of it.
import './avatar.css'

export function Avatar({
  name,
  url,
  size = 24,
}: {
  name: string
  url?: string | null
  size?: 20 | 24 | 40 | 64
}) {
  if (url && isOwn(url)) {
    return (
      <img
        class={`avatar avatar-${size}`}
        src={url}
        alt=""
        width={size}
        height={size}
        loading="lazy"
      />
    )
  }
  return (
    // Drawn, not written: a button around it is called by its own name alone.
    <span
      class={`avatar avatar-${size} avatar-tone-${toneOf(name)}`}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  )
}

/** Pictures of other hosts would tell them who looks at what. */
function isOwn(url: string): boolean {
  return URL.parse(url, location.href)?.origin === location.origin
}

function initialsOf(name: string): string {
  const [first = '', second = ''] = name.split(/[\s._-]+/).filter(Boolean)
  return ([...first][0] ?? '?').toUpperCase() + ([...second][0] ?? '').toUpperCase()
}

function toneOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return sum % 6
}
