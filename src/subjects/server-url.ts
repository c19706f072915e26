import type { Config } from '../config.ts'

/** The base URL of the server where no request says it: the configured one, or where it listens. */
export function serverUrl({ url, host, port }: Config): string {
  return url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
