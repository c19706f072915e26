// What the supervisor and its worker processes say to each other, over the channel that Node keeps between a process and
// those it forks. Values are JSON.

/** What two processes of one server tell or ask each other. */
export type Topic =
  /** A background task was queued: its lane. */
  | 'task_queued'
  /** Jobs became pending. */
  | 'jobs_pending'
  /** Topics of event streams that changed. */
  | 'changes'
  /** Requests counted for rate limits. */
  | 'rate_limit_counts'
  /** Failed sign-ins: addresses. */
  | 'failed_sign_ins'
  /** Asks for the metrics of a process. */
  | 'metrics'
  /** Asks whether a process works on a repository: its path. */
  | 'repository_in_use'

export type ToSupervisor =
  | { type: 'ready' }
  | { type: 'tell'; topic: Topic; value: unknown }
  | { type: 'ask'; id: number; topic: Topic; value: unknown }
  | { type: 'answer'; id: number; to: number; value: unknown }
  | { type: 'take_turn' }
  | { type: 'end_turn' }

export type ToWorker =
  | { type: 'told'; topic: Topic; value: unknown }
  /** `from` and `id` go back with the answer. */
  | { type: 'asked'; id: number; from: number; topic: Topic; value: unknown }
  /** The answers of all others; one that died meanwhile has none. */
  | { type: 'answered'; id: number; values: unknown[] }
  /** The worker has the write turn from now on. */
  | { type: 'turn' }
  /** Another worker waits for the write turn. */
  | { type: 'turn_wanted' }
  /** When the first of the workers started that run, in milliseconds since 1970. */
  | { type: 'earliest_start'; started_ms: number }
  | { type: 'reload' }
  | { type: 'stop' }
