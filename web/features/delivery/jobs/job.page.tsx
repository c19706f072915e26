import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, fetchBytes } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { Log, type LogIndex } from '../../../surfaces/log/log.ts'
import { jobs as words } from '../../../text/jobs.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { currentUrl, navigate, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'
import './job.css'

type Job = Answer<'GET /projects/:id/jobs/:job_id'>
type Index = Extract<Answer<'GET /projects/:id/jobs/:job_id/trace'>, { lines: number }>

const inputOf = ({ place }: PlaceLocation) => ({ id: place.id, job_id: Number(place.rest) })
const jobInput = (at: PlaceLocation) => ({ ...inputOf(at), with_abilities: true })
const indexInput = (at: PlaceLocation) => ({ ...inputOf(at), index: true })
const traceUrl = ({ place }: PlaceLocation) =>
  `/api/v4/projects/${place.id}/jobs/${Number(place.rest)}/trace`

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /projects/:id/jobs/:job_id', jobInput(at)),
    apiReadUrl('GET /projects/:id/jobs/:job_id/trace', indexInput(at)),
  ],
  View: JobPage,
}

function JobPage({ at }: { at: PlaceLocation }) {
  const { data: job } = useApi('GET /projects/:id/jobs/:job_id', jobInput(at))
  const { data } = useApi('GET /projects/:id/jobs/:job_id/trace', indexInput(at))
  const { data: project } = useProject(at.place.id)
  const index = data as Index | undefined
  useInvalidateOnChange(`job:${Number(at.place.rest)}`, [
    `/api/v4/projects/${at.place.id}/jobs/${Number(at.place.rest)}`,
  ])
  if (!job) return null
  const isOver = ['success', 'failed', 'canceled', 'skipped'].includes(job.status)
  return (
    <Page title={job.name} tab={`${job.name} · ${words.pipeline(job.pipeline.id)}`} isWide>
      <Bar {...{ job, project }} base={placeBasePath(at.place)} />
      <div class="job-columns">
        <div>
          {index && index.lines > 0 ? (
            <LogPart {...{ at, job, index }} />
          ) : (
            <EmptyState
              title={job.erased_at ? words.logErased : isOver ? words.noLog : words.noLogYet}
            >
              {job.status === 'pending' ? <Waiting job={job} projectId={at.place.id} /> : null}
              {job.status === 'manual' ? <p>{words.manualAction}</p> : null}
              {['created', 'running'].includes(job.status) ? <p>{words.logAppearsHere}</p> : null}
            </EmptyState>
          )}
        </div>
        <Siblings job={job} projectId={at.place.id} base={placeBasePath(at.place)} />
      </div>
    </Page>
  )
}

/** The jobs of the same pipeline by stage. */
function Siblings({ job, projectId, base }: { job: Job; projectId: number; base: string }) {
  const given = { id: projectId, pipeline_id: job.pipeline.id, per_page: 100 }
  const { data } = useAllPages('GET /projects/:id/pipelines/:pipeline_id/jobs', given)
  useInvalidateOnChange(`pipeline:${job.pipeline.id}`, [
    `/api/v4/projects/${projectId}/pipelines/${job.pipeline.id}`,
  ])
  const ordered = [...(data ?? [])].sort((one, other) => one.id - other.id)
  const shown = [...new Map(ordered.map((one) => [one.name, one])).values()]
  if (shown.length < 2) return null
  return (
    <nav class="job-siblings" aria-label={words.siblings(job.pipeline.id)}>
      {Object.entries(Object.groupBy(shown, ({ stage }) => stage)).map(([stage, found = []]) => (
        <section key={stage} aria-label={words.jobsOf(stage)}>
          <h2>{stage}</h2>
          <ul>
            {found.map(({ id, name, status, allow_failure }) => (
              <li key={id}>
                <a href={`${base}/-/jobs/${id}`} aria-current={id === job.id ? 'page' : undefined}>
                  <Status
                    status={status === 'failed' && allow_failure ? 'warning' : status}
                    isQuiet
                  />
                  <span>{name}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Shows why no runner runs the job yet, and what an administrator can do. */
function Waiting({ job, projectId }: { job: Job; projectId: number }) {
  const { isolation_problem: problem, tag_list: tags, abilities } = job
  if (!problem) return <p>{words.waitingForRunner(tags.join(', '))}</p>
  return (
    <>
      <p>{words.sandboxUnavailable(problem)}</p>
      {abilities?.allow_jobs_without_isolation ? (
        <Button onClick={() => askToAllow(`/api/v4/projects/${projectId}/jobs/${job.id}`)}>
          {words.allowWithoutSandbox}
        </Button>
      ) : (
        <p>{words.askAdministrator}</p>
      )}
    </>
  )
}

function askToAllow(jobUrl: string): void {
  confirmBefore({
    title: words.allowWithoutSandboxTitle,
    text: words.allowWithoutSandboxText,
    action: words.allowWithoutSandbox,
    run: async () => {
      await call('PUT /application/settings', { allow_jobs_without_isolation: true })
      invalidate(jobUrl)
    },
  })
}

function Bar({
  job,
  project,
  base,
}: {
  job: Job
  project: ProjectRecord | undefined
  base: string
}) {
  const isOffered = mayInProject(project, 'create_pipelines')
  const blocked = !job.abilities?.run_job && words.protectedRefReason(job.ref)
  const isOver = ['success', 'failed', 'canceled'].includes(job.status)
  const given = { id: project?.id ?? 0, job_id: job.id }
  const after = () =>
    invalidate(
      `/api/v4/projects/${given.id}/jobs/${job.id}`,
      `/api/v4/projects/${given.id}/pipelines`,
    )
  const retry = async () => {
    const again = await call('POST /projects/:id/jobs/:job_id/retry', given)
    after()
    navigate(`${base}/-/jobs/${again.id}`)
  }
  const cancel = () => void call('POST /projects/:id/jobs/:job_id/cancel', given).then(after)
  const play = () => void call('POST /projects/:id/jobs/:job_id/play', given).then(after)
  useKeyActions([
    {
      name: words.pipeline(job.pipeline.id),
      keys: 'u',
      run: () => navigate(`${base}/-/pipelines/${job.pipeline.id}`),
    },
    ...(isOffered && !blocked && isOver ? [{ name: words.retry, run: () => void retry() }] : []),
  ])
  return (
    <StateBar
      state={
        <Status status={job.status === 'failed' && job.allow_failure ? 'warning' : job.status} />
      }
      actions={
        isOffered ? (
          <>
            {isOver ? (
              <Button
                look={job.status === 'success' ? 'plain' : 'primary'}
                blocked={blocked}
                onClick={() => void retry()}
              >
                {words.retry}
              </Button>
            ) : null}
            {job.status === 'manual' ? (
              <Button look="primary" blocked={blocked} onClick={play}>
                {words.run}
              </Button>
            ) : null}
            {['pending', 'running', 'created', 'scheduled', 'waiting_for_resource'].includes(
              job.status,
            ) ? (
              <Button blocked={blocked} onClick={cancel}>
                {words.cancel}
              </Button>
            ) : null}
            {isOver && !job.erased_at && job.abilities?.erase_job ? (
              <Button look="quiet" onClick={() => askToErase(given, after)}>
                {words.erase}
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <span class="row">
        <a href={`${base}/-/pipelines/${job.pipeline.id}`}>{words.pipeline(job.pipeline.id)}</a>
        <span>{job.stage}</span>
        <span class="mono">{job.ref}</span>
        <Duration seconds={job.duration} isCounting={job.status === 'running'} />
        {job.runner ? (
          <span>{words.runner(job.runner.description ?? String(job.runner.id))}</span>
        ) : null}
        {job.failure_reason ? <span>{words.failureReason(job.failure_reason)}</span> : null}
        <Time at={job.finished_at ?? job.started_at ?? job.created_at} />
        {job.artifacts_file ? (
          <a href={`${base}/-/jobs/${job.id}/artifacts/browse`}>{words.artifacts}</a>
        ) : null}
      </span>
    </StateBar>
  )
}

function askToErase(given: { id: number; job_id: number }, after: () => void): void {
  confirmBefore({
    title: words.eraseTitle,
    text: words.eraseText,
    action: words.erase,
    run: async () => {
      await call('POST /projects/:id/jobs/:job_id/erase', given)
      after()
    },
  })
}

function LogPart({ at, job, index }: { at: PlaceLocation; job: Job; index: Index }) {
  const box = useRef<HTMLElement>(null)
  const log = useRef<Log>(undefined)
  const [follows, setFollows] = useState(false)
  const [wraps, setWraps] = useState(false)
  const [isOutline, setOutline] = useState(false)
  const { hits, search, jump } = useSearch(log, index.bytes)
  const isRunning = ['pending', 'running'].includes(job.status)
  const url = traceUrl(at)
  // Runs before the page is painted, since the log is already being loaded.
  useLayoutEffect(() => {
    if (!box.current) return
    const opened = new Log(
      box.current,
      {
        bytes: async (from, to, signal) => {
          const response = await fetchBytes(url, { range: `bytes=${from}-${to - 1}`, signal })
          return new Uint8Array(await response.arrayBuffer())
        },
        stream: async (to, signal) => {
          const response = await fetchBytes(url, { range: `bytes=0-${to - 1}`, signal })
          return response.body ?? new ReadableStream()
        },
      },
      words,
    )
    log.current = opened
    opened.onFollow = setFollows
    void open(opened, index)
    const onHash = () => void goToHash(opened)
    window.addEventListener('hashchange', onHash)
    return () => {
      window.removeEventListener('hashchange', onHash)
      opened.end()
    }
  }, [url])
  useEffect(() => {
    void log.current?.setIndex(index)
  }, [index])
  const firstFailure = async () => {
    const [line] =
      (await log.current?.find({
        fits: (text) => /\b(?:error|fatal|failed|failure)\b/i.test(text),
        signal: new AbortController().signal,
        most: 1,
      })) ?? []
    goTo(log.current, line)
  }
  const outline = () => {
    log.current?.foldAll(!isOutline)
    setOutline(!isOutline)
  }
  const wrap = () => {
    log.current?.wrap(!wraps)
    setWraps(!wraps)
  }
  useKeyActions([
    { name: words.follow, keys: 'f', run: () => log.current?.follow(true) },
    {
      name: words.search,
      keys: '/',
      run: () => document.querySelector<HTMLElement>('.job-bar input')?.focus(),
    },
    { name: words.nextMatch, keys: 'n', run: () => jump(1) },
    { name: words.previousMatch, keys: 'Shift N', run: () => jump(-1) },
    { name: words.firstFailure, keys: 'e', run: () => void firstFailure() },
    { name: words.wrap, keys: 'w', run: wrap },
    ...(index.sections.length > 0
      ? [{ name: words.collapseSections, keys: 'o', run: outline }]
      : []),
    { name: words.goToStart, keys: 'g g', run: () => goTo(log.current, 1) },
    { name: words.goToEnd, keys: 'Shift G', run: () => goTo(log.current, index.lines) },
  ])
  return (
    <>
      <div class="job-bar row">
        <form
          class="grow"
          onSubmit={(event) => {
            event.preventDefault()
            search(String(new FormData(event.currentTarget).get('q') ?? ''))
            // Moves the focus to the log, so that `n` and `N` move between hits.
            box.current?.focus({ preventScroll: true })
          }}
        >
          <TextField
            isLabelHidden
            label={words.search}
            placeholder={words.search}
            name="q"
            type="search"
            autocomplete="off"
          />
        </form>
        {hits ? (
          <>
            <span role="status">
              {hits.isOver
                ? words.matchPosition(hits.at + 1, hits.lines.length)
                : words.searching(hits.lines.length, hits.share)}
            </span>
            <Button look="quiet" keys="n" onClick={() => jump(1)}>
              {words.nextMatch}
            </Button>
          </>
        ) : null}
        {job.status === 'failed' ? (
          <Button look="quiet" keys="e" onClick={() => void firstFailure()}>
            {words.firstFailure}
          </Button>
        ) : null}
        {isRunning ? (
          <Button
            look="quiet"
            keys="f"
            aria-pressed={follows}
            onClick={() => log.current?.follow(!follows)}
          >
            {follows ? words.following : words.follow}
          </Button>
        ) : null}
        {index.sections.length > 0 ? (
          <Button look="quiet" keys="o" aria-pressed={isOutline} onClick={outline}>
            {words.collapseSections}
          </Button>
        ) : null}
        <Button look="quiet" keys="w" aria-pressed={wraps} onClick={wrap}>
          {words.wrap}
        </Button>
        <ButtonLink look="quiet" href={`${placeBasePath(at.place)}/-/jobs/${job.id}/raw`}>
          {words.raw}
        </ButtonLink>
        <span class="muted">{words.lines(index.lines)}</span>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a line is gone to by its number in the palette as well. */}
      <section
        class="log"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
        tabIndex={0}
        aria-label={words.log(job.name)}
        onClick={(event) => {
          const number =
            event.target instanceof Element ? event.target.closest('.log-number') : null
          if (!(number instanceof HTMLElement)) return
          event.preventDefault()
          event.stopPropagation()
          mark(log.current, Number(number.dataset.line), event.shiftKey)
        }}
      />
    </>
  )
}

type Hits = { lines: readonly number[]; at: number; isOver: boolean; share: number }

/** The hits of a search from the first one on. The log scrolls to it, and to the next and previous one. */
function useSearch(log: { readonly current: Log | undefined }, bytes: number) {
  const [hits, setHits] = useState<Hits>()
  const work = useRef<AbortController>(undefined)
  useEffect(() => () => work.current?.abort(), [])
  const search = (text: string) => {
    work.current?.abort()
    work.current = new AbortController()
    const { signal } = work.current
    let isThere = false
    const show = (lines: readonly number[], read: number) => {
      if (signal.aborted) return
      if (!isThere) goTo(log.current, lines[0])
      isThere = lines.length > 0
      setHits((before) => ({
        lines: [...lines],
        at: before?.at ?? 0,
        isOver: read >= bytes,
        share: read / bytes,
      }))
    }
    setHits(undefined)
    void log.current?.search(text, signal, show).then((lines) => {
      if (text !== '') show(lines, bytes)
    })
  }
  const jump = (by: number) => {
    if (!hits || hits.lines.length === 0) return
    const at = (hits.at + by + hits.lines.length) % hits.lines.length
    setHits({ ...hits, at })
    goTo(log.current, hits.lines[at])
  }
  return { hits, search, jump }
}

async function open(log: Log, index: LogIndex): Promise<void> {
  if (/^#L\d/.test(location.hash)) {
    await log.setIndex(index)
    await goToHash(log)
  } else {
    log.follow(true)
    await log.setIndex(index)
  }
}

async function goToHash(log: Log): Promise<void> {
  const [, from = '', to = from] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(location.hash) ?? []
  if (from !== '') await log.goTo(Number(from), Number(to))
}

function goTo(log: Log | undefined, line: number | undefined): void {
  if (!log || line === undefined) return
  replaceUrl(`${currentUrl.value.pathname}#L${line}`)
  void log.goTo(line)
}

function mark(log: Log | undefined, line: number, isRange: boolean): void {
  const before = Number(/^#L(\d+)/.exec(location.hash)?.[1] ?? line)
  const [from, to] = isRange ? [Math.min(before, line), Math.max(before, line)] : [line, line]
  replaceUrl(`${currentUrl.value.pathname}#L${from}${to > from ? `-${to}` : ''}`)
  log?.mark(from, to)
}
