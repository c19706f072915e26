// The process of `serve` if several workers are configured (BLOOMERY_WORKERS). It starts workers, replaces those that
// die, and forwards their messages. It serves no requests and knows no feature, so that it is small and unlikely to die.
import cluster, { type Worker } from 'node:cluster'
import { monotonic_ms, systemClock } from '../kernel/clock.ts'
import { handOffConnections } from './hand-off-connections.ts'
import type { ToSupervisor, ToWorker } from './messages.ts'

/** A worker that dies earlier than this is restarted with growing delays. */
const settled_ms = 10_000
const pause_ms_first = 500
const pause_ms_max = 10_000
/** The time that workers have to stop. Each worker gives up slightly earlier by itself. */
const stop_ms_max = 28_000
/** The time that workers have to respond to another worker. */
const response_ms_max = 10_000
/**
 * The time that the holder of the write turn has to return it. Then the next worker gets the turn; SQLite's
 * lock still protects the database.
 */
const turn_ms_max = 5_000

type Slot = {
  index: number
  worker: Worker | undefined
  isReady: boolean
  started_ms: number
  pause_ms: number
}

/** A request of a worker to all others: the worker's number for it, and the workers that have not responded yet. */
type Request = {
  slot: Slot
  own_id: number
  awaited: Set<Slot>
  values: unknown[]
  timer: NodeJS.Timeout
}

/**
 * Runs the server in `count` worker processes until SIGTERM or SIGINT, which lets each of them finish its requests; a
 * second signal ends them at once. Resolves to the exit status. Node shares their listening ports between them.
 */
export function superviseWorkers(script: string, count: number): Promise<number> {
  return new Supervisor(script, count).run()
}

class Supervisor {
  readonly #script: string
  readonly #slots: Slot[]
  readonly #ended = Promise.withResolvers<number>()
  /** By id of the supervisor, since the ids of a worker start again with its replacement. */
  readonly #requests = new Map<number, Request>()
  #lastRequest = 0
  /** The workers that wait for the write turn. The first one holds it. */
  readonly #turns: Slot[] = []
  #turnTimer: NodeJS.Timeout | undefined
  #hasServed = false
  #isStopping = false

  constructor(script: string, count: number) {
    this.#script = script
    this.#slots = Array.from({ length: count }, (_, index) => ({
      index,
      worker: undefined,
      isReady: false,
      started_ms: 0,
      pause_ms: pause_ms_first,
    }))
  }

  run(): Promise<number> {
    process.on('SIGTERM', () => this.#stop())
    process.on('SIGINT', () => this.#stop())
    process.on('SIGHUP', () => this.#sendAll({ type: 'reload' }))
    // Errors are ignored, since the reader of the log may have gone.
    process.stdout.on('error', () => {})
    // The others start after the first has created what all of them need: the schema, keys and the first account.
    this.#start(this.#slots[0] as Slot)
    return this.#ended.promise
  }

  #start(slot: Slot): void {
    if (this.#isStopping) return
    const role = slot.index === 0 ? 'first' : 'further'
    cluster.setupPrimary({
      exec: this.#script,
      args: [
        'worker',
        role,
        String(this.#slots.length),
        ...(this.#hasServed ? ['replacement'] : []),
      ],
    })
    const worker = cluster.fork()
    handOffConnections(worker)
    slot.worker = worker
    slot.isReady = false
    slot.started_ms = systemClock().getTime()
    const began_ms = monotonic_ms()
    worker.on('message', (message: ToSupervisor) => this.#receive(slot, message))
    worker.on('error', () => {})
    worker.once('exit', (code, signal) => {
      const lived_ms = monotonic_ms() - began_ms
      this.#forget(slot)
      this.#afterExit(slot, { code, signal, lived_ms, pid: worker.process.pid })
    })
    this.#tellEarliestStart()
  }

  #afterExit(
    slot: Slot,
    end: { code: number; signal: string | null; lived_ms: number; pid: number | undefined },
  ): void {
    const { code, signal, lived_ms, pid } = end
    if (this.#isStopping) {
      if (this.#slots.every(({ worker }) => !worker)) this.#ended.resolve(0)
      return
    }
    if (!this.#hasServed) {
      // The worker has logged why it could not start.
      this.#ended.resolve(code || 1)
      return
    }
    const isSettled = lived_ms >= settled_ms
    if (isSettled) slot.pause_ms = pause_ms_first
    const wait_ms = isSettled ? 0 : slot.pause_ms
    if (!isSettled) slot.pause_ms = Math.min(slot.pause_ms * 2, pause_ms_max)
    log('worker died, restarting', {
      worker: slot.index + 1,
      worker_pid: pid,
      code,
      signal,
      wait_ms,
    })
    setTimeout(() => this.#start(slot), wait_ms)
  }

  /** Removes a dead worker from everything that waits for it. */
  #forget(slot: Slot): void {
    slot.worker = undefined
    slot.isReady = false
    for (const [id, request] of this.#requests) {
      if (request.slot === slot) this.#end(id, request)
      else this.#complete(id, slot)
    }
    if (this.#turns[0] === slot) this.#passTurn()
    else this.#leaveTurns(slot)
    this.#tellEarliestStart()
  }

  #receive(slot: Slot, message: ToSupervisor): void {
    switch (message.type) {
      case 'ready':
        this.#becomeReady(slot)
        break
      case 'broadcast':
        this.#sendAll(message, slot)
        break
      case 'request':
        this.#forward(slot, message)
        break
      case 'response':
        this.#takeResponse(slot, message)
        break
      case 'request_turn':
        this.#turns.push(slot)
        if (this.#turns.length === 1) this.#giveTurn()
        else if (this.#turns.length === 2) this.#wantTurn()
        break
      case 'release_turn':
        if (this.#turns[0] === slot) this.#passTurn()
        break
    }
  }

  #becomeReady(slot: Slot): void {
    slot.isReady = true
    if (this.#hasServed) return
    this.#hasServed = true
    for (const other of this.#slots.slice(1)) this.#start(other)
  }

  #forward(slot: Slot, { id: own_id, topic, value }: ToSupervisor & { type: 'request' }): void {
    const awaited = new Set(this.#slots.filter((other) => other !== slot && other.isReady))
    const id = ++this.#lastRequest
    const timer = setTimeout(() => this.#giveUp(id), response_ms_max)
    this.#requests.set(id, { slot, own_id, awaited, values: [], timer })
    for (const other of awaited) send(other, { type: 'request', id, topic, value })
    if (awaited.size === 0) this.#complete(id, slot)
  }

  #takeResponse(slot: Slot, { id, value }: ToSupervisor & { type: 'response' }): void {
    const request = this.#requests.get(id)
    if (!request?.awaited.has(slot)) return
    request.values.push(value)
    this.#complete(id, slot)
  }

  /** Records that a worker has responded or died, and sends the responses back once all are there. */
  #complete(id: number, from: Slot): void {
    const request = this.#requests.get(id)
    request?.awaited.delete(from)
    if (!request || request.awaited.size > 0) return
    this.#end(id, request)
    send(request.slot, { type: 'responses', id: request.own_id, values: request.values })
  }

  #end(id: number, { timer }: Request): void {
    clearTimeout(timer)
    this.#requests.delete(id)
  }

  /** Adds a null response for each worker that has not responded in time. */
  #giveUp(id: number): void {
    const request = this.#requests.get(id)
    for (const slot of [...(request?.awaited ?? [])]) {
      request?.values.push(null)
      this.#complete(id, slot)
    }
  }

  #giveTurn(): void {
    const [next, ...others] = this.#turns
    if (!next) return
    send(next, { type: 'turn_granted' })
    if (others.length > 0) this.#wantTurn()
  }

  /**
   * Notifies the holder of the turn that another worker waits, and passes the turn on if the holder does not
   * respond.
   */
  #wantTurn(): void {
    const [holder] = this.#turns
    if (holder) send(holder, { type: 'turn_wanted' })
    clearTimeout(this.#turnTimer)
    this.#turnTimer = setTimeout(() => this.#passTurn(), turn_ms_max)
  }

  #passTurn(): void {
    clearTimeout(this.#turnTimer)
    this.#turns.shift()
    this.#giveTurn()
  }

  #leaveTurns(slot: Slot): void {
    const at = this.#turns.indexOf(slot)
    if (at > 0) this.#turns.splice(at, 1)
  }

  /**
   * Sends the start time of the earliest running worker. Locks that are newer than it may be held by a
   * worker.
   */
  #tellEarliestStart(): void {
    const running = this.#slots.filter(({ worker }) => worker)
    if (running.length === 0) return
    const started_ms = Math.min(...running.map((slot) => slot.started_ms))
    this.#sendAll({ type: 'earliest_start', started_ms })
  }

  #sendAll(message: ToWorker, except?: Slot): void {
    for (const slot of this.#slots) if (slot !== except) send(slot, message)
  }

  #stop(): void {
    if (this.#isStopping) {
      for (const { worker } of this.#slots) worker?.process.kill('SIGKILL')
      this.#ended.resolve(1)
      return
    }
    this.#isStopping = true
    this.#sendAll({ type: 'stop' })
    if (this.#slots.every(({ worker }) => !worker)) this.#ended.resolve(0)
    setTimeout(() => {
      for (const { worker } of this.#slots) worker?.process.kill('SIGKILL')
    }, stop_ms_max).unref()
  }
}

function send({ worker }: Slot, message: ToWorker): void {
  // A stopping worker may have closed its end of the channel. The callback then gets the error, which is
  // ignored.
  if (worker?.isConnected()) worker.send(message, () => {})
}

/** Writes a line like those of the workers (docs/operating/README.md, "Load"). */
function log(msg: string, fields: Record<string, unknown>): void {
  const time = systemClock().getTime()
  process.stdout.write(`${JSON.stringify({ level: 50, time, ...fields, msg })}\n`)
}
