// A label: its name, and a dot in its colour, so that the name is as easy to read whatever colour somebody chose.
import './label.css'

export function Label({ name, color, href }: { name: string; color?: string; href?: string }) {
  const style = { '--label-colour': color ?? '' }
  return href === undefined ? (
    <span class="label" style={style}>
      <span class="one-line">{name}</span>
    </span>
  ) : (
    <a class="label" style={style} href={href}>
      <span class="one-line">{name}</span>
    </a>
  )
}
