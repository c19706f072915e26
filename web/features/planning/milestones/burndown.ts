// How much of a milestone remained on each day: what both the burndown chart and its table show.
import type { BasicIssue, BurndownEvent } from '../../../api/operations.ts'

export type BurndownMeasure = 'issues' | 'weight'
/** One day: what was opened and closed on it, and what remained at its end. */
export type BurndownPoint = { date: string; opened: number; closed: number; remaining: number }

/** The server counts the days of a milestone in UTC. */
const dayOf = (time: string) => time.slice(0, 10)

/** Every day from the first to the last, both written as `2030-03-01`. */
function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (const date = new Date(`${first}T00:00:00Z`); ; date.setUTCDate(date.getUTCDate() + 1)) {
    const day = date.toISOString().slice(0, 10)
    if (day > last || days.length > 3_660) return days
    days.push(day)
  }
}

/**
 * The events say nothing of issues that were made before the first day. What remains on the last day is known from the
 * issues themselves, so what remained before the first day is that without the events.
 */
export function burndownPointsOf({
  issues,
  events,
  measure,
  days: { first, last },
}: {
  issues: readonly BasicIssue[]
  events: readonly BurndownEvent[]
  measure: BurndownMeasure
  days: { first: string; last: string }
}): BurndownPoint[] {
  const size = ({ weight }: { weight?: number | null }) =>
    measure === 'weight' ? (weight ?? 0) : 1
  const total = (sized: readonly { weight?: number | null }[]) =>
    sized.reduce((sum, one) => sum + size(one), 0)
  const isOpen = ({ created_at, closed_at }: BasicIssue) =>
    dayOf(created_at) <= last && (closed_at === null || dayOf(closed_at) > last)
  const opening = events.filter(({ action }) => action !== 'closed')
  const closing = events.filter(({ action }) => action === 'closed')
  let remaining = total(issues.filter(isOpen)) - total(opening) + total(closing)
  return daysBetween(first, last).map((date) => {
    const on = (some: readonly BurndownEvent[]) =>
      total(some.filter(({ created_at }) => dayOf(created_at) === date))
    const [opened, closed] = [on(opening), on(closing)]
    remaining += opened - closed
    return { date, opened, closed, remaining }
  })
}

/** The first and the last day, and those between on which something changed. */
export function withoutUnchangedDays(points: readonly BurndownPoint[]): BurndownPoint[] {
  return points.filter(
    ({ opened, closed }, at) => at === 0 || at === points.length - 1 || opened > 0 || closed > 0,
  )
}
