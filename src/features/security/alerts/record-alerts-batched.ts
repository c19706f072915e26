// Records alerts in batches: those that arrive while others of their project are being recorded share the next
// transaction, and so one disk flush.

import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import type { ReceivedAlert, RecordedAlert } from './alert.ts'
import { type AlertProject, recordAlerts } from './record-alerts.ts'

type Uses = Pick<Instance, 'db' | 'clock'>
type Waiting = {
  place: AlertProject
  sent: readonly ReceivedAlert[]
  resolve: (recorded: RecordedAlert[]) => void
  reject: (error: unknown) => void
}

/** Requests that wait while alerts of their project are recorded, by database and project. */
const queues = new WeakMap<Db, Map<number, Waiting[]>>()

/** Records alerts, possibly in one transaction with others of the project. Resolves once they are committed. */
export function recordAlertsBatched(
  uses: Uses,
  place: AlertProject,
  sent: readonly ReceivedAlert[],
): Promise<RecordedAlert[]> {
  const projects = queues.get(uses.db) ?? new Map<number, Waiting[]>()
  queues.set(uses.db, projects)
  return new Promise((resolve, reject) => {
    const own = { place, sent, resolve, reject }
    const waiting = projects.get(place.project_id)
    if (waiting) waiting.push(own)
    else void recordAll(uses, projects, own)
  })
}

async function recordAll(
  uses: Uses,
  projects: Map<number, Waiting[]>,
  first: Waiting,
): Promise<void> {
  const { project_id } = first.place
  const waiting: Waiting[] = [first]
  projects.set(project_id, waiting)
  while (waiting.length > 0) {
    // SQLite answers synchronously, so the loop yields here to let further requests join the batch.
    await setImmediate()
    await recordBatch(uses, takeBatch(waiting))
  }
  projects.delete(project_id)
}

/** Takes as many requests as one statement has room for, but at least one. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let alerts = 0
  const end = waiting.findIndex(({ sent }, at) => {
    alerts += sent.length
    return at > 0 && alerts > limits.alerts.recorded_at_once_max
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

async function recordBatch({ db, clock }: Uses, batch: readonly Waiting[]): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const sent = batch.flatMap((each) => each.sent)
    const recorded = await runTransaction(db, (tx) =>
      recordAlerts({ tx, clock }, first.place, sent),
    )
    let from = 0
    for (const each of batch) {
      each.resolve(recorded.slice(from, from + each.sent.length))
      from += each.sent.length
    }
  } catch (error) {
    if (batch.length === 1) return first.reject(error)
    // A single failing request must not fail the others of its batch.
    for (const each of batch) await recordBatch({ db, clock }, [each])
  }
}
