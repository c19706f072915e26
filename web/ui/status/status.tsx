// How a pipeline, job or the like fares: always a shape and a word, never a colour alone.
import { statusWords } from '../../text/status.ts'
import './status.css'

type Tone = 'passed' | 'failed' | 'running' | 'warning' | 'muted'

const looks: Readonly<Record<string, readonly [Tone, string]>> = {
  success: ['passed', '✓'],
  passed: ['passed', '✓'],
  online: ['passed', '●'],
  active: ['passed', '●'],
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
}

/** `isQuiet` leaves the word to the ear. */
export function Status({
  status,
  isQuiet,
  words,
}: {
  status: string
  isQuiet?: boolean
  words?: string
}) {
  const [tone, sign] = looks[status] ?? ['muted', '○']
  const word = words ?? statusWords[status] ?? status.replaceAll('_', ' ')
  return (
    <span class={`status status-${tone}`} title={isQuiet ? word : undefined}>
      <span class={`status-sign ${status === 'running' ? 'status-turns' : ''}`} aria-hidden="true">
        {sign}
      </span>
      <span class={isQuiet ? 'only-spoken' : ''}>{word}</span>
    </span>
  )
}
