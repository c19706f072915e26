import { type Selectable, sql, type Updateable } from 'kysely'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import type { Db, InvitationTable } from '../../../db/db.ts'
import { containsTextCondition, lowerCaseExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { MemberSource } from './member-source.ts'

export type Invitation = Selectable<InvitationTable>
/** An invitation with the name of its author, if that user still exists. */
export type InvitationWithInviter = Invitation & { created_by_name: string | null }

function invitationsTo(db: Db, { kind, id }: MemberSource) {
  return db
    .selectFrom('invitations')
    .where(kind === 'group' ? 'invitations.namespace_id' : 'invitations.project_id', '=', id)
}

function withInviter(query: ReturnType<typeof invitationsTo>) {
  return query
    .leftJoin('users as inviter', 'inviter.id', 'invitations.created_by_id')
    .selectAll('invitations')
    .select('inviter.name as created_by_name')
}

/** Returns one page of pending invitations in the order of their creation. */
export async function listInvitations(
  db: Db,
  source: MemberSource,
  { query }: { query?: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: InvitationWithInviter[]; total: number | undefined }> {
  let matching = invitationsTo(db, source)
  if (query) matching = matching.where(containsTextCondition(db, 'invitations.email', query))
  const rows = await withInviter(matching)
    .orderBy('invitations.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('invitations.id')) }
}

/** Returns the invitation of an email address, regardless of case. */
export function findInvitation(
  db: Db,
  source: MemberSource,
  email: string,
): Promise<InvitationWithInviter | undefined> {
  return withInviter(
    invitationsTo(db, source).where(
      lowerCaseExpression('invitations.email'),
      '=',
      email.toLowerCase(),
    ),
  ).executeTakeFirst()
}

/**
 * Inserts invitations. Returns the ids of new ones by address in lower case; addresses that were already invited are
 * missing.
 */
export async function insertInvitations(
  db: Db,
  source: MemberSource,
  emails: readonly string[],
  invitation: Pick<Invitation, 'access_level' | 'expires_at' | 'created_by_id' | 'created_at'>,
): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const place =
    source.kind === 'group'
      ? { namespace_id: source.id, project_id: null }
      : { namespace_id: null, project_id: source.id }
  const rows = await db
    .insertInto('invitations')
    .values(emails.map((email) => ({ ...place, email, ...invitation })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'email'])
    .execute()
  return new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]))
}

export async function updateInvitation(
  db: Db,
  id: number,
  changes: Updateable<InvitationTable>,
): Promise<void> {
  await db.updateTable('invitations').set(changes).where('id', '=', id).execute()
}

export async function deleteInvitation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('invitations').where('id', '=', id).execute()
}

/** Returns the usernames of these users by id; missing users are omitted. */
export async function findUsernamesByIds(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

function invitationsFor(db: Db, email: string) {
  return db.selectFrom('invitations').where(lowerCaseExpression('email'), '=', email.toLowerCase())
}

export async function isInvited(db: Db, email: string): Promise<boolean> {
  const row = await invitationsFor(db, email).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Inserts memberships for the invitations of an address, except where the user already has one. */
export async function insertMembersFromInvitations(
  db: Db,
  { id, email }: { id: number; email: string },
  { today, now }: { today: string; now: string },
): Promise<void> {
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
      invitationsFor(db, email)
        .select([
          sql.lit(id).as('user_id'),
          'namespace_id',
          'project_id',
          'access_level',
          'expires_at',
          'created_by_id',
          sql.lit(now).as('created_at'),
        ])
        .where(notExpiredCondition('expires_at', today)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the invitations of an email address, expired ones too, and returns them. */
export function deleteInvitationsByEmail(db: Db, email: string) {
  return db
    .deleteFrom('invitations')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .returning(['namespace_id', 'project_id', 'access_level', 'expires_at', 'created_by_id'])
    .execute()
}
