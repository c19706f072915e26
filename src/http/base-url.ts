import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { badRequest } from '../kernel/errors.ts'

/**
 * Returns the public base URL: the configured one, or that of the request, which trusted proxies can set by
 * `X-Forwarded-Host` and `X-Forwarded-Proto`.
 */
export function baseUrlOf({ url }: Config, request: FastifyRequest): string {
  if (url) return url
  const { host, protocol } = request
  // The header is included in links and redirects, so it must be a valid host.
  if (!/^[A-Za-z0-9._-]+(:\d+)?$|^\[[0-9a-fA-F:.]+\](:\d+)?$/.test(host)) {
    throw badRequest('invalid Host header')
  }
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`
}

/** `ssh://git@host:port`, the base of a project's `ssh_url_to_repo`. */
export function sshBaseUrl(baseUrl: string, sshPort: number): string {
  const { hostname } = new URL(baseUrl)
  return sshPort === 22 || sshPort === 0
    ? `ssh://git@${hostname}`
    : `ssh://git@${hostname}:${sshPort}`
}
