// A rendered text whose boxes of tasks can be ticked: each is told by the line it is on in the source.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Prose } from './prose.tsx'

const task = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)[ xX](\].*)$/

/** The text with the box on a line (from 1) ticked or not; undefined where there is none. */
export function withTaskTicked(text: string, line: number, isTicked: boolean): string | undefined {
  const lines = text.split('\n')
  const [, before, after] = task.exec(lines[line - 1] ?? '') ?? []
  if (before === undefined || after === undefined) return undefined
  lines[line - 1] = `${before}${isTicked ? 'x' : ' '}${after}`
  return lines.join('\n')
}

/** `onTick` is undefined for those who may not change the text. */
export function ProseWithTasks({
  html,
  onTick,
}: {
  html: string
  onTick: ((line: number, isTicked: boolean) => unknown) | undefined
}) {
  const box = useRef<HTMLDivElement>(null)
  const mayTick = onTick !== undefined
  useLayoutEffect(() => {
    if (!mayTick) return
    for (const one of box.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])
      one.disabled = lineOf(one) === undefined
  }, [html, mayTick])
  return (
    <div
      ref={box}
      onChange={({ target }) => {
        if (!(target instanceof HTMLInputElement)) return
        const line = lineOf(target)
        if (line !== undefined) void onTick?.(line, target.checked)
      }}
    >
      <Prose html={html} />
    </div>
  )
}

function lineOf(box: Element): number | undefined {
  const position = box.closest('li')?.dataset.sourcepos
  const line = Number.parseInt(position ?? '', 10)
  return Number.isNaN(line) ? undefined : line
}
