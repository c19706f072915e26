// Endpoints for load balancers and monitoring, outside of the API.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { logFailure } from '../db/database-away.ts'
import { diskFullText, isNearlyFull, listDisks } from '../disk/disk.ts'
import { unknownRoute } from '../kernel/errors.ts'
import { digestToken } from '../kernel/ids.ts'
import { createIpMatcher, isLoopbackAddress } from '../kernel/ip-addresses.ts'
import { bearerToken } from './credentials.ts'
import type { LaneMetrics, Metrics } from './metrics.ts'

export type Health = {
  /** Throws when the instance cannot serve. */
  check: () => Promise<void>
  /** Whether it goes on serving only until proxies send requests to other servers. */
  isStopping: () => boolean
  readLanes: () => Promise<LaneMetrics[]>
  /** The metrics of this process, or of all workers of the server, in Prometheus' form. */
  readMetrics: () => Promise<string>
  config: Config
}

/** Serves the health checks and metrics. Metrics reveal traffic and load, so access to them is restricted. */
export function mountHealth(
  app: FastifyInstance,
  { check, isStopping, readLanes, readMetrics, config }: Health,
  { registry, showLanes }: Metrics,
): void {
  const isReader = metricsReaders(config)
  app.get('/-/health', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=utf-8').send('GitLab OK'),
  )
  app.get('/-/liveness', async () => ({ status: 'ok' }))
  app.get('/-/readiness', async (request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'failed' })
    try {
      await check()
      const full = listDisks(config).filter((disk) => isNearlyFull(config, disk))
      if (full.length === 0) return { status: 'ok' }
      // Reads still work, so the server stays in service.
      const disk_check = full.map((disk) => ({
        status: 'failed',
        message: diskFullText(disk, config),
        labels: { place: disk.place },
      }))
      return { status: 'ok', disk_check }
    } catch (error) {
      logFailure(request.log, error, { event: 'readiness check failed' })
      return reply.code(503).send({ status: 'failed' })
    }
  })
  app.get('/-/metrics', async (request, reply) => {
    if (!isReader(request)) throw unknownRoute()
    try {
      showLanes(await readLanes())
    } catch (error) {
      // Without the database, the figures of the process itself are still reported.
      logFailure(request.log, error, { event: 'reading task lanes for metrics failed' })
    }
    return reply.header('content-type', registry.contentType).send(await readMetrics())
  })
}

/**
 * Whether a request comes from the machine itself, from a listed address, or with the token. A request that
 * a proxy on the machine hands on counts as coming from elsewhere, trusted or not.
 */
function metricsReaders(config: Config): (request: FastifyRequest) => boolean {
  let known: Pick<Config, 'metricsFrom' | 'metricsToken'> | undefined
  let isReader: (request: FastifyRequest) => boolean = () => false
  return (request) => {
    const { metricsFrom, metricsToken } = config
    // They may have been read again.
    if (known?.metricsFrom !== metricsFrom || known.metricsToken !== metricsToken) {
      known = { metricsFrom, metricsToken }
      isReader = readersOf(known)
    }
    return isReader(request)
  }
}

function readersOf({
  metricsFrom,
  metricsToken,
}: Pick<Config, 'metricsFrom' | 'metricsToken'>): (request: FastifyRequest) => boolean {
  const isListed = createIpMatcher(metricsFrom)
  const token = metricsToken === undefined ? undefined : digestToken(metricsToken)
  return ({ ip, headers, socket }) => {
    const given = bearerToken(headers.authorization)
    if (token !== undefined && given !== undefined && digestToken(given) === token) return true
    const isHandedOn = headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress
    if (isHandedOn) return false
    return isLoopbackAddress(ip) || isListed(ip)
  }
}
