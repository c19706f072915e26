// Reports calls to S3: all of them to the metrics, and those that failed after the last retry to the log. Clients get a
// general message.

/** One call to S3; retries are calls of their own. `duration_ms` is the time until the response began. */
export type S3StorageCall = { method: string; isDone: boolean; duration_ms: number }

const listeners = new Set<(call: S3StorageCall) => void>()
const failureListeners = new Set<(cause: unknown) => void>()

/** Calls `listener` with each call of this process. Returns what unsubscribes it. */
export function subscribeToS3Calls(listener: (call: S3StorageCall) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportS3Call(call: S3StorageCall): void {
  for (const listener of listeners) listener(call)
}

/** Calls `listener` with each failure of this process: an S3Error, which says the call and its outcome. Returns what unsubscribes it. */
export function subscribeToS3Failures(listener: (cause: unknown) => void): () => void {
  failureListeners.add(listener)
  return () => failureListeners.delete(listener)
}

export function reportS3Failure(cause: unknown): void {
  for (const listener of failureListeners) listener(cause)
}
