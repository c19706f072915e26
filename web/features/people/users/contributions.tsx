// What a user did on each day of a year, as a grid by weeks and as a table of the same figures.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApi } from '../../../api/use-api.ts'
import { activity as words } from '../../../text/activity.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'
import { Section } from '../../../ui/page/page.tsx'
import './contributions.css'

const day_ms = 86_400_000

/** The server counts days in UTC. */
const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * day_ms).toISOString().slice(0, 10)

/** Monday is the first day of a week. */
const weekday = (date: string) => (new Date(date).getUTCDay() + 6) % 7

export const isDateText = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Returns the filter of the event list for one day. Both ends are exclusive. */
export const dayFilterInput = (date: string) => ({
  after: addDays(date, -1),
  before: addDays(date, 1),
})

/** A day with more contributions than one of these numbers gets the next shade. */
const shades = [0, 3, 9, 19]
const shadeOf = (count: number) => shades.filter((most) => count > most).length

/** `href` is where a day leads to, `chosen` the day that is looked at. */
export function Contributions({
  id,
  chosen,
  href,
}: {
  id: number
  chosen: string | undefined
  href: (date: string) => string
}) {
  const { data } = useApi('GET /users/:user_id/calendar', { user_id: String(id) })
  const counts = new Map(data?.days.map(({ date, count }) => [date, count]))
  // The first week is complete, and so is the year.
  const first = data && addDays(data.to, -364 - weekday(addDays(data.to, -364)))
  const begin = data && first && (data.from > first ? data.from : first)
  const days: string[] = []
  if (data && first)
    for (let date = first; date <= data.to; date = addDays(date, 1)) days.push(date)
  const active = days.filter((date) => begin && date >= begin && counts.has(date))
  const total = active.reduce((sum, date) => sum + (counts.get(date) ?? 0), 0)
  return (
    <Section title={words.title} lead={leadOf(begin, begin === first, total)}>
      <Grid
        days={days}
        begin={begin ?? ''}
        focused={chosen && days.includes(chosen) ? chosen : days.at(-1)}
        chosen={chosen}
        countOf={(date) => counts.get(date) ?? 0}
        href={href}
      />
      {active.length > 0 ? (
        <details>
          <summary>{words.asTable}</summary>
          <table class="contributions-table">
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                <th scope="col">{words.number}</th>
              </tr>
            </thead>
            <tbody>
              {active.toReversed().map((date) => (
                <tr key={date}>
                  <th scope="row">
                    <a href={href(date)}>{formatDay(localMidnight(date))}</a>
                  </th>
                  <td>{words.count(counts.get(date) ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ) : null}
    </Section>
  )
}

function leadOf(begin: string | undefined, isWhole: boolean, total: number): string {
  if (!begin) return words.counting
  return isWhole ? words.inYear(total) : words.since(total, formatDay(localMidnight(begin)))
}

/** The number of days by which each key moves. The days of a week are below each other. */
const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: -7,
  ArrowRight: 7,
}

/** The grid is a single tab stop; the arrow keys move between days. */
function Grid({
  days,
  begin,
  focused,
  chosen,
  countOf,
  href,
}: {
  days: readonly string[]
  begin: string
  focused: string | undefined
  chosen: string | undefined
  countOf: (date: string) => number
  href: (date: string) => string
}) {
  const grid = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(focused)
  useEffect(() => setStop(focused), [focused])
  // On phones the grid is scrolled to the latest weeks.
  useLayoutEffect(() => {
    if (grid.current) grid.current.scrollLeft = grid.current.scrollWidth
  }, [days.length])
  const move = (event: KeyboardEvent) => {
    const links = [...(grid.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const ends: Readonly<Record<string, number>> = { Home: 0, End: links.length - 1 }
    const to = ends[event.key] ?? at + (steps[event.key] ?? 0)
    const next = links[to]
    if (at < 0 || to === at || !next) return
    event.preventDefault()
    next.focus()
    setStop(next.dataset.date)
  }
  const cells: ComponentChildren[] = words.weekdays.map((word, at) => (
    <span key={at} class="contributions-word" aria-hidden="true">
      {word}
    </span>
  ))
  cells.unshift(<span key="corner" />)
  for (const [at, date] of days.entries()) {
    if (at % 7 === 0) {
      const begins = days.slice(at, at + 7).find((one) => one.endsWith('-01'))
      cells.push(
        <span key={`month ${date}`} class="contributions-word" aria-hidden="true">
          {begins ? words.month(localMidnight(begins)) : ''}
        </span>,
      )
    }
    const count = countOf(date)
    const label = words.onDay(count, formatDay(localMidnight(date)))
    cells.push(
      date < begin ? (
        <span key={date} />
      ) : (
        // biome-ignore lint/a11y/useAnchorContent: a square has a name, and no words.
        <a
          key={date}
          class={`contributions-day contributions-${shadeOf(count)}`}
          href={href(date)}
          title={label}
          aria-label={label}
          aria-current={date === chosen ? 'date' : undefined}
          data-date={date}
          tabIndex={date === stop ? 0 : -1}
        />
      ),
    )
  }
  return (
    <div class="stack stack-close">
      {/* biome-ignore lint/a11y/useSemanticElements: no fields of a form. */}
      <div
        class="contributions"
        role="group"
        aria-label={words.graph}
        aria-describedby="contributions-hint"
        ref={grid}
        onKeyDown={move}
      >
        {cells}
      </div>
      <div class="row row-apart muted contributions-foot">
        <span id="contributions-hint">{words.graphHint}</span>
        <span class="row" aria-hidden="true">
          {words.less}
          {[0, ...shades].map((_most, shade) => (
            <span key={shade} class={`contributions-day contributions-${shade}`} />
          ))}
          {words.more}
        </span>
      </div>
    </div>
  )
}
