import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { today } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { type AuditEvent, recordAuditEvents } from '../../basics/audit-events/audit-event.ts'
import { deleteEndedMemberships, hasEndedMemberships } from './ended-membership.store.ts'
import { memberSourceOfRow } from './member-source.ts'

/**
 * Removes memberships and invitations that have ended (at 00:00 UTC of `expires_at`) and what they
 * gave. Recurring, and done before anything else on a new day (ensureMembershipsExpired); all in one transaction, so that a run cut short has done nothing.
 */
export async function expireMemberships({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const day = today(clock)
  // Most of the time there is nothing to remove, and then no writer is held.
  if (!(await hasEndedMemberships(db, day))) return
  await runTransaction(db, async (tx) => {
    await lockAccessRecomputation(tx)
    const { members, groupShares, projectShares } = await deleteEndedMemberships(tx, day)
    await recordAuditEvents({ db: tx, clock }, [
      ...members.map(
        ({ user_id, access_level, ...place }): AuditEvent => ({
          action: 'member_expired',
          entity: memberSourceOfRow(place),
          target: { kind: 'user', id: user_id },
          details: { access_level },
        }),
      ),
      ...[...groupShares, ...projectShares].map(
        ({ shared_with_id, access_level, ...place }): AuditEvent => ({
          action: 'share_expired',
          entity: memberSourceOfRow({ namespace_id: null, project_id: null, ...place }),
          target: { kind: 'group', id: shared_with_id },
          details: { access_level },
        }),
      ),
    ])
    const namespaceIds = [...members, ...groupShares].flatMap((row) => row.namespace_id ?? [])
    const projectIds = [...members, ...projectShares].flatMap((row) => row.project_id ?? [])
    await recomputeNamespaceAccess(tx, [...new Set(namespaceIds)], { today: day })
    await recomputeProjectAccess(tx, [...new Set(projectIds)], { today: day })
  })
}

const day_ms = 24 * 60 * 60_000
const days = new WeakMap<Db, { day: number; ending: Promise<void> | undefined }>()

/**
 * Settles when nothing that has ended by today gives anything any more. Asked before whatever hangs on
 * rights: only the first to ask on a new day finds something to do, and the others wait for it. Undefined
 * once that is done, which is nearly always.
 */
export function ensureMembershipsExpired({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> | undefined {
  const day = Math.floor(clock().getTime() / day_ms)
  const known = days.get(db)
  if (known?.day === day) return known.ending
  const ending = expireMemberships({ db, clock })
  const begun: { day: number; ending: Promise<void> | undefined } = { day, ending }
  days.set(db, begun)
  ending.then(
    () => {
      begun.ending = undefined
    },
    // Who waits is told; the next one tries again.
    () => days.delete(db),
  )
  return ending
}

export const memberTasks = [
  defineTask({
    name: 'expire-memberships',
    lane: 'expiry',
    every_ms: 60_000,
    run: expireMemberships,
  }),
]
