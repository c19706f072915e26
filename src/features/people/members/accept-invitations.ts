import { sql } from 'kysely'
import { lockAccess, refreshNamespaces, refreshProjects } from '../../../access/refresh.ts'
import type { Db } from '../../../db/db.ts'
import { lower } from '../../../db/dialect.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { recordAuditEvents } from '../../basics/audit-events/audit-event.ts'
import { sourceOf } from './member-source.ts'

/**
 * Makes memberships of what an address was invited to. To be called in the transaction in which the
 * address is confirmed to be the user's: at their creation, or later.
 */
export async function acceptInvitations(
  db: Db,
  clock: Clock,
  { id, email }: { id: number; email: string },
): Promise<void> {
  const invited = db.selectFrom('invitations').where(lower('email'), '=', email.toLowerCase())
  // Most of the time nobody is invited, and then nobody waits for the lock.
  if (!(await invited.select('id').limit(1).executeTakeFirst())) return
  await lockAccess(db)
  const day = today(clock)
  await db
    .insertInto('members')
    .columns([
      'user_id',
      'namespace_id',
      'project_id',
      'access_level',
      'expires_at',
      'created_by_id',
      'created_at',
    ])
    .expression(
      invited
        .select([
          sql.lit(id).as('user_id'),
          'namespace_id',
          'project_id',
          'access_level',
          'expires_at',
          'created_by_id',
          sql.lit(timestamp(clock)).as('created_at'),
        ])
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', day)])),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const sources = await db
    .deleteFrom('invitations')
    .where(lower('email'), '=', email.toLowerCase())
    .returning(['namespace_id', 'project_id', 'access_level', 'expires_at', 'created_by_id'])
    .execute()
  const accepted = sources.filter(({ expires_at }) => expires_at === null || expires_at > day)
  await recordAuditEvents(
    { db, clock },
    accepted.map(({ namespace_id, project_id, ...details }) => ({
      action: 'invitation_accepted',
      entity: sourceOf({ namespace_id, project_id }),
      target: { kind: 'user', id },
      details,
    })),
  )
  const namespaces = sources.flatMap(({ namespace_id }) => namespace_id ?? [])
  const projects = sources.flatMap(({ project_id }) => project_id ?? [])
  await refreshNamespaces(db, namespaces, { today: day })
  await refreshProjects(db, projects, { today: day })
}
