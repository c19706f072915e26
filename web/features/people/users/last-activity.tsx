// The day on which somebody used the server last; no time of it is known.
import { adminUsers as words } from '../../../text/admin.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'

/** `on` is a day of UTC, such as `2030-03-01`. */
export function LastActivity({ on }: { on: string }) {
  const isToday = on === new Date().toISOString().slice(0, 10)
  return <time dateTime={on}>{isToday ? words.today : formatDay(localMidnight(on))}</time>
}
