// The burndown chart of a milestone, and the same figures as a table.
import type { BasicIssue, Milestone } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { formatCount, formatDay, localMidnight } from '../../../text/numbers.ts'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import type { Place } from '../../../ui/page-module.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import {
  type BurndownMeasure,
  type BurndownPoint,
  burndownPointsOf,
  withoutUnchangedDays,
} from './burndown.ts'
import { milestoneRoutesOf } from './milestone-calls.ts'
import './milestone.css'

export function Burndown({
  place,
  milestone,
  issues,
}: {
  place: Place
  milestone: Milestone
  issues: readonly BasicIssue[]
}) {
  const { id, start_date: first, due_date: due } = milestone
  const { data: events } = useApi(
    milestoneRoutesOf(place).burndown,
    first && due ? { id: place.id, milestone_id: id } : undefined,
  )
  const today = new Date().toISOString().slice(0, 10)
  if (!first || !due) return <Note words={words.burndownNoDates} />
  if (first > today) return <Note words={words.burndownLater(formatDay(localMidnight(first)))} />
  // Servers of the free tier have no events.
  if (!events) return null
  const hasWeight = issues.some(({ weight }) => weight)
  const isByWeight = hasWeight && currentUrl.value.searchParams.get('by') === 'weight'
  const measure: BurndownMeasure = isByWeight ? 'weight' : 'issues'
  const last = due < today ? due : today
  const points = burndownPointsOf({ issues, events, measure, days: { first, last } })
  return (
    <Section title={words.burndown}>
      {hasWeight ? (
        <Tabs
          label={words.burndownBy}
          tabs={[
            { words: words.byIssues, href: currentUrlWithQuery({ by: '' }), isHere: !isByWeight },
            {
              words: words.byWeight,
              href: currentUrlWithQuery({ by: 'weight' }),
              isHere: isByWeight,
            },
          ]}
        />
      ) : null}
      <Plot points={points} due={due} />
      <Table points={points} />
    </Section>
  )
}

function Note({ words: sentence }: { words: string }) {
  return (
    <Section title={words.burndown}>
      <p class="muted">{sentence}</p>
    </Section>
  )
}

const day_ms = 86_400_000
const daysFrom = (first: string, date: string) =>
  Math.round((Date.parse(date) - Date.parse(first)) / day_ms)

/** One unit of the drawing is a day across, and an issue or a weight of one upwards. */
function Plot({ points, due }: { points: readonly BurndownPoint[]; due: string }) {
  const [start] = points
  const end = points.at(-1)
  if (!start || !end) return null
  const wide = Math.max(1, daysFrom(start.date, due) + 1)
  const begin = start.remaining - start.opened + start.closed
  const top = Math.max(1, begin, ...points.map(({ remaining }) => remaining))
  const path = points.map(({ remaining }, at) => `L${at + 1} ${top - remaining}`).join('')
  // Where nothing was planned before the first day, the most there was is what is to be done.
  const ideal = begin || top
  return (
    <figure class="stack stack-close">
      <div class="row row-apart muted">
        <span>{formatCount(top)}</span>
        <span class="row">
          <span class="milestone-key" aria-hidden="true" /> {words.remaining}
          <span class="milestone-key milestone-key-ideal" aria-hidden="true" /> {words.ideal}
        </span>
      </div>
      <svg
        class="milestone-plot"
        role="img"
        aria-label={words.plot(begin, end.remaining)}
        viewBox={`0 0 ${wide} ${top}`}
        preserveAspectRatio="none"
      >
        <path class="milestone-ideal" d={`M0 ${top - ideal}L${wide} ${top}`} />
        <path d={`M0 ${top - begin}${path}`} />
      </svg>
      <div class="row row-apart muted">
        <span>{formatDay(localMidnight(start.date))}</span>
        <span>{formatDay(localMidnight(due))}</span>
      </div>
    </figure>
  )
}

function Table({ points }: { points: readonly BurndownPoint[] }) {
  return (
    <details>
      <summary>{words.table}</summary>
      <table class="milestone-table">
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">{words.opened}</th>
            <th scope="col">{words.closedCount}</th>
            <th scope="col">{words.remaining}</th>
          </tr>
        </thead>
        <tbody>
          {withoutUnchangedDays(points).map(({ date, opened, closed, remaining }) => (
            <tr key={date}>
              <th scope="row">{formatDay(localMidnight(date))}</th>
              <td>{formatCount(opened)}</td>
              <td>{formatCount(closed)}</td>
              <td>{formatCount(remaining)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
