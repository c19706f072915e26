import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { recordAuditEvents } from '../../basics/audit-events/audit-event.ts'
import {
  deleteInvitationsByEmail,
  insertMembersFromInvitations,
  isInvited,
} from './invitation.store.ts'
import { memberSourceOfRow } from './member-source.ts'

/**
 * Turns the invitations to an email address into memberships. Call it in the transaction that confirms the address as the
 * user's, at their creation or later.
 */
export async function acceptInvitations(
  db: Db,
  clock: Clock,
  { id, email }: { id: number; email: string },
): Promise<void> {
  // Usually there is no invitation. Then the lock is not taken.
  if (!(await isInvited(db, email))) return
  await lockAccessRecomputation(db)
  const day = today(clock)
  await insertMembersFromInvitations(db, { id, email }, { today: day, now: timestamp(clock) })
  const sources = await deleteInvitationsByEmail(db, email)
  const accepted = sources.filter(({ expires_at }) => expires_at === null || expires_at > day)
  await recordAuditEvents(
    { db, clock },
    accepted.map(({ namespace_id, project_id, ...details }) => ({
      action: 'invitation_accepted',
      entity: memberSourceOfRow({ namespace_id, project_id }),
      target: { kind: 'user', id },
      details,
    })),
  )
  const namespaces = sources.flatMap(({ namespace_id }) => namespace_id ?? [])
  const projects = sources.flatMap(({ project_id }) => project_id ?? [])
  await recomputeNamespaceAccess(db, namespaces, { today: day })
  await recomputeProjectAccess(db, projects, { today: day })
}
