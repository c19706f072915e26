// Adds, changes and removes memberships, with the rules that apply to all operations.

import type { ActorUser } from '../../../access/actor.ts'
import { Level, levelName, memberLevels } from '../../../access/level.ts'
import {
  lockAccessRecomputation,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { conflict, type FieldErrors, forbidden, invalid } from '../../../kernel/errors.ts'
import { findNamespace } from '../../../subjects/namespace.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { deleteAccessRequest } from './access-request.store.ts'
import {
  deleteDescendantMemberships,
  deleteMember,
  findDirectMembership,
  findInheritedMembership,
  hasGroupOtherOwner,
  updateMember,
} from './member.store.ts'
import { insertMember, type Member } from './member.ts'
import { memberChangedEffect } from './member-changed.ts'
import { type MemberSource, recomputeMemberSourceAccess } from './member-source.ts'

/** The user who changes a membership, and their level on the project or group. */
type Changer = { user: ActorUser; level: number }
type Wish = { user_id: number; access_level: number; expires_at?: string | null }

/** Records an audit event of the change and runs its effect. */
async function recordMemberChange(
  audit: AuditSource,
  source: MemberSource,
  {
    action,
    user_id,
    ...details
  }: {
    action: 'member_added' | 'member_changed' | 'member_removed'
    user_id: number
    access_level: number
    expires_at?: string | null
    before?: Pick<Member, 'access_level' | 'expires_at'>
  },
): Promise<void> {
  const target = { kind: 'user', id: user_id } as const
  await recordAuditEvent(audit, { action, entity: source, target, details })
  const { access_level, expires_at = null } = details
  const { db: tx, clock } = audit
  const change = { tx, clock, source, user_id, access_level, expires_at }
  await memberChangedEffect.run({ ...change, action: happened[action] })
}

const happened = {
  member_added: 'added',
  member_changed: 'changed',
  member_removed: 'removed',
} as const

/** Adds a member. Throws for a level above the caller's own, for an existing member and for invalid values. */
export async function addMember(
  audit: AuditSource,
  source: MemberSource,
  { wish, by }: { wish: Wish; by: Changer },
): Promise<void> {
  const { db, clock } = audit
  const { user_id, access_level, expires_at = null } = wish
  refuseAbove(by, access_level)
  await lockAccessRecomputation(db)
  if (await findDirectMembership(db, source, user_id)) throw memberExists()
  await checkWish({ db, clock }, source, wish)
  const inserted = await insertMember(db, {
    user_id,
    ...(source.kind === 'group' ? { namespace_id: source.id } : { project_id: source.id }),
    access_level,
    expires_at,
    created_by_id: by.user.id,
    created_at: timestamp(clock),
  })
  if (!inserted) throw memberExists()
  await deleteAccessRequest(db, source, user_id)
  const given = { user_id, access_level, expires_at }
  await recordMemberChange(audit, source, { action: 'member_added', ...given })
  await recomputeMemberSourceAccess(db, clock, source)
}

function memberExists() {
  return conflict('Member already exists')
}

/** Returns the user's membership and locks it until the transaction ends. */
export async function lockAndFindMembership(
  db: Db,
  source: MemberSource,
  userId: number,
): Promise<Member | undefined> {
  await lockAccessRecomputation(db)
  return findDirectMembership(db, source, userId)
}

/** Changes the level or expiry of a member. An omitted expiry is kept; null removes it. */
export async function changeMember(
  audit: AuditSource,
  source: MemberSource,
  { member, wish, by }: { member: Member; wish: Omit<Wish, 'user_id'>; by: Changer },
): Promise<void> {
  const { db, clock } = audit
  const { access_level, expires_at } = wish
  refuseAbove(by, Math.max(access_level, member.access_level))
  await refuseLastOwner({ db, clock }, source, member)
  await checkWish({ db, clock }, source, { user_id: member.user_id, ...wish })
  await updateMember(db, member.id, {
    access_level,
    ...(expires_at === undefined ? {} : { expires_at }),
  })
  const before = { access_level: member.access_level, expires_at: member.expires_at }
  const changed = { user_id: member.user_id, ...before, ...wish, before }
  await recordMemberChange(audit, source, { action: 'member_changed', ...changed })
  await recomputeMemberSourceAccess(db, clock, source)
}

/**
 * Removes a member, and for a group also their memberships in everything below it, unless `skipsBelow`. The last Owner of a
 * group and the owner of a personal project cannot be removed.
 */
export async function removeMember(
  audit: AuditSource,
  source: MemberSource,
  { member, skipsBelow }: { member: Member; skipsBelow: boolean },
): Promise<void> {
  const { db, clock } = audit
  await refuseLastOwner({ db, clock }, source, member)
  await deleteMember(db, member.id)
  const { user_id, access_level } = member
  await recordMemberChange(audit, source, { action: 'member_removed', user_id, access_level })
  if (source.kind === 'group' && !skipsBelow) {
    const projects = await deleteDescendantMemberships(db, source.id, member.user_id)
    await recomputeProjectAccess(db, projects, { today: today(clock) })
  }
  await recomputeMemberSourceAccess(db, clock, source)
}

/**
 * Throws 403 if the access level is above the caller's own. Callers may not grant such a level or change
 * members who have it.
 */
function refuseAbove(by: Changer, access_level: number): void {
  if (access_level > by.level) throw forbidden()
}

async function refuseLastOwner(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  source: MemberSource,
  { user_id, access_level }: Member,
): Promise<void> {
  if (await isLastOwner({ db, clock }, source, { user_id, access_level })) throw forbidden()
}

async function isLastOwner(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  source: MemberSource,
  { user_id, access_level }: Pick<Member, 'user_id' | 'access_level'>,
): Promise<boolean> {
  if (source.kind === 'project') {
    const namespace = await findNamespace(db, source.namespace_id)
    return namespace?.kind === 'user' && namespace.owner_id === user_id
  }
  if (access_level < Level.owner) return false
  return !(await hasGroupOtherOwner(db, source.id, { userId: user_id, today: today(clock) }))
}

async function checkWish(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  source: MemberSource,
  wish: Wish,
): Promise<void> {
  const { user_id: userId, access_level, expires_at } = wish
  const problems: FieldErrors = {}
  if (!memberLevels.some((level) => level === access_level)) {
    problems.access_level = ['is not included in the list']
  } else {
    const inherited = await findInheritedMembership(db, source, { userId, today: today(clock) })
    if (inherited && access_level < inherited.access_level) {
      const from = `${levelName(inherited.access_level)} inherited membership from group ${inherited.group_name}`
      problems.access_level = [`should be greater than or equal to ${from}`]
    }
  }
  if (isDayBeforeToday(expires_at, clock)) problems.expires_at = ['cannot be a date in the past']
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Whether a day of expiry is before today. */
export function isDayBeforeToday(day: string | null | undefined, clock: Clock): boolean {
  return typeof day === 'string' && day < today(clock)
}
