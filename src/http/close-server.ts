import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'

/** Stops accepting connections, waits for running requests, and closes idle connections of clients. */
export function closeServer(server: Server | TlsServer): Promise<void> {
  // The connection of a request that is still answered ends soon after, and not when its client lets go of it.
  server.keepAliveTimeout = 1
  server.closeIdleConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
