// Metrics of background tasks under the names that clients of the real product know: a lane is a queue, and a task is a
// job.
import { hostname } from 'node:os'
import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { endpointFactory, type Instance } from '../../../http/endpoint.ts'
import { namedObject } from '../../../http/schema.ts'
import { monotonic_ms } from '../../../kernel/clock.ts'
import { type LaneStats, readLaneStats } from '../../../tasks/lane-stats.ts'
import { taskRunCounts } from '../../../tasks/run-counts.ts'
import { laneNames, lanes } from '../../../tasks/task.ts'

const QueuesJson = Type.Record(
  Type.String(),
  namedObject('TaskQueue', { backlog: Type.Integer(), latency: Type.Integer() }),
)
const ProcessesJson = Type.Array(
  namedObject('TaskProcess', {
    hostname: Type.String(),
    pid: Type.Integer(),
    tag: Type.String(),
    started_at: Type.String(),
    queues: Type.Array(Type.String()),
    labels: Type.Array(Type.String()),
    concurrency: Type.Integer(),
    busy: Type.Integer(),
  }),
)
const JobsJson = namedObject('TaskCounts', {
  processed: Type.Integer(),
  failed: Type.Integer(),
  enqueued: Type.Integer(),
  dead: Type.Integer(),
})

const sum = (figures: readonly LaneStats[], of: 'waiting' | 'running' | 'failed') =>
  figures.reduce((total, figure) => total + figure[of], 0)

async function readMetrics({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
  const figures = await readLaneStats(db, clock())
  const queues = Object.fromEntries(
    figures.map(({ lane, waiting, waiting_s_max }) => [
      lane,
      { backlog: waiting, latency: Math.max(0, Math.round(waiting_s_max)) },
    ]),
  )
  const processes = [
    {
      hostname: hostname(),
      pid: process.pid,
      tag: 'bloomery',
      started_at: new Date(clock().getTime() - monotonic_ms()).toISOString(),
      queues: laneNames,
      labels: [],
      concurrency: Object.values(lanes).reduce((total, count) => total + count, 0),
      busy: sum(figures, 'running'),
    },
  ]
  const jobs = { ...taskRunCounts, enqueued: sum(figures, 'waiting'), dead: sum(figures, 'failed') }
  return { queues, processes, jobs }
}

const endpoint = endpointFactory({ tag: 'Background tasks' })

export const taskMetricsEndpoints = [
  endpoint({
    route: 'GET /sidekiq/queue_metrics',
    summary: 'Get the queues of background tasks',
    allow: administrators,
    answer: Type.Object({ queues: QueuesJson }),
    run: async (context) => ({ queues: (await readMetrics(context)).queues }),
  }),

  endpoint({
    route: 'GET /sidekiq/process_metrics',
    summary: 'Get the process that runs background tasks',
    allow: administrators,
    answer: Type.Object({ processes: ProcessesJson }),
    run: async (context) => ({ processes: (await readMetrics(context)).processes }),
  }),

  endpoint({
    route: 'GET /sidekiq/job_stats',
    summary: 'Get the number of background tasks that are processed, failed and waiting',
    allow: administrators,
    answer: Type.Object({ jobs: JobsJson }),
    run: async (context) => ({ jobs: (await readMetrics(context)).jobs }),
  }),

  endpoint({
    route: 'GET /sidekiq/compound_metrics',
    summary: 'Get all metrics of background tasks',
    allow: administrators,
    answer: Type.Object({ queues: QueuesJson, processes: ProcessesJson, jobs: JobsJson }),
    run: readMetrics,
  }),
]
