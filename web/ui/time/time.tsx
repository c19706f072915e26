// When something was, or how long it took; the exact time on focus and under the pointer.
import { dateTime, duration, relativeTime } from '../../text/numbers.ts'

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return null
  const date = new Date(at)
  return (
    <time dateTime={at} title={dateTime(date)}>
      {relativeTime(date, new Date())}
    </time>
  )
}

/** Seconds, as `1 h 2 min` or `41 s`. */
export function Duration({ seconds }: { seconds: number | null | undefined }) {
  if (seconds === null || seconds === undefined) return null
  return <span>{duration(seconds)}</span>
}
