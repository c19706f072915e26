import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { today } from '../../../kernel/clock.ts'
import { enqueue } from '../../../tasks/task.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { listSolelyOwnedGroups } from '../../people/members/member.ts'
import { removeGroupTask } from './group.tasks.ts'
import { markGroupDeleted } from './group-removal.store.ts'

/** Marks groups without another Owner for deletion, when a user is deleted with everything they own. */
export async function removeOwnedGroups({
  db,
  clock,
  user_id,
  hard_delete,
}: Pick<Instance, 'db' | 'clock'> & { user_id: number; hard_delete: boolean }): Promise<void> {
  if (!hard_delete) return
  const day = today(clock)
  for (;;) {
    const isDone = await runTransaction(db, async (tx) => {
      await lockAccessRecomputation(tx)
      // One group at a time, since its subgroups are deleted with it.
      const [id] = await listSolelyOwnedGroups(tx, user_id, { today: day, limit: 1 })
      if (id === undefined) return true
      const entity = { kind: 'group', id } as const
      await recordAuditEvent({ db: tx, clock }, { action: 'group_removed', entity })
      await markGroupDeleted(tx, id, { today: day })
      const payload = { group_id: id }
      await enqueue(tx, clock, { task: removeGroupTask, key: String(id), payload })
      return false
    })
    if (isDone) return
  }
}
