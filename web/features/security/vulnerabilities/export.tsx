// An export of vulnerabilities: it is asked for, watched while the server makes it, and downloaded. The address keeps
// which one it is.
import { useEffect } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { VulnerabilityExport } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { vulnerabilityExports as words } from '../../../text/security.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'

/** A project, a group, or the projects on the reader's security dashboard. */
export type ExportScope = { kind: 'project' | 'group'; id: number } | { kind: 'dashboard' }

const poll_ms = 2_000

function request(of: ExportScope): Promise<VulnerabilityExport> {
  switch (of.kind) {
    case 'project':
      return call('POST /security/projects/:id/vulnerability_exports', { id: of.id })
    case 'group':
      return call('POST /security/groups/:id/vulnerability_exports', { id: of.id })
    case 'dashboard':
      return call('POST /security/vulnerability_exports')
  }
}

const askedOf = ({ searchParams }: URL) => {
  const id = Number(searchParams.get('export') ?? 0)
  return Number.isInteger(id) && id > 0 ? id : undefined
}

export function ExportButton({ of }: { of: ExportScope }) {
  const start = async () => {
    const { id } = await request(of)
    replaceUrl(currentUrlWithQuery({ export: String(id) }))
  }
  return <Button onClick={() => void start()}>{words.export}</Button>
}

/** The export that the address names, if it is one of this project, group or dashboard. */
export function ExportNote({ of }: { of: ExportScope }) {
  const id = askedOf(currentUrl.value)
  const route = 'GET /security/vulnerability_exports/:id'
  const { data, refusal, again } = useApi(route, id === undefined ? undefined : { id })
  const isUnderWay = data !== undefined && data.finished_at === null
  useEffect(() => {
    if (!isUnderWay || refusal) return
    const timer = setInterval(() => {
      if (!document.hidden) again()
    }, poll_ms)
    return () => clearInterval(timer)
  }, [isUnderWay, refusal, id])
  if (id === undefined) return null
  if (refusal) {
    const shown = refusal.status === 404 ? refusal.saying(words.expired) : refusal
    return <RefusalNote refusal={shown} />
  }
  if (!data || !isOf(data, of)) return null
  const { status, percent, created_at, started_at, finished_at } = data
  return (
    <div role="status">
      <StateBar
        state={<Status status={signs[status]} words={words[status]} />}
        actions={
          <>
            {status === 'finished' ? (
              <ButtonLink
                look="primary"
                href={`/api/v4/security/vulnerability_exports/${id}/download`}
                download
              >
                {words.download}
              </ButtonLink>
            ) : null}
            <ButtonLink look="quiet" href={currentUrlWithQuery({ export: '' })}>
              {words.close}
            </ButtonLink>
          </>
        }
      >
        <span class="row">
          <strong>{words.title}</strong>
          <span>
            {words.since} <Time at={created_at} />
          </span>
          {status === 'running' && percent !== null && started_at ? (
            <Progress percent={percent} passed_s={secondsBetween(started_at, null)} />
          ) : null}
          {started_at ? <Duration seconds={secondsBetween(started_at, finished_at)} /> : null}
          {status === 'finished' ? <span>{words.keptText}</span> : null}
          {status === 'failed' ? <span>{words.failedText}</span> : null}
        </span>
      </StateBar>
    </div>
  )
}

const signs = {
  created: 'pending',
  running: 'running',
  finished: 'success',
  failed: 'failed',
} as const

const secondsBetween = (begin: string, end: string | null) =>
  ((end === null ? Date.now() : Date.parse(end)) - Date.parse(begin)) / 1000

/** Below, too little is done to tell how long the rest takes. */
const told_percent_min = 5

/** Read aloud where the reader goes there, and not at each change. */
function Progress({ percent, passed_s }: { percent: number; passed_s: number }) {
  const left_s = (passed_s * (100 - percent)) / percent
  const text =
    percent < told_percent_min ? words.percent(percent) : words.percentAndTime(percent, left_s)
  return (
    <span class="row">
      <progress aria-label={words.progress} aria-valuetext={text} max={100} value={percent} />
      <span aria-hidden="true">{text}</span>
    </span>
  )
}

function isOf({ project_id, group_id }: VulnerabilityExport, of: ExportScope): boolean {
  if (of.kind === 'project') return project_id === of.id
  if (of.kind === 'group') return group_id === of.id
  return project_id === null && group_id === null
}
