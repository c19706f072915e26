// What two texts differ in, with three lines around each change.
import { useMemo } from 'preact/hooks'
import { lineDiff } from '../../text/line-diff.ts'
import { type DiffLine, diffLines } from './line-diff.ts'
import './line-diff.css'

const around = 3
const lines_max = 2_000
const signs = { same: ' ', added: '+', removed: '-' } as const

export function LineDiff({
  label,
  before,
  after,
}: {
  label: string
  before: string
  after: string
}) {
  const lines = useMemo(() => shorten(diffLines(before, after)), [before, after])
  if (lines.length === 0) return <p class="muted">{lineDiff.noChange}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: its element is one of forms.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <div role="group" class="line-diff" aria-label={label} tabIndex={0}>
      {lines.slice(0, lines_max).map((line, place) =>
        line ? (
          <div key={place} class={`line-diff-line line-diff-${line.kind}`}>
            <span class="line-diff-sign">{signs[line.kind]}</span>
            <span>{line.text}</span>
          </div>
        ) : (
          <div key={place} class="line-diff-gap" aria-hidden="true" />
        ),
      )}
      {lines.length > lines_max ? <p class="muted">{lineDiff.moreLines}</p> : null}
    </div>
  )
}

/** Undefined where lines that are the same were left out. */
function shorten(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  const near = new Set<number>()
  lines.forEach(({ kind }, place) => {
    if (kind === 'same') return
    for (let one = place - around; one <= place + around; one += 1) near.add(one)
  })
  const short: (DiffLine | undefined)[] = []
  lines.forEach((line, place) => {
    if (near.has(place)) short.push(line)
    else if (short.length > 0 && short.at(-1)) short.push(undefined)
  })
  return short.at(-1) ? short : short.slice(0, -1)
}
