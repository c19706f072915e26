// Connects the workers of one server (docs/operating/workers.md) with the features whose state they share.
import type { Peers } from './cluster/peers.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import {
  subscribeToPendingJobs,
  wakeLocalJobRequests,
} from './features/delivery/pipeline-changes/job-queue.ts'
import { setOtherServersLookup } from './features/operating/nodes/node-registry.ts'
import { ipThrottleOf } from './features/people/sessions/ip-throttle.ts'
import { closeRepositoriesAndCheckInUse } from './git/close-and-check-in-use.ts'
import type { GitAccess } from './git/git.ts'
import { listHeldLocks, setEarliestServerStart, setHeldLockLookup } from './git/stale-locks.ts'
import type { Metrics, MetricsSnapshot } from './http/metrics.ts'
import { mergeMetrics } from './http/metrics.ts'
import type { RateLimiter, WindowCounts } from './http/rate-limit.ts'
import type { Clock } from './kernel/clock.ts'
import { subscribeToEnqueuedTasks, wakeLane } from './tasks/task.ts'

/** How long counts of requests are collected before they are sent to the other workers. */
const gather_ms = 250

type Uses = {
  db: Db
  git: GitAccess
  clock: Clock
  config: Config
  rateLimiter: RateLimiter
  metrics: Metrics
}

/** Tells the other workers what they must know of this one, and takes in what they tell. Returns the function that ends it. */
export function connectPeers(peers: Peers, uses: Uses): () => void {
  shareTasks(peers)
  // On PostgreSQL workers are nodes too, and tell each other by the database (share-counts.ts).
  const endCounts = uses.config.databaseUrl === undefined ? shareCounts(peers, uses) : () => {}
  peers.onRequest('metrics', () => uses.metrics.registry.getMetricsAsJSON())
  // Nodes on PostgreSQL, which workers are too, know each other by rows.
  if (uses.config.databaseUrl === undefined) shareRepositories(peers, uses)
  return endCounts
}

/** Reads the metrics of all workers as one text. */
export async function readAllMetrics(peers: Peers, { registry }: Metrics): Promise<string> {
  const others = (await peers.requestAll('metrics', null)).filter((figures) => figures !== null)
  return mergeMetrics([await registry.getMetricsAsJSON(), ...(others as MetricsSnapshot[])])
}

/** Background tasks run in the first worker; runners ask any of them for jobs. */
function shareTasks(peers: Peers): void {
  if (peers.isFirst) peers.onBroadcast('task_queued', wakeLane)
  else subscribeToEnqueuedTasks((lane) => peers.broadcast('task_queued', lane))
  peers.onBroadcast('jobs_pending', wakeLocalJobRequests)
  subscribeToPendingJobs(() => peers.broadcast('jobs_pending', null))
}

function shareCounts(peers: Peers, { clock, config, rateLimiter }: Uses): () => void {
  const throttle = ipThrottleOf(config)
  throttle.onFailure((ip) => peers.broadcast('failed_sign_ins', ip))
  peers.onBroadcast('failed_sign_ins', (ip: string) =>
    throttle.recordFailureElsewhere(ip, clock().getTime()),
  )
  rateLimiter.collectCounts()
  peers.onBroadcast('rate_limit_counts', (counts: WindowCounts) => rateLimiter.addCounts(counts))
  const timer = setInterval(() => {
    const counts = rateLimiter.takeCounts()
    if (counts.length > 0) peers.broadcast('rate_limit_counts', counts)
  }, gather_ms).unref()
  return () => clearInterval(timer)
}

function shareRepositories(peers: Peers, { db, git }: Uses): void {
  peers.onRequest('repository_in_use', (path: string) =>
    closeRepositoriesAndCheckInUse(git, [{ path }]),
  )
  setOtherServersLookup(db, {
    isInUseElsewhere: async ({ path }) =>
      (await peers.requestAll('repository_in_use', path)).some((isInUse) => isInUse !== false),
  })
  peers.onEarliestStart(setEarliestServerStart)
  peers.onRequest('held_locks', async (locks: string[]) => listHeldLocks(locks))
  setHeldLockLookup(async (_repository, locks) => {
    const answers = await peers.requestAll('held_locks', locks)
    // One that does not answer may hold them all.
    return answers.flatMap((held) => (Array.isArray(held) ? held : locks))
  })
}
