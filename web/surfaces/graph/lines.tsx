// Lines between elements that stand side by side, drawn behind them: from the end of one to the beginning of another.
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import './lines.css'

/** Ids of elements inside the box. */
export type Line = { from: string; to: string }

/** Nothing where one element is not beside the other, as on a phone. */
export function Lines({
  box,
  lines,
}: {
  box: RefObject<HTMLElement | null>
  lines: readonly Line[]
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
    <svg class="lines" aria-hidden="true">
      {paths.map(({ key, d }) => (
        <path key={key} d={d} />
      ))}
    </svg>
  )
}

function pathsOf(box: HTMLElement, lines: readonly Line[]) {
  const around = box.getBoundingClientRect()
  const left = around.left - box.scrollLeft
  return lines.flatMap((line) => {
    const [from, to] = [line.from, line.to].map((id) =>
      document.getElementById(id)?.getBoundingClientRect(),
    )
    if (!from || !to || from.right > to.left) return []
    const [x1, y1] = [from.right - left, middle(from) - around.top]
    const [x2, y2] = [to.left - left, middle(to) - around.top]
    // The bend is before the last column, so that lines over several columns stay between cards as long as they can.
    const bend = x2 - 8
    const d = `M${x1} ${y1}H${bend - 8}C${bend} ${y1} ${bend - 8} ${y2} ${x2} ${y2}`
    return [{ key: `${line.from} ${line.to}`, d }]
  })
}

function middle({ top, height }: DOMRect): number {
  return Math.round(top + height / 2)
}
