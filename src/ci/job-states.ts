// The states of jobs: transitions, and which jobs start when others finish. Drawn in README.md.
import type { CiStatus } from '../kernel/ci-status.ts'

export const finalStatuses: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped']

export const isFinal = (status: CiStatus): boolean => finalStatuses.includes(status)

/** The events of a job: the statuses in which each can happen, and the status after it. */
const transitions = {
  enqueue: { from: ['created', 'manual', 'scheduled', 'waiting_for_resource'], to: 'pending' },
  wait: { from: ['created', 'manual', 'scheduled'], to: 'waiting_for_resource' },
  actionize: { from: ['created', 'scheduled'], to: 'manual' },
  schedule: { from: ['created'], to: 'scheduled' },
  run: { from: ['pending'], to: 'running' },
  succeed: { from: ['pending', 'running'], to: 'success' },
  drop: {
    from: [
      'created',
      'waiting_for_resource',
      'preparing',
      'pending',
      'running',
      'scheduled',
      'manual',
    ],
    to: 'failed',
  },
  cancel: {
    from: [
      'created',
      'waiting_for_resource',
      'preparing',
      'pending',
      'running',
      'manual',
      'scheduled',
    ],
    to: 'canceled',
  },
  skip: { from: ['created', 'waiting_for_resource', 'preparing', 'pending'], to: 'skipped' },
  /** A skipped job is reset when a job that it waits for runs again. */
  reset: { from: ['skipped'], to: 'created' },
} as const satisfies Record<string, { from: readonly CiStatus[]; to: CiStatus }>

export type JobEvent = keyof typeof transitions

/** Returns the status of a job after an event; undefined if the event cannot happen in the current status. */
export function jobStatusAfterEvent(status: CiStatus, event: JobEvent): CiStatus | undefined {
  const { from, to } = transitions[event]
  return (from as readonly CiStatus[]).includes(status) ? to : undefined
}

/** Returns the statuses in which an event can happen. */
export function jobStatusesBeforeEvent(event: JobEvent): readonly CiStatus[] {
  return transitions[event].from
}

/** The status of jobs in a pipeline. Equal ones are merged, since their number does not matter. */
export type JobOutcome = { status: CiStatus; allow_failure: boolean }

/**
 * Returns the status of a pipeline or a stage, derived from the statuses of its jobs without retried ones. The first rule
 * that matches decides.
 */
export function derivePipelineStatus(
  jobs: readonly JobOutcome[],
  { isNeeded = false }: { isNeeded?: boolean } = {},
): CiStatus {
  const found = new Set(jobs.map(kindOf))
  const only = (...kinds: Kind[]) => [...found].every((kind) => kinds.includes(kind))
  const any = (...kinds: Kind[]) => kinds.some((kind) => found.has(kind))
  if (found.size === 0) return 'created'
  if (isNeeded && any('skipped', 'ignored')) return 'skipped'
  if (isNeeded && any(...unfinished)) return 'pending'
  if (only('skipped', 'ignored')) return 'skipped'
  if (only('success', 'skipped', 'warning', 'ignored')) return 'success'
  if (only('created', 'warning', 'ignored')) return 'created'
  if (only('preparing', 'created', 'warning', 'ignored')) return 'preparing'
  if (only('canceled', 'success', 'skipped', 'warning', 'ignored')) return 'canceled'
  if (only('pending', 'created', 'skipped', 'warning', 'ignored')) return 'pending'
  if (any('running', 'pending')) return 'running'
  if (any('waiting_for_resource')) return 'waiting_for_resource'
  if (any('manual')) return 'manual'
  if (any('scheduled')) return 'scheduled'
  if (any('preparing')) return 'preparing'
  return any('created') ? 'running' : 'failed'
}

type Kind = CiStatus | 'warning' | 'ignored'

const unfinished = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'manual',
  'scheduled',
] as const

function kindOf({ status, allow_failure }: JobOutcome): Kind {
  if (!allow_failure) return status
  if (status === 'failed' || status === 'canceled') return 'warning'
  return status === 'manual' ? 'ignored' : status
}

/** The fields of a job that decide when it starts. */
export type WaitingJob = JobOutcome & {
  id: number
  name: string
  stage_position: number
  run_when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed' | null
  needs: readonly { name: string; optional: boolean }[] | null
  hasResourceGroup: boolean
}

export type ResolvedJob = { id: number; event: JobEvent; status: CiStatus }

const startsAfter: Record<NonNullable<WaitingJob['run_when']>, readonly CiStatus[]> = {
  on_success: ['success', 'skipped'],
  on_failure: ['failed'],
  always: ['success', 'failed', 'skipped'],
  manual: ['success', 'skipped'],
  delayed: ['success', 'skipped'],
}

/**
 * Returns the transitions of jobs that wait for others: the whole chain, since a skipped job may start others. Jobs
 * that were retried are not given.
 */
export function resolveWaitingJobs(jobs: readonly WaitingJob[]): ResolvedJob[] {
  const ordered = jobs.toSorted((a, b) => a.stage_position - b.stage_position || a.id - b.id)
  const current = new Map(ordered.map((job) => [job.name, { ...job }]))
  const settled = new Map<number, ResolvedJob>()
  // Each round changes at least one job, and no job changes twice.
  for (let isChanging = true; isChanging; ) {
    isChanging = false
    const before = stageOutcomes([...current.values()])
    for (const job of current.values()) {
      if (job.status !== 'created' || job.run_when === null) continue
      const event = nextEvent(job, before, current)
      if (!event) continue
      const status = jobStatusAfterEvent(job.status, event)
      if (!status)
        throw new Error(
          `No transition for event ${event} of job ${job.id} in status ${job.status}.`,
        )
      job.status = status
      settled.set(job.id, { id: job.id, event, status })
      isChanging = true
    }
  }
  return [...settled.values()]
}

/** Returns the combined status of all jobs before each stage. */
function stageOutcomes(jobs: readonly WaitingJob[]): ReadonlyMap<number, CiStatus> {
  const statuses = new Map<number, CiStatus>()
  const earlier: JobOutcome[] = []
  const kinds = new Set<string>()
  let stage: WaitingJob[] = []
  const close = () => {
    for (const { status, allow_failure } of stage) {
      const kind = `${status} ${allow_failure}`
      if (!kinds.has(kind)) earlier.push({ status, allow_failure })
      kinds.add(kind)
    }
    stage = []
  }
  for (const job of jobs) {
    if (stage[0] && stage[0].stage_position !== job.stage_position) close()
    if (stage.length === 0) {
      statuses.set(
        job.stage_position,
        earlier.length === 0 ? 'success' : derivePipelineStatus(earlier),
      )
    }
    stage.push(job)
  }
  return statuses
}

function nextEvent(
  job: WaitingJob,
  before: ReadonlyMap<number, CiStatus>,
  current: ReadonlyMap<string, WaitingJob>,
): JobEvent | undefined {
  const earlier = job.needs
    ? neededStatus(job.needs, current)
    : (before.get(job.stage_position) ?? 'success')
  if (!isFinal(earlier)) return undefined
  const { run_when } = job
  if (run_when === null) return undefined
  // A needed job that did not run has produced no artifacts to continue with.
  const accepted =
    job.needs && run_when === 'on_success' ? (['success'] as const) : startsAfter[run_when]
  if (!(accepted as readonly CiStatus[]).includes(earlier)) return 'skip'
  if (run_when === 'manual') return 'actionize'
  if (run_when === 'delayed') return 'schedule'
  return job.hasResourceGroup ? 'wait' : 'enqueue'
}

function neededStatus(
  needs: NonNullable<WaitingJob['needs']>,
  current: ReadonlyMap<string, WaitingJob>,
): CiStatus {
  const needed = needs.map(({ name }) => current.get(name)).filter((job) => job !== undefined)
  return needed.length === 0 ? 'success' : derivePipelineStatus(needed, { isNeeded: true })
}
