// The worker's side of messages between the workers of a server.
import type { PeerTopic, ToSupervisor, ToWorker } from './messages.ts'
import { WriteLock } from './write-lock.ts'

export type Peers = {
  /**
   * Whether this worker runs what only one process may run: migrations, background tasks, the built-in
   * runner.
   */
  readonly isFirst: boolean
  /** The number of workers, including this one. */
  readonly count: number
  /**
   * Whether this worker replaces one of a server that is already running, so that nothing is printed for the
   * operator again.
   */
  readonly isReplacement: boolean
  /** The turn to write to the SQLite file. */
  readonly writeTurn: WriteLock
  /** Sends `value` to all other workers. A worker that is just starting does not receive it. */
  broadcast(topic: PeerTopic, value: unknown): void
  /** Calls `hear` with each broadcast of other workers under the topic. */
  onBroadcast(topic: PeerTopic, hear: (value: never) => void): void
  /**
   * Sends a request to all other running workers and resolves to their responses. The response of a worker
   * that failed or took too long is null.
   */
  requestAll(topic: PeerTopic, value: unknown): Promise<unknown[]>
  /** Responds to requests of other workers under the topic. */
  onRequest(topic: PeerTopic, responder: (value: never) => Promise<unknown>): void
  /** Reports that this worker serves requests. */
  ready(): void
  /** Calls `stop` when the supervisor stops the server. */
  onStop(stop: () => void): void
  /** Calls `reload` when the settings must be loaded again. */
  onReload(reload: () => void): void
  /**
   * Calls `set` now and after each change with the time in milliseconds since 1970 when the first of the
   * running workers started.
   */
  onEarliestStart(set: (started_ms: number) => void): void
}

/** Adds up the numbers that the other workers respond with; one that does not respond counts as 0. */
export async function sumOverPeers(
  peers: Pick<Peers, 'requestAll'>,
  topic: PeerTopic,
  value: unknown,
): Promise<number> {
  const numbers = (await peers.requestAll(topic, value)) as (number | null)[]
  return numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0)
}

/** Opens the channel of this process to its supervisor. Throws in a process that a supervisor has not started. */
export function openPeers(place: Pick<Peers, 'isFirst' | 'count' | 'isReplacement'>): Peers {
  if (!process.send) throw new Error('A worker is started by its supervisor alone.')
  const send = (message: ToSupervisor) => {
    // Without a connection to the supervisor the worker is stopping.
    if (process.connected) process.send?.(message)
  }
  const writeTurn = new WriteLock(send)
  const listeners = new Map<PeerTopic, (value: never) => void>()
  const responders = new Map<PeerTopic, (value: never) => Promise<unknown>>()
  const requests = new Map<number, (values: unknown[]) => void>()
  let lastRequest = 0
  let stop = () => {}
  let reload = () => {}
  let setEarliestStart = (_started_ms: number) => {}
  let earliest_ms: number | undefined

  const respond = async ({ topic, value, id }: ToWorker & { type: 'request' }) => {
    const responder = responders.get(topic)
    const found = await responder?.(value as never).catch(() => null)
    send({ type: 'response', id, value: found ?? null })
  }
  process.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'broadcast':
        listeners.get(message.topic)?.(message.value as never)
        break
      case 'request':
        void respond(message)
        break
      case 'responses':
        requests.get(message.id)?.(message.values)
        requests.delete(message.id)
        break
      case 'turn_granted':
        writeTurn.granted()
        break
      case 'turn_wanted':
        writeTurn.wanted()
        break
      case 'earliest_start':
        earliest_ms = message.started_ms
        setEarliestStart(earliest_ms)
        break
      case 'reload':
        reload()
        break
      case 'stop':
        stop()
        break
    }
  })
  // Exits at once: a new server may start now, and would treat all older locks in repositories as stale.
  process.on('disconnect', () => process.exit(1))
  return {
    ...place,
    writeTurn,
    broadcast(topic, value) {
      send({ type: 'broadcast', topic, value })
    },
    onBroadcast(topic, hear) {
      listeners.set(topic, hear)
    },
    requestAll(topic, value) {
      const id = ++lastRequest
      return new Promise((resolve) => {
        requests.set(id, resolve)
        send({ type: 'request', id, topic, value })
      })
    },
    onRequest(topic, responder) {
      responders.set(topic, responder)
    },
    ready() {
      send({ type: 'ready' })
    },
    onStop(given) {
      stop = given
    },
    onReload(given) {
      reload = given
    },
    onEarliestStart(set) {
      setEarliestStart = set
      if (earliest_ms !== undefined) set(earliest_ms)
    },
  }
}
