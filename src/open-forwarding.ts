// Adds forwarding to a server if repositories are on the disks of several servers (docs/decisions/0060). Loaded only
// then.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { families } from './features/families.ts'
import { backupDownloads, backupRequests } from './forwarding/backup-requests.ts'
import { Forwarder, type PeerNode } from './forwarding/forwarder.ts'
import { MirrorUpkeep } from './forwarding/mirror-upkeep.ts'
import { mirrorsFolder, runWithMirrors } from './forwarding/mirrors.ts'
import { factsHeader, verifyFacts } from './forwarding/signed-facts.ts'
import { createStorageOwnerClient } from './forwarding/storage-owner-client.ts'
import type { Instance } from './http/endpoint.ts'
import type { ForwardedFacts, RequestForwarder } from './http/forwarding.ts'
import { setStorageOwnerClient } from './http/storage-owner-request.ts'
import type { ForwardCommand } from './transports/git-ssh/run-command.ts'
import { forwardCommand } from './transports/nodes/forward-command.ts'
import { mountNodes } from './transports/nodes/nodes.ts'

export type Forwarding = RequestForwarder & {
  setNodes: (nodes: readonly PeerNode[]) => void
  forwardCommand: ForwardCommand
  close: () => void
}

/** Has the server answer what others ask it, and returns what sends them what it cannot answer itself. */
export function openForwarding(
  services: Instance,
  { server, look }: { server: FastifyInstance; look: () => Promise<void> },
): Forwarding {
  const { db, config, secretKey, clock, git } = services
  const forwarder = new Forwarder({ db, config, secretKey, clock, look, log: server.log })
  const upkeep = new MirrorUpkeep(
    { git: git.git, folder: mirrorsFolder(config), clock },
    { onError: (err) => server.log.error({ err }, 'upkeep of copies of repositories failed') },
  )
  setStorageOwnerClient(db, createStorageOwnerClient(forwarder))
  const storageOwnerRequests = [
    ...families.flatMap(({ storageOwnerRequests: own = [] }) => own),
    ...backupRequests,
  ]
  const storageOwnerDownloads = [
    ...families.flatMap(({ storageOwnerDownloads: own = [] }) => own),
    ...backupDownloads,
  ]
  if (config.nodeUrl !== undefined) {
    mountNodes(server, { ...services, storageOwnerRequests, storageOwnerDownloads })
  }
  return {
    forwardByAddress: (...asked) => forwarder.forwardByAddress(...asked),
    forwardToStorage: (...asked) => forwarder.forwardToStorage(...asked),
    runWithMirrors: (task) =>
      runWithMirrors({ git, config, secretKey, clock, forwarder, upkeep }, task),
    setNodes: (nodes) => forwarder.setNodes(nodes),
    forwardCommand: (storage, context) => forwardCommand(forwarder, storage, context),
    close() {
      upkeep.close()
      forwarder.close()
    },
  }
}

/** Returns what reads the header of a request that another server has forwarded. */
export function openForwardedFacts(signing: Pick<Instance, 'secretKey' | 'clock'>) {
  const known = new WeakMap<IncomingMessage, ForwardedFacts | 'invalid'>()
  return (request: IncomingMessage): ForwardedFacts | 'invalid' | undefined => {
    const header = request.headers[factsHeader]
    const { method = '', url = '' } = request
    // Those are for servers themselves, which look at the header there.
    if (typeof header !== 'string' || url.startsWith('/-/nodes/')) return undefined
    const found =
      known.get(request) ??
      verifyFacts<ForwardedFacts>(signing, { method, url: originalUrl(request), header }) ??
      'invalid'
    known.set(request, found)
    return found
  }
}

/** The URL as the client sent it; the router may see a different one. */
function originalUrl(request: IncomingMessage & { originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? ''
}
