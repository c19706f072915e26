import type { Config } from '../config.ts'

/** Returns the base URL of the server outside of requests: the configured one, or the address it listens on. */
export function serverUrl({ url, host, port }: Config): string {
  return url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
