// The dates of a milestone in words.
import type { Milestone } from '../../../api/operations.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'
import { Chip } from '../../../ui/chip/chip.tsx'

const day_ms = 86_400_000

/** Whole days from today to a date, where the reader is; changes of the clock are no days. */
export function daysUntil(date: string): number {
  const today = new Date()
  today.setHours(0, 0, 0, 0)
  return Math.round((localMidnight(date).getTime() - today.getTime()) / day_ms)
}

export function formatMilestoneDates({ start_date: start, due_date: due }: Milestone): string {
  const [from, to] = [
    start && formatDay(localMidnight(start)),
    due && formatDay(localMidnight(due)),
  ]
  if (from && to) return words.between(from, to)
  if (from) return words.starts(from)
  return to ? words.due(to) : words.noDates
}

/** How much time is left of an open milestone. */
export function TimeLeft({ milestone }: { milestone: Milestone }) {
  const { start_date: start, due_date: due, state } = milestone
  if (state === 'closed') return null
  if (start && daysUntil(start) > 0) return <span>{words.startsIn(daysUntil(start))}</span>
  if (!due) return null
  const left = daysUntil(due)
  if (left < 0) return <Chip tone="failed">{words.expired}</Chip>
  return <span>{left === 0 ? words.dueToday : words.daysLeft(left)}</span>
}
