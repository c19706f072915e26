// Messages between the supervisor and its worker processes, sent over Node's channel to forked processes. Values are
// JSON.

/** The messages that workers of one server broadcast to each other, or request from each other. */
export type PeerTopic =
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
  /** The metrics of a process. */
  | 'metrics'
  /** Whether a process uses the repository at a path. */
  | 'repository_in_use'
  /** Which lock files of git, of those at some paths, a process may hold. */
  | 'held_locks'
  /** The number of SSH connections from an address. */
  | 'ssh_connections'
  /** The number of open event streams of a user, or of an address without a user. */
  | 'event_streams'

export type ToSupervisor =
  | { type: 'ready' }
  | { type: 'broadcast'; topic: PeerTopic; value: unknown }
  | { type: 'request'; id: number; topic: PeerTopic; value: unknown }
  | { type: 'response'; id: number; value: unknown }
  | { type: 'request_turn' }
  | { type: 'release_turn' }

export type ToWorker =
  | { type: 'broadcast'; topic: PeerTopic; value: unknown }
  /** `id` is set by the supervisor and must be sent back with the response. */
  | { type: 'request'; id: number; topic: PeerTopic; value: unknown }
  /** The responses of the other workers. A worker that died in the meantime is missing. */
  | { type: 'responses'; id: number; values: unknown[] }
  /** The worker has the write turn from now on. */
  | { type: 'turn_granted' }
  /** Another worker waits for the write turn. */
  | { type: 'turn_wanted' }
  /** The time in milliseconds since 1970 when the first of the running workers started. */
  | { type: 'earliest_start'; started_ms: number }
  | { type: 'reload' }
  | { type: 'stop' }
