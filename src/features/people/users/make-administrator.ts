import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { User } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { updateUserRow, updateUserStateRow } from './user.store.ts'

/**
 * Makes a user an active administrator, for an operator at the machine; also unblocks them. Returns false if nothing
 * changed.
 */
export async function makeAdministrator(db: Db, clock: Clock, user: User): Promise<boolean> {
  if (user.is_admin && user.state === 'active') return false
  const now = timestamp(clock)
  await runTransaction(db, async (tx) => {
    await updateUserRow(tx, user.id, { is_admin: true, updated_at: now })
    if (user.state !== 'active') await updateUserStateRow(tx, { id: user.id, state: 'active', now })
    await recordAuditEvent(
      { db: tx, clock },
      {
        action: 'user_changed',
        entity: { kind: 'user', id: user.id },
        details: { changes: { is_admin: { from: user.is_admin, to: true } } },
      },
    )
  })
  return true
}
