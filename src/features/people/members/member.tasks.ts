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
 * Deletes memberships and invitations that have expired (at 00:00 UTC of `expires_at`), and recomputes access. Recurring,
 * and run before anything else on a new day (ensureMembershipsExpired). All in one transaction, so an interrupted run
 * changes nothing.
 */
export async function expireMemberships({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const day = today(clock)
  // Usually there is nothing to delete. Then no write transaction is opened.
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
 * Resolves when no membership that has expired by today gives access any more. Call it before checks of access: the first
 * caller on a new day does the work, and others wait for it. Returns undefined if that is done, as it nearly always is.
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
    // The waiting callers get the error, and the next caller tries again.
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
