// Sends the log of a job to the server while it grows, and learns from the responses whether the job was canceled.
import { setTimeout as wait } from 'node:timers/promises'
import type { JobUpdate } from '../src/ci/protocol.ts'
import type { JobLog } from './job-log.ts'
import { isRetryable, type ProtocolClient, type ServerAnswer } from './protocol-client.ts'

const piece_bytes_max = 1024 * 1024
/** How often new output is sent, until the server sets another interval. */
const interval_s_first = 1
const interval_s_max = 60
/**
 * After so long without output the runner asks whether the job was canceled. A little less than the server's interval of 3 s,
 * so that each round of the loop asks.
 */
const touch_ms = 2500
const attempts_max = 10

/** What the server wants of a job: to continue, to stop with its after_script, or to stop at once. */
export type ServerJobVerdict = 'running' | 'canceling' | 'ended'

export type FinalJobState = Pick<JobUpdate, 'state' | 'failure_reason' | 'exit_code'>

export class LogSender {
  readonly #client: ProtocolClient
  readonly #job: { id: number; token: string }
  readonly #log: JobLog
  readonly #isDebug: boolean
  readonly #onVerdict: (verdict: ServerJobVerdict) => void
  readonly #stopping = new AbortController()
  #sent = 0
  #interval_ms = interval_s_first * 1000
  #heard_ms = Date.now()
  #hasEnded = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: {
    client: ProtocolClient
    job: { id: number; token: string }
    log: JobLog
    isDebug: boolean
    onVerdict: (verdict: ServerJobVerdict) => void
  }) {
    this.#client = options.client
    this.#job = options.job
    this.#log = options.log
    this.#isDebug = options.isDebug
    this.#onVerdict = options.onVerdict
  }

  start(): void {
    this.#loop = this.#run()
  }

  /**
   * Sends the rest of the log and then the final state, with retries for `patience_ms`. Returns whether the
   * server accepted the state; it does not if the job has already ended there.
   */
  async finish(final: FinalJobState, patience_ms: number): Promise<boolean> {
    this.#stopping.abort()
    await this.#loop
    const until = Date.now() + patience_ms
    for (let attempt = 0; !this.#hasEnded; attempt++) {
      const isAway = await this.#finishOnce(final)
      if (isAway === undefined) return true
      if (isAway ? Date.now() > until : attempt > attempts_max) return false
      await wait(Math.min(200 * 2 ** attempt, 15_000))
    }
    return false
  }

  /** Returns undefined when done; otherwise whether the server was unavailable. */
  async #finishOnce(final: FinalJobState): Promise<boolean | undefined> {
    while (this.#sent < this.#log.size && !this.#hasEnded) {
      if (!(await this.#sendPiece())) return true
    }
    if (this.#hasEnded) return true
    const { checksum, size } = this.#log
    const answer = await this.#try(() =>
      this.#client.updateJob(this.#job.id, {
        token: this.#job.token,
        ...final,
        checksum,
        output: { checksum, bytesize: size },
      }),
    )
    if (answer?.status === 200) return undefined
    // The checksum of the log differs, so it is sent again from the beginning.
    if (answer?.status === 412) this.#sent = 0
    if (answer?.status === 202) await wait(this.#interval_ms)
    return answer === undefined || answer.status >= 400
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && !this.#hasEnded) {
      await wait(this.#interval_ms, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      if (this.#sent < this.#log.size) await this.#sendPiece()
      else if (Date.now() - this.#heard_ms >= touch_ms) await this.#touch()
    }
  }

  async #touch(): Promise<void> {
    const { id, token } = this.#job
    await this.#try(() => this.#client.updateJob(id, { token, state: 'running' }))
  }

  /** Sends the next bytes. Returns whether the server has stored them or has said where to continue. */
  async #sendPiece(): Promise<boolean> {
    const start = this.#sent
    const bytes = this.#log.read(start, piece_bytes_max)
    const answer = await this.#try(() =>
      this.#client.appendLog(this.#job, { start, bytes, isDebug: this.#isDebug }),
    )
    if (answer?.status === 202) this.#sent = start + bytes.length
    else if (answer?.status === 416) this.#sent = this.#storedSize(answer)
    return answer?.status === 202 || answer?.status === 416
  }

  /** Returns how much of the log the server has, from the header `Range: 0-<size>`. */
  #storedSize({ headers }: ServerAnswer): number {
    const size = Number(String(headers.range).split('-')[1])
    return Number.isInteger(size) && size >= 0 && size <= this.#log.size ? size : 0
  }

  /**
   * Calls the server and handles what all responses about a job contain. Returns undefined if the server is
   * unavailable.
   */
  async #try(call: () => Promise<ServerAnswer>): Promise<ServerAnswer | undefined> {
    const answer = await call().catch(() => undefined)
    if (!answer || isRetryable(answer.status)) return undefined
    this.#heard_ms = Date.now()
    const interval_s = Number(answer.headers['x-gitlab-trace-update-interval'])
    if (interval_s > 0) this.#interval_ms = Math.min(interval_s, interval_s_max) * 1000
    const status = answer.headers['job-status']
    if (answer.status === 403 || answer.status === 404) this.#end()
    else if (status === 'canceled' || status === 'failed') this.#end()
    else if (status === 'canceling') this.#onVerdict('canceling')
    return answer
  }

  #end(): void {
    this.#hasEnded = true
    this.#onVerdict('ended')
  }
}
