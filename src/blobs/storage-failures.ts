// Reports calls of S3 that failed after the last try, for the log. Clients get a general sentence.
const listeners = new Set<(cause: unknown) => void>()

/** Calls `listener` with each failure of this process: an S3Error, which says the call and its outcome. Returns what unsubscribes it. */
export function onStorageFailure(listener: (cause: unknown) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportStorageFailure(cause: unknown): void {
  for (const listener of listeners) listener(cause)
}
