import type { RunnerFailureReason } from '../src/ci/protocol.ts'

/** The reason why a job failed. The message becomes a line of the log. */
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

  /** Returns the failure of a job for any error. Unexpected errors count as failures of the runner. */
  static of(error: unknown): JobFailure {
    if (error instanceof JobFailure) return error
    const message = error instanceof Error ? error.message : String(error)
    return new JobFailure(message, { reason: 'runner_system_failure' })
  }
}
