// The side of a worker process: what it says to the other workers of the server, and hears of them.
import type { Topic, ToSupervisor, ToWorker } from './messages.ts'
import { WriteTurn } from './write-turn.ts'

export type Peers = {
  /** Whether this worker runs what one process alone does: migrations, background tasks, the built-in runner. */
  readonly isFirst: boolean
  /** How many workers there are, this one included. */
  readonly count: number
  /** Whether the server serves already, so that its operator has been greeted. */
  readonly isReplacement: boolean
  /** Whose turn it is to write to the SQLite file. */
  readonly writeTurn: WriteTurn
  /** Tells all other workers; one that is being started hears nothing. */
  tell(topic: Topic, value: unknown): void
  /** Calls `hear` with what the others tell. */
  hear(topic: Topic, hear: (value: never) => void): void
  /** Asks all other workers that serve, and resolves to their answers; null stands for one that failed or took too long. */
  ask(topic: Topic, value: unknown): Promise<unknown[]>
  /** Answers what others ask. */
  answer(topic: Topic, answer: (value: never) => Promise<unknown>): void
  /** Says that this worker serves. */
  ready(): void
  /** Calls `stop` when the supervisor says so. */
  onStop(stop: () => void): void
  /** Calls `reload` when settings are to be read again. */
  onReload(reload: () => void): void
  /** Calls `set` with when the first of the workers started that run, in milliseconds since 1970, now and whenever that changes. */
  onEarliestStart(set: (started_ms: number) => void): void
}

/** Opens the channel of this process to its supervisor. Throws in a process that a supervisor has not started. */
export function openPeers(place: Pick<Peers, 'isFirst' | 'count' | 'isReplacement'>): Peers {
  if (!process.send) throw new Error('A worker is started by its supervisor alone.')
  const send = (message: ToSupervisor) => {
    // Without a supervisor the worker is stopping.
    if (process.connected) process.send?.(message)
  }
  const writeTurn = new WriteTurn(send)
  const listeners = new Map<Topic, (value: never) => void>()
  const answerers = new Map<Topic, (value: never) => Promise<unknown>>()
  const questions = new Map<number, (values: unknown[]) => void>()
  let lastQuestion = 0
  let stop = () => {}
  let reload = () => {}
  let setEarliestStart = (_started_ms: number) => {}
  let earliest_ms: number | undefined

  const reply = async ({ topic, value, from, id }: ToWorker & { type: 'asked' }) => {
    const answered = await answerers
      .get(topic)?.(value as never)
      .catch(() => null)
    send({ type: 'answer', id, to: from, value: answered ?? null })
  }
  process.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'told':
        listeners.get(message.topic)?.(message.value as never)
        break
      case 'asked':
        void reply(message)
        break
      case 'answered':
        questions.get(message.id)?.(message.values)
        questions.delete(message.id)
        break
      case 'turn':
        writeTurn.given()
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
  // A new server may start at once, and takes all locks in repositories for left behind that are older than itself.
  process.on('disconnect', () => process.exit(1))
  return {
    ...place,
    writeTurn,
    tell(topic, value) {
      send({ type: 'tell', topic, value })
    },
    hear(topic, hear) {
      listeners.set(topic, hear)
    },
    ask(topic, value) {
      const id = ++lastQuestion
      return new Promise((resolve) => {
        questions.set(id, resolve)
        send({ type: 'ask', id, topic, value })
      })
    },
    answer(topic, answer) {
      answerers.set(topic, answer)
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
