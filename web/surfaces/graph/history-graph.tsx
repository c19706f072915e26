// Beside a list of commits, how they descend from one another. Nothing where they do so one by one.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type HistoryEdge, layOutHistory } from './history-lanes.ts'
import './history-graph.css'

const lane_px = 12
/** Further lanes are drawn upon the last. */
const lanes_max = 8
const bend_px = 24

const left = (lane: number) => 8 + Math.min(lane, lanes_max - 1) * lane_px

/** `children` are the rows of the commits, in their order; `row` finds them. */
export function HistoryGraph({
  commits,
  row,
  children,
}: {
  commits: readonly { id: string; parent_ids: readonly string[] }[]
  row: string
  children: ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const { at, edges } = useMemo(() => layOutHistory(commits), [commits])
  const [tops, setTops] = useState<readonly number[]>([])
  const lanes = 1 + Math.max(0, ...at, ...edges.map(({ via }) => via))
  const isDrawn = lanes > 1
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !isDrawn) return
    const measure = () => setTops(middlesOf(element, row))
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [commits, isDrawn])
  const bottom = box.current?.clientHeight ?? 0
  return (
    <div
      ref={box}
      class={isDrawn ? 'stack history-graph' : 'stack'}
      style={{ '--history-graph': `${left(lanes)}px` }}
    >
      {isDrawn && tops.length === at.length ? (
        <svg class="history-graph-lines" aria-hidden="true">
          {edges.map((edge, place) => (
            <path key={place} d={pathOf(edge, tops, bottom)} />
          ))}
          {at.map((lane, place) => (
            <circle key={place} cx={left(lane)} cy={tops[place]} r={4} />
          ))}
        </svg>
      ) : null}
      {children}
    </div>
  )
}

function middlesOf(box: HTMLElement, row: string): number[] {
  const top = box.getBoundingClientRect().top
  return [...box.querySelectorAll(row)].map((element) => {
    const { top: own, height } = element.getBoundingClientRect()
    return Math.round(own - top + height / 2)
  })
}

function pathOf({ from, to, at, via, into }: HistoryEdge, tops: readonly number[], bottom: number) {
  const [x1, x2, x3] = [left(at), left(via), left(into)]
  const y1 = tops[from] ?? 0
  const y2 = to === undefined ? bottom : (tops[to] ?? bottom)
  const leaves = x1 === x2 ? '' : `C${x1} ${y1 + bend_px} ${x2} ${y1} ${x2} ${y1 + bend_px}`
  const joins = x2 === x3 ? '' : `V${y2 - bend_px}C${x2} ${y2} ${x3} ${y2 - bend_px} ${x3} ${y2}`
  return `M${x1} ${y1}${leaves}${joins || `V${y2}`}`
}
