// The endpoints for load balancers and monitors, outside the API.
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Health = {
  /** Throws when the instance cannot serve. */
  check: () => Promise<void>
}

export type Metrics = {
  registry: Registry
  observe: (request: { method: string; route: string; status: number }, duration_ms: number) => void
}

/** Counters of this process in Prometheus' form. */
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
  return {
    registry,
    observe({ method, route, status }, duration_ms) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, duration_ms / 1000)
    },
  }
}

export function mountHealth(app: FastifyInstance, { check }: Health, { registry }: Metrics): void {
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
  app.get('/-/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
}
