// The metrics of /-/metrics in Prometheus' format (docs/operating/monitoring.md). Labels are routes, lanes and kinds
// defined here, never text from clients, so that the number of series is bounded.
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { PoolStats } from '../db/pool-stats.ts'
import type { DiskSpace } from '../disk/disk.ts'
import type { GitLimiterStats } from '../git/git-limiter.ts'
import type { Stall } from './watchdog.ts'

/** The state of a lane of background tasks. `waiting_s_max` is how long the oldest task has been due, in seconds. */
export type LaneMetrics = {
  lane: string
  waiting: number
  waiting_s_max: number
  running: number
  failed: number
}

export type Metrics = {
  registry: Registry
  observe: (request: { method: string; route: string; status: number }, duration_ms: number) => void
  countGit: (command: { service: string; transport: 'http' | 'ssh'; isDone: boolean }) => void
  countStorageCall: (call: { method: string; isDone: boolean; duration_ms: number }) => void
  countStall: (stall: Stall) => void
  countTaskFailure: (task: { name: string; lane: string }) => void
  showLanes: (lanes: readonly LaneMetrics[]) => void
}

/** The functions that the metrics are read from at each request. */
export type MetricSources = {
  turns: () => readonly GitLimiterStats[]
  pool: () => PoolStats
  disks: () => readonly DiskSpace[]
  free_bytes_min: () => number
}

export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * Merges the metrics of several workers of one server into one text in Prometheus' format. Counters are added up. Figures
 * that all workers share, such as free disk space, are taken from the first.
 */
export function mergeMetrics(figures: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...figures]).metrics()
}

/** Creates the counters of this process and the figures of task lanes, which all nodes share. */
export function createMetrics(watched: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'bloomery_' })
  const requests = new Counter({
    name: 'bloomery_http_requests_total',
    help: 'HTTP requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'bloomery_http_request_duration_seconds',
    help: 'Time from the request to the end of the response.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const gits = new Counter({
    name: 'bloomery_git_operations_total',
    help: 'Pushes (receive-pack) and clones and fetches (upload-pack) that have ended.',
    labelNames: ['service', 'transport', 'result'],
    registers,
  })
  const storageCalls = new Histogram({
    name: 'bloomery_object_storage_call_duration_seconds',
    help: 'Calls of the object storage (S3): time until it began to answer.',
    labelNames: ['method', 'result'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const stalls = new Counter({
    name: 'bloomery_event_loop_stalls_total',
    help: 'Times the event loop stalled for more than 200 ms, by the work that ran.',
    labelNames: ['work'],
    registers,
  })
  const longest = new Gauge({
    name: 'bloomery_event_loop_stall_longest_seconds',
    help: 'The longest stall of the event loop.',
    registers,
    aggregator: 'max',
  })
  const failures = new Counter({
    name: 'bloomery_task_failures_total',
    help: 'Runs of background tasks that failed in this process.',
    labelNames: ['lane', 'task'],
    registers,
  })
  new Gauge({
    name: 'bloomery_workers',
    help: 'Processes that serve requests (BLOOMERY_WORKERS).',
    registers,
  }).set(1)
  watchGauges(registry, watched)
  let longest_ms = 0
  return {
    registry,
    showLanes: laneGauges(registry),
    countTaskFailure({ name, lane }) {
      failures.inc({ lane, task: name })
    },
    countStall({ work, duration_ms }) {
      stalls.inc({ work })
      longest_ms = Math.max(longest_ms, duration_ms)
      longest.set(longest_ms / 1000)
    },
    countStorageCall({ method, isDone, duration_ms }) {
      storageCalls.observe({ method, result: isDone ? 'done' : 'failed' }, duration_ms / 1000)
    },
    countGit({ service, transport, isDone }) {
      gits.inc({ service, transport, result: isDone ? 'done' : 'refused' })
    },
    observe({ method, route, status }, duration_ms) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, duration_ms / 1000)
    },
  }
}

function laneGauges(registry: Registry): Metrics['showLanes'] {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['lane'], registers: [registry], aggregator: 'first' })
  const gauges = {
    waiting: gauge(
      'bloomery_tasks_waiting',
      'Background tasks that are due and not started, counted up to 10,000.',
    ),
    waiting_s_max: gauge(
      'bloomery_tasks_waiting_longest_seconds',
      'How long the oldest due background task has been waiting.',
    ),
    running: gauge('bloomery_tasks_running', 'Background tasks that are running.'),
    failed: gauge(
      'bloomery_tasks_failed',
      'Background tasks that failed permanently, until restarted.',
    ),
  }
  return (lanes) => {
    for (const { lane, ...figures } of lanes) {
      for (const name of Object.keys(gauges) as (keyof typeof gauges)[]) {
        gauges[name].set({ lane }, figures[name])
      }
    }
  }
}

function watchGauges(registry: Registry, watched: MetricSources): void {
  const watch = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    read: () => Iterable<readonly [string, number]>,
    aggregator: 'sum' | 'first' = 'sum',
  ) => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      aggregator,
      collect() {
        this.reset()
        for (const [value, figure] of read()) this.set({ [label]: value } as never, figure)
      },
    })
  }
  const { turns, pool, disks, free_bytes_min } = watched
  watch('bloomery_git_processes_running', 'Programs of git, by what they are for.', 'kind', () =>
    turns().map(({ kind, running }) => [kind, running] as const),
  )
  watch('bloomery_git_processes_waiting', 'Who waits for a program of git.', 'kind', () =>
    turns().map(({ kind, waiting }) => [kind, waiting] as const),
  )
  watch('bloomery_git_processes_limit', 'How many may run at once.', 'kind', () =>
    turns().map(({ kind, running_max }) => [kind, running_max] as const),
  )
  watch('bloomery_database_connections', 'Connections to the database.', 'state', () =>
    Object.entries(pool()),
  )
  watch(
    'bloomery_disk_free_bytes',
    'Room on the disk of the data folder and each storage.',
    'place',
    () => disks().map(({ place, free_bytes }) => [place, free_bytes] as const),
    'first',
  )
  watch(
    'bloomery_disk_size_bytes',
    'The size of that disk.',
    'place',
    () => disks().map(({ place, size_bytes }) => [place, size_bytes] as const),
    'first',
  )
  watch(
    'bloomery_disk_free_min_bytes',
    'Below this much nothing more is written.',
    'place',
    () => disks().map(({ place }) => [place, free_bytes_min()] as const),
    'first',
  )
}
