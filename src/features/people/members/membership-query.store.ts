// Selects the memberships that give a user a level on a group or project: of it, of the groups above it, and of the
// groups invited into any of these. access/recompute-access.ts stores the resulting levels.
import { sql } from 'kysely'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { smallerOfExpression } from '../../../db/dialect.ts'
import type { ActorWithLevel, MemberSource } from './member-source.ts'

/** Larger than the depth of any tree of groups, so that memberships precede invitations. */
const invited_distance = 1000

/** Selects the direct memberships of the project or group. */
export function directMembershipsQuery(db: Db, source: MemberSource, today: string) {
  return db
    .selectFrom('members')
    .select([
      'members.id',
      'members.user_id',
      'members.access_level',
      'members.created_at',
      'members.expires_at',
      sql.lit<number>(0).as('distance'),
    ])
    .where(source.kind === 'group' ? 'members.namespace_id' : 'members.project_id', '=', source.id)
    .where(notExpiredCondition('members.expires_at', today))
}

/** Selects the memberships of the groups above the source. */
export function inheritedMembershipsQuery(db: Db, source: MemberSource, today: string) {
  return db
    .selectFrom('namespace_ancestors as tree')
    .innerJoin('members', 'members.namespace_id', 'tree.ancestor_id')
    .select([
      'members.id',
      'members.user_id',
      'members.access_level',
      'members.created_at',
      'members.expires_at',
      sql<number>`tree.depth + 1`.as('distance'),
    ])
    .where('tree.namespace_id', '=', source.namespace_id)
    .where('tree.depth', '>=', source.kind === 'group' ? 1 : 0)
    .where(notExpiredCondition('members.expires_at', today))
}

/**
 * Selects one row for each user with any level: the highest one, and of equal ones the nearest. Members of an invited
 * group that the asker cannot see are included only for callers who administer members.
 */
export function effectiveMembershipsQuery(
  db: Db,
  source: MemberSource,
  { asker, today }: AllGrants,
) {
  const union = directMembershipsQuery(db, source, today)
    .unionAll(inheritedMembershipsQuery(db, source, today))
    .unionAll(invitedAbove(db, source, { asker, today }))
  const every =
    source.kind === 'project' ? union.unionAll(invitedHere(db, source, { asker, today })) : union
  const ranked = db
    .selectFrom(every.as('every'))
    .selectAll('every')
    .select(
      sql<number>`row_number() over (
        partition by every.user_id order by every.access_level desc, every.distance, every.id
      )`.as('position'),
    )
  return db
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'user_id', 'access_level', 'created_at', 'expires_at', 'distance'])
    .where('position', '=', 1)
}

type AllGrants = { asker: ActorWithLevel; today: string }

/** Selects the members of groups that are invited into the source's group or a group above it. */
function invitedAbove(db: Db, source: MemberSource, { asker, today }: AllGrants) {
  return invitedGroups(db, asker)
    .innerJoin('namespace_shares as share', 'share.shared_with_id', 'namespaces.id')
    .innerJoin('namespace_ancestors as tree', 'tree.ancestor_id', 'share.namespace_id')
    .innerJoin('namespace_ancestors as guests', 'guests.namespace_id', 'namespaces.id')
    .innerJoin('members', 'members.namespace_id', 'guests.ancestor_id')
    .select([
      'members.id',
      'members.user_id',
      smallerOfExpression('members.access_level', 'share.access_level').as('access_level'),
      'members.created_at',
      'members.expires_at',
      sql.lit<number>(invited_distance).as('distance'),
    ])
    .where('tree.namespace_id', '=', source.namespace_id)
    .where(notExpiredCondition('members.expires_at', today))
    .where(notExpiredCondition('share.expires_at', today))
}

/** Selects the members of groups that are invited into the project itself. */
function invitedHere(db: Db, source: MemberSource, { asker, today }: AllGrants) {
  return invitedGroups(db, asker)
    .innerJoin('project_shares as share', 'share.shared_with_id', 'namespaces.id')
    .innerJoin('namespace_ancestors as guests', 'guests.namespace_id', 'namespaces.id')
    .innerJoin('members', 'members.namespace_id', 'guests.ancestor_id')
    .select([
      'members.id',
      'members.user_id',
      smallerOfExpression('members.access_level', 'share.access_level').as('access_level'),
      'members.created_at',
      'members.expires_at',
      sql.lit<number>(invited_distance).as('distance'),
    ])
    .where('share.project_id', '=', source.id)
    .where(notExpiredCondition('members.expires_at', today))
    .where(notExpiredCondition('share.expires_at', today))
}

function invitedGroups(db: Db, { actor, level }: ActorWithLevel) {
  const query = db.selectFrom('namespaces').where('namespaces.kind', '=', 'group')
  const seesAll = isAdmin(actor) || level >= Level.maintainer
  return seesAll ? query : query.where(visibleNamespaceCondition(actor))
}
