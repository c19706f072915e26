// Lines between elements that stand side by side, drawn behind them: from the end of one to the beginning of another.
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import './connecting-lines.css'

/** Ids of elements inside the box. */
export type ConnectingLine = { from: string; to: string }

/** Nothing where one element is not beside the other, as on a phone. */
export function ConnectingLines({
  box,
  lines,
}: {
  box: RefObject<HTMLElement | null>
  lines: readonly ConnectingLine[]
}) {
  const [paths, setPaths] = useState<readonly { key: string; d: string }[]>([])
  const wanted = lines.map(({ from, to }) => `${from} ${to}`).join(',')
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const draw = () => setPaths(pathsOf(element, lines))
    draw()
    const watch = new ResizeObserver(draw)
    watch.observe(element)
    return () => watch.disconnect()
  }, [wanted])
  if (paths.length === 0) return null
  return (
    <svg class="connecting-lines" aria-hidden="true">
      {paths.map(({ key, d }) => (
        <path key={key} d={d} />
      ))}
    </svg>
  )
}

function pathsOf(box: HTMLElement, lines: readonly ConnectingLine[]) {
  const around = box.getBoundingClientRect()
  const left = around.left - box.scrollLeft
  return lines.flatMap((line) => {
    const [from, to] = [line.from, line.to].map((id) =>
      document.getElementById(id)?.getBoundingClientRect(),
    )
    const d = from && to && pathOf(shift(from, left, around.top), shift(to, left, around.top))
    return d ? [{ key: `${line.from} ${line.to}`, d }] : []
  })
}

type Place = { left: number; right: number; top: number; bottom: number; middle: number }

function shift({ left, right, top, bottom }: DOMRect, x: number, y: number): Place {
  const middle = Math.round((top + bottom) / 2) - y
  return { left: left - x, right: right - x, top: top - y, bottom: bottom - y, middle }
}

/** How far a line goes out before it turns, and how far from a row it passes. */
const turn = 12
const row = 4

function pathOf(from: Place, to: Place): string | undefined {
  if (from.left === to.left) {
    // One above the other, joined at their left where there is room.
    const side = from.left - turn
    if (side < 0) return undefined
    return `M${from.left} ${from.middle}C${side} ${from.middle} ${side} ${from.middle} ${side} ${(from.middle + to.middle) / 2}S${side} ${to.middle} ${to.left} ${to.middle}`
  }
  if (from.right > to.left) return undefined
  const [x1, y1, x2, y2] = [from.right, from.middle, to.left, to.middle]
  const middle = (x1 + x2) / 2
  const isNext = x2 - x1 < to.right - to.left
  if (isNext) return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
  // Between the rows of the columns that lie between: a line behind their elements would seem to lead to them.
  const lane = y2 < y1 ? from.top - row : from.bottom + row
  const [out, back] = [x1 + 2 * turn, x2 - 2 * turn]
  return `M${x1} ${y1}C${x1 + turn} ${y1} ${x1 + turn} ${lane} ${out} ${lane}H${back}C${x2 - turn} ${lane} ${x2 - turn} ${y2} ${x2} ${y2}`
}
