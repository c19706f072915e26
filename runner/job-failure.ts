import type { RunnerFailureReason } from '../src/ci/protocol.ts'

/** Why a job did not succeed; the message is a line of its log. */
export class JobFailure extends Error {
  readonly reason: RunnerFailureReason
  readonly exitCode: number | undefined

  constructor(
    message: string,
    { reason, exitCode }: { reason: RunnerFailureReason; exitCode?: number },
  ) {
    super(message)
    this.reason = reason
    this.exitCode = exitCode
  }

  /** What is none of the job's doing is the runner's own failure. */
  static of(error: unknown): JobFailure {
    if (error instanceof JobFailure) return error
    const message = error instanceof Error ? error.message : String(error)
    return new JobFailure(message, { reason: 'runner_system_failure' })
  }
}
