// The endpoints for load balancers and monitors, outside the API.
import { BlockList, isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { isLoopbackAddress, plainAddress } from '../kernel/addresses.ts'
import { unknownRoute } from '../kernel/errors.ts'
import { digestToken } from '../kernel/ids.ts'
import { bearerToken } from './credentials.ts'
import type { Stall } from './watchdog.ts'

export type Health = {
  /** Throws when the instance cannot serve. */
  check: () => Promise<void>
  readLanes: () => Promise<LaneFigures[]>
  config: Config
}

/** How a lane of background tasks stands; `waiting_s_max` is for how long the oldest has been due. */
type LaneFigures = {
  lane: string
  waiting: number
  waiting_s_max: number
  running: number
  failed: number
}

export type Metrics = {
  registry: Registry
  observe: (request: { method: string; route: string; status: number }, duration_ms: number) => void
  countStall: (stall: Stall) => void
  countTaskFailure: (task: { name: string; lane: string }) => void
  showLanes: (lanes: readonly LaneFigures[]) => void
}

/** Counters of this process in Prometheus' form, beside the figures of the lanes, which all nodes share. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'bloomery_' })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'bloomery_http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'bloomery_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const stalls = new Counter({
    name: 'bloomery_event_loop_stalls_total',
    help: 'Times the event loop stood still for more than 200 ms, by what was under way.',
    labelNames: ['work'],
    registers: [registry],
  })
  const longest = new Gauge({
    name: 'bloomery_event_loop_stall_longest_seconds',
    help: 'The longest time the event loop has stood still.',
    registers: [registry],
  })
  const failures = new Counter({
    name: 'bloomery_task_failures_total',
    help: 'Runs of background tasks that failed in this process.',
    labelNames: ['lane', 'task'],
    registers: [registry],
  })
  const laneGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['lane'], registers: [registry] })
  const laneGauges = {
    waiting: laneGauge(
      'bloomery_tasks_waiting',
      'Background tasks that are due and not begun, counted up to 10,000.',
    ),
    waiting_s_max: laneGauge(
      'bloomery_tasks_waiting_longest_seconds',
      'How long the oldest of them has been due.',
    ),
    running: laneGauge('bloomery_tasks_running', 'Background tasks that run.'),
    failed: laneGauge('bloomery_tasks_failed', 'Background tasks that rest until restarted.'),
  }
  let longest_ms = 0
  return {
    registry,
    showLanes(lanes) {
      for (const { lane, ...figures } of lanes) {
        for (const name of Object.keys(laneGauges) as (keyof typeof laneGauges)[]) {
          laneGauges[name].set({ lane }, figures[name])
        }
      }
    },
    countTaskFailure({ name, lane }) {
      failures.inc({ lane, task: name })
    },
    countStall({ work, duration_ms }) {
      stalls.inc({ work })
      longest_ms = Math.max(longest_ms, duration_ms)
      longest.set(longest_ms / 1000)
    },
    observe({ method, route, status }, duration_ms) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, duration_ms / 1000)
    },
  }
}

/** Serves the monitors. The metrics tell of traffic and load, so they are not for everybody. */
export function mountHealth(
  app: FastifyInstance,
  { check, readLanes, config }: Health,
  { registry, showLanes }: Metrics,
): void {
  const isReader = metricsReaders(config)
  app.get('/-/health', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=utf-8').send('GitLab OK'),
  )
  app.get('/-/liveness', async () => ({ status: 'ok' }))
  app.get('/-/readiness', async (request, reply) => {
    try {
      await check()
      return { status: 'ok' }
    } catch (error) {
      request.log.error({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'failed' })
    }
  })
  app.get('/-/metrics', async (request, reply) => {
    if (!isReader(request)) throw unknownRoute()
    try {
      showLanes(await readLanes())
    } catch (error) {
      // Without its database the process still tells of itself.
      request.log.error({ err: error }, 'lanes not read')
    }
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/**
 * Whether a request comes from the machine itself, from a listed address, or with the token. A request that
 * a proxy on the machine hands on counts as coming from elsewhere, trusted or not.
 */
function metricsReaders({
  metricsFrom,
  metricsToken,
}: Config): (request: FastifyRequest) => boolean {
  const listed = new BlockList()
  for (const entry of metricsFrom) {
    const [address = '', length] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (length === undefined) listed.addAddress(address, family)
    else listed.addSubnet(address, Number(length), family)
  }
  const token = metricsToken === undefined ? undefined : digestToken(metricsToken)
  return ({ ip, headers, socket }) => {
    const given = bearerToken(headers.authorization)
    if (token !== undefined && given !== undefined && digestToken(given) === token) return true
    const address = plainAddress(ip)
    const isHandedOn = headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress
    if (isHandedOn) return false
    return isLoopbackAddress(ip) || listed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}
