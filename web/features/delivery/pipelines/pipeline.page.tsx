import { useEffect, useRef, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, untypedApiUrl } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { ConnectingLines } from '../../../surfaces/graph/connecting-lines.tsx'
import { pipelines as words } from '../../../text/pipelines.ts'
import { statusWords } from '../../../text/status.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'
import { useLogTail } from './use-log-tail.ts'
import './pipeline.css'

type Pipeline = Answer<'GET /projects/:id/pipelines/:pipeline_id'>
type Job = Answer<'GET /projects/:id/pipelines/:pipeline_id/jobs'>[number]
type Bridge = Answer<'GET /projects/:id/pipelines/:pipeline_id/bridges'>[number]

const numberOf = ({ place }: PlaceLocation) => Number(place.rest)
const inputOf = (at: PlaceLocation) => ({ id: at.place.id, pipeline_id: numberOf(at) })
const pipelineInput = (at: PlaceLocation) => ({
  ...inputOf(at),
  with_abilities: true,
  with_details: true,
})
const jobsOf = (at: PlaceLocation) => ({ ...inputOf(at), with_needs: true, per_page: 100 })

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /projects/:id/pipelines/:pipeline_id', pipelineInput(at)),
    apiReadUrl('GET /projects/:id/pipelines/:pipeline_id/jobs', jobsOf(at)),
  ],
  View: PipelinePage,
}

function PipelinePage({ at }: { at: PlaceLocation }) {
  const { data: pipeline } = useApi('GET /projects/:id/pipelines/:pipeline_id', pipelineInput(at))
  const { data: jobs } = useAllPages('GET /projects/:id/pipelines/:pipeline_id/jobs', jobsOf(at))
  const { data: bridges } = useAllPages(
    'GET /projects/:id/pipelines/:pipeline_id/bridges',
    jobsOf(at),
  )
  const { data: project } = useProject(at.place.id)
  const base = placeBasePath(at.place)
  const url = `/api/v4/projects/${at.place.id}/pipelines/${numberOf(at)}`
  useInvalidateOnChange(`pipeline:${numberOf(at)}`, [url])
  if (!pipeline) return null
  const running = runningOf(pipeline, project)
  const failed =
    jobs?.filter(({ status, allow_failure }) => status === 'failed' && !allow_failure) ?? []
  return (
    <Page
      title={words.titleOf(pipeline.id)}
      lead={
        pipeline.commit_title ? (
          <a href={`${base}/-/commit/${pipeline.sha}`}>{pipeline.commit_title}</a>
        ) : undefined
      }
      tab={`${words.titleOf(pipeline.id)} · ${pipeline.ref}`}
    >
      <Bar
        {...{ pipeline, running, base, url }}
        hasFailed={failed.length > 0}
        seconds={pipeline.duration ?? runningSeconds(jobs ?? [])}
      />
      {pipeline.yaml_errors ? (
        <Section title={words.yamlErrors}>
          <pre class="pipeline-errors">{pipeline.yaml_errors}</pre>
        </Section>
      ) : null}
      <Stages
        jobs={[...(jobs ?? []), ...(bridges ?? [])]}
        {...{ base, running, url }}
        projectId={at.place.id}
      />
      {failed.length > 0 ? (
        <Section title={words.failedJobs}>
          <ul class="stack">
            {failed.slice(0, failures_max).map((job) => (
              <FailedJob key={job.id} {...{ job, base }} projectId={at.place.id} />
            ))}
          </ul>
        </Section>
      ) : null}
      <FailedTests at={at} pipeline={pipeline} />
      <Facts {...{ at, base, pipeline }} jobs={jobs ?? []} />
    </Page>
  )
}

/** Whether buttons to start and cancel jobs are shown, and the reason why they are disabled, if any. */
type Running = { isOffered: boolean; blocked: string | false }

function runningOf({ abilities, ref }: Pipeline, project: ProjectRecord | undefined): Running {
  return {
    isOffered: mayInProject(project, 'create_pipelines'),
    blocked: !abilities?.run_jobs && words.protectedRefReason(ref),
  }
}

/** The maximum number of failed jobs that are shown, since each requests the end of its log. */
const failures_max = 5

/** A failed job with the end of its log. */
function FailedJob({ job, base, projectId }: { job: Job; base: string; projectId: number }) {
  const end = useLogTail(
    untypedApiUrl('GET /projects/:id/jobs/:job_id/trace', { id: projectId, job_id: job.id }),
  )
  return (
    <li>
      <div class="row">
        <Status status="failed" words={job.name} />
        <span class="muted">{job.failure_reason?.replaceAll('_', ' ')}</span>
        <a href={`${base}/-/jobs/${job.id}`} aria-label={words.viewLogOf(job.name)}>
          {words.viewLog}
        </a>
      </div>
      {end ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
        <section class="pipeline-end" tabIndex={0} aria-label={words.lastLogLinesOf(job.name)}>
          <pre>{end}</pre>
        </section>
      ) : null}
    </li>
  )
}

type BarProps = {
  pipeline: Pipeline
  running: Running
  base: string
  url: string
  hasFailed: boolean
  seconds: number | null
}

/**
 * Returns the seconds in which at least one job has run so far, as the server counts them at the end; null if
 * none has run.
 */
function runningSeconds(jobs: readonly Job[]): number | null {
  const periods = latest(jobs)
    .flatMap(({ started_at, duration }) => {
      const begin = started_at ? Date.parse(started_at) / 1000 : undefined
      return begin === undefined ? [] : [{ begin, end: begin + (duration ?? 0) }]
    })
    .sort((one, other) => one.begin - other.begin)
  let total = 0
  let until = 0
  for (const { begin, end } of periods) {
    total += Math.max(0, end - Math.max(until, begin))
    until = Math.max(until, end)
  }
  return periods.length === 0 ? null : total
}

function Bar({ pipeline, running, base, url, hasFailed, seconds }: BarProps) {
  const { id, status, ref, sha, user, source, created_at } = pipeline
  const isOver = ['success', 'failed', 'canceled', 'skipped'].includes(status)
  const { isOffered, blocked } = running
  const mayRun = isOffered && !blocked
  const given = { id: pipeline.project_id, pipeline_id: id }
  const after = () => invalidate(url)
  const retry = () =>
    void call('POST /projects/:id/pipelines/:pipeline_id/retry', given).then(after)
  const cancel = () =>
    void call('POST /projects/:id/pipelines/:pipeline_id/cancel', given).then(after)
  useKeyActions([
    ...(mayRun && hasFailed ? [{ name: words.retry, run: retry }] : []),
    ...(mayRun && !isOver ? [{ name: words.cancel, run: cancel }] : []),
  ])
  return (
    <>
      <StateBar
        state={<Status status={status} />}
        actions={
          isOffered ? (
            <>
              {hasFailed || status === 'canceled' ? (
                <Button look="primary" blocked={blocked} onClick={retry}>
                  {hasFailed ? words.retry : words.retryCanceled}
                </Button>
              ) : null}
              {isOver ? null : (
                <Button blocked={blocked} onClick={cancel}>
                  {words.cancel}
                </Button>
              )}
              {pipeline.abilities?.remove_pipeline && isOver ? (
                <Button look="quiet" onClick={() => askToRemove(pipeline, base)}>
                  {words.delete}
                </Button>
              ) : null}
            </>
          ) : null
        }
      >
        <span class="row">
          <a class="mono" href={repositoryPageUrl(base, 'tree', ref)}>
            {ref}
          </a>
          <a class="mono" href={`${base}/-/commit/${sha}`}>
            {sha.slice(0, 8)}
          </a>
          <span>{words.sources[source] ?? source}</span>
          {user ? <span>{words.by(user.name)}</span> : null}
          <Time at={created_at} />
          <Duration seconds={seconds} isCounting={status === 'running'} />
        </span>
      </StateBar>
      <Spoken id={id} status={status} />
    </>
  )
}

/** Announces the result to screen readers once. */
function Spoken({ id, status }: { id: number; status: string }) {
  const [first] = useState(status)
  return (
    <p class="only-spoken" role="status">
      {status === first ? '' : words.ended(id, statusWords[status] ?? status)}
    </p>
  )
}

function askToRemove({ id, project_id }: Pipeline, base: string): void {
  confirmBefore({
    title: words.deleteTitle(id),
    text: words.deleteText,
    action: words.delete,
    run: async () => {
      await call('DELETE /projects/:id/pipelines/:pipeline_id', { id: project_id, pipeline_id: id })
      invalidate(`/api/v4/projects/${project_id}/pipelines`)
      navigate(`${base}/-/pipelines`, { replace: true })
    },
  })
}

type StagesProps = {
  jobs: readonly (Job | Bridge)[]
  projectId: number
  base: string
  running: Running
  url: string
}

/** The stages side by side, in the order of their first jobs; on phones below each other. */
function Stages({ jobs, ...of }: StagesProps) {
  const box = useRef<HTMLElement>(null)
  const shown = latest(jobs)
  const stages = Object.entries(Object.groupBy(shown, ({ stage }) => stage))
  if (stages.length === 0) return <EmptyState title={words.noJobs} />
  const ids = new Map(shown.map(({ name, id }) => [name, id]))
  const lines = shown.flatMap(({ id, needs }) =>
    (needs ?? []).flatMap((name) => {
      const from = ids.get(name)
      return from === undefined ? [] : [{ from: `job-${from}`, to: `job-${id}` }]
    }),
  )
  return (
    <section
      class={`pipeline-stages ${lines.length > 0 ? 'pipeline-drawn' : ''}`}
      aria-label={words.stages}
      ref={box}
    >
      <ConnectingLines box={box} lines={lines} />
      {stages.map(([stage, found = []]) => (
        <section class="pipeline-stage" key={stage} aria-label={words.jobsOf(stage)}>
          <h2>{stage}</h2>
          <ul>
            {found.map((job) => (
              <li key={job.id} id={`job-${job.id}`} class="pipeline-job">
                <JobLine job={job} {...of} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

/** Returns the last run of each job. */
function latest<One extends { id: number; name: string }>(jobs: readonly One[]): One[] {
  const ordered = [...jobs].sort((one, other) => one.id - other.id)
  return [...new Map(ordered.map((job) => [job.name, job])).values()]
}

function JobLine({
  job,
  projectId,
  base,
  running,
  url,
}: Omit<StagesProps, 'jobs'> & { job: Job | Bridge }) {
  const isBridge = 'downstream_pipeline' in job
  const down = isBridge ? job.downstream_pipeline : null
  const href = isBridge
    ? down
      ? new URL(down.web_url).pathname
      : undefined
    : `${base}/-/jobs/${job.id}`
  const isOver = ['success', 'failed', 'canceled'].includes(job.status)
  const given = { id: projectId, job_id: job.id }
  const after = () => invalidate(url)
  const action =
    job.status === 'manual'
      ? {
          words: words.runJob(job.name),
          run: () => void call('POST /projects/:id/jobs/:job_id/play', given).then(after),
        }
      : isOver && !isBridge
        ? {
            words: words.retryJob(job.name),
            run: () => void call('POST /projects/:id/jobs/:job_id/retry', given).then(after),
          }
        : undefined
  return (
    <>
      <Status
        status={job.status === 'failed' && job.allow_failure ? 'warning' : job.status}
        isQuiet
      />
      <a class="pipeline-name one-line" href={href}>
        {job.name}
      </a>
      {job.needs?.length ? (
        <span class="pipeline-needs">{words.needs(job.needs.join(', '))}</span>
      ) : null}
      {down ? <Status status={down.status} isQuiet /> : null}
      <Duration seconds={job.duration} isCounting={job.status === 'running'} />
      {running.isOffered && action ? (
        <Button
          look="quiet"
          blocked={running.blocked}
          onClick={action.run}
          aria-label={action.words}
        >
          {job.status === 'manual' ? '▷' : '↻'}
        </Button>
      ) : null}
    </>
  )
}

const failed_tests_max = 20

/** The failed tests with their output, and reports that could not be read. */
function FailedTests({ at, pipeline }: { at: PlaceLocation; pipeline: Pipeline }) {
  const { data: summary } = useTests(at, pipeline)
  const { total, test_suites = [] } = summary ?? {}
  const failures = (total?.failed ?? 0) + (total?.error ?? 0)
  const { data } = useApi(
    'GET /projects/:id/pipelines/:pipeline_id/test_report',
    failures > 0 ? inputOf(at) : undefined,
  )
  const failed = (data?.test_suites ?? []).flatMap(({ name: suite, test_cases }) =>
    test_cases
      .filter(({ status }) => status === 'failed' || status === 'error')
      .map((test) => ({ ...test, suite })),
  )
  const broken = test_suites.filter(({ suite_error }) => suite_error)
  if (failed.length === 0 && broken.length === 0) return null
  return (
    <Section title={words.failedTests}>
      {broken.map(({ name, suite_error }) => (
        <p key={name}>{words.unparsableReport(name, suite_error ?? '')}</p>
      ))}
      <ul class="stack stack-close">
        {failed
          .slice(0, failed_tests_max)
          .map(({ name, classname, suite, system_output }, place) => (
            <li key={place}>
              <details class="pipeline-test">
                <summary>
                  {name} <span class="muted">{words.suiteAndClass(suite, classname)}</span>
                </summary>
                {system_output ? (
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
                  <section class="pipeline-end" tabIndex={0} aria-label={words.outputOf(name)}>
                    <pre>{system_output}</pre>
                  </section>
                ) : null}
              </details>
            </li>
          ))}
      </ul>
      {failed.length > failed_tests_max ? (
        <p class="muted">{words.moreTests(failed.length - failed_tests_max)}</p>
      ) : null}
    </Section>
  )
}

/** Returns the summary of the tests, which is loaded again when the status changes. */
function useTests(at: PlaceLocation, { project_id, id, status }: Pipeline) {
  const before = useRef(status)
  useEffect(() => {
    if (before.current === status) return
    before.current = status
    const url = `/api/v4/projects/${project_id}/pipelines/${id}`
    invalidate(`${url}/test_report`, `${url}/licenses`)
  }, [status])
  return useApi('GET /projects/:id/pipelines/:pipeline_id/test_report_summary', inputOf(at))
}

/** The variables that the pipeline was started with, if any. */
function Variables({ at }: { at: PlaceLocation }) {
  const { data } = useApi('GET /projects/:id/pipelines/:pipeline_id/variables', inputOf(at))
  if (!data?.length) return null
  return (
    <div>
      <dt>{words.variables}</dt>
      {data.map(({ key, value }) => (
        <dd key={key} class="mono">
          {`${key}=${value}`}
        </dd>
      ))}
    </div>
  )
}

function Facts({
  at,
  base,
  pipeline,
  jobs,
}: {
  at: PlaceLocation
  base: string
  pipeline: Pipeline
  jobs: readonly Job[]
}) {
  const { data: tests } = useApi(
    'GET /projects/:id/pipelines/:pipeline_id/test_report_summary',
    inputOf(at),
  )
  const withArtifacts = jobs.filter(({ artifacts_file }) => artifacts_file)
  const { data: licenses } = useApi(
    'GET /projects/:id/pipelines/:pipeline_id/licenses/summary',
    jobs.some(({ artifacts }) => artifacts.length > 0) ? inputOf(at) : undefined,
  )
  return (
    <dl class="facts">
      {tests && tests.total.count > 0 ? (
        <div>
          <dt>{words.tests}</dt>
          <dd>
            {words.testSummary(
              tests.total.success,
              tests.total.failed + tests.total.error,
              tests.total.skipped,
            )}
          </dd>
        </div>
      ) : null}
      {licenses && licenses.allowed + licenses.denied + licenses.unclassified > 0 ? (
        <div>
          <dt>{words.licenses}</dt>
          <dd>{words.licenseSummary(licenses.denied, licenses.unclassified, licenses.allowed)}</dd>
        </div>
      ) : null}
      {pipeline.coverage === null ? null : (
        <div>
          <dt>{words.coverage}</dt>
          <dd>{words.percent(pipeline.coverage)}</dd>
        </div>
      )}
      {pipeline.abilities?.read_variables ? <Variables at={at} /> : null}
      {withArtifacts.length > 0 ? (
        <div>
          <dt>{words.artifacts}</dt>
          <dd class="row">
            {withArtifacts.map(({ id, name }) => (
              <a key={id} href={`${base}/-/jobs/${id}/artifacts/browse`}>
                {name}
              </a>
            ))}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}
