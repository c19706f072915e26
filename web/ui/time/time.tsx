// When something was, or how long it took; the exact time on focus and under the pointer.
import { useEffect, useState } from 'preact/hooks'
import { formatDateTime, formatDuration, formatRelativeTime } from '../../text/numbers.ts'

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return null
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatDateTime(date)}>
      {formatRelativeTime(date, new Date())}
    </time>
  )
}

/** Seconds, as `1 h 2 min` or `41 s`; counted on by the second while `isCounting` and the tab is visible. */
export function Duration({
  seconds,
  isCounting = false,
}: {
  seconds: number | null | undefined
  isCounting?: boolean
}) {
  const passed = usePassed(seconds, isCounting)
  if (seconds === null || seconds === undefined) return null
  return <span>{formatDuration(seconds + passed)}</span>
}

/** Seconds since the value came, by this machine alone: its clock may differ from the server's. */
function usePassed(value: number | null | undefined, isCounting: boolean): number {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    setPassed(0)
    if (!isCounting) return
    const begin = performance.now()
    let timer: ReturnType<typeof setInterval> | undefined
    const show = () => setPassed((performance.now() - begin) / 1000)
    const follow = () => {
      clearInterval(timer)
      if (document.hidden) return
      show()
      timer = setInterval(show, 1000)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [value, isCounting])
  return passed
}
