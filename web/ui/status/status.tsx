// How a pipeline, job or the like fares: always a shape and a word, never a colour alone.
import { statusWords } from '../../text/status.ts'
import './status.css'

type Tone = 'passed' | 'failed' | 'running' | 'warning' | 'muted'

const looks: Readonly<Record<string, readonly [Tone, string]>> = {
  success: ['passed', '✓'],
  passed: ['passed', '✓'],
  online: ['passed', '●'],
  active: ['passed', '●'],
  opened: ['passed', '○'],
  closed: ['muted', '✓'],
  merged: ['running', '✓'],
  failed: ['failed', '✕'],
  running: ['running', '◐'],
  pending: ['warning', '◷'],
  waiting_for_resource: ['warning', '◷'],
  waiting: ['warning', '◷'],
  preparing: ['warning', '◷'],
  created: ['muted', '○'],
  scheduled: ['warning', '◔'],
  manual: ['muted', '▷'],
  canceled: ['muted', '⊘'],
  canceling: ['muted', '⊘'],
  skipped: ['muted', '»'],
  warning: ['warning', '!'],
  offline: ['muted', '○'],
  stale: ['muted', '○'],
  never_contacted: ['muted', '○'],
  paused: ['warning', '‖'],
  critical: ['failed', '◆'],
  high: ['failed', '▲'],
  medium: ['warning', '■'],
  low: ['muted', '▽'],
  detected: ['warning', '!'],
  confirmed: ['failed', '!'],
  dismissed: ['muted', '⊘'],
  resolved: ['passed', '✓'],
  triggered: ['failed', '!'],
  acknowledged: ['warning', '◔'],
  ignored: ['muted', '⊘'],
}

/** `isQuiet` leaves the word to the ear; `of` says whose state it is, where nothing beside it does. */
export function Status({
  status,
  isQuiet,
  words,
  of,
}: {
  status: string
  isQuiet?: boolean
  words?: string
  of?: string
}) {
  const [tone, sign] = looks[status] ?? ['muted', '○']
  const state = words ?? statusWords[status] ?? status.replaceAll('_', ' ')
  const word = of === undefined ? state : `${of}: ${state}`
  return (
    <span class={`status status-${tone}`} title={isQuiet ? word : undefined}>
      <span class={`status-sign ${status === 'running' ? 'status-turns' : ''}`} aria-hidden="true">
        {sign}
      </span>
      <span class={isQuiet ? 'only-spoken' : ''}>{word}</span>
    </span>
  )
}
