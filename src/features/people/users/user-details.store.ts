import { sql } from 'kysely'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import type { Identity } from './identity.store.ts'

/** The parts of a user's full record that are not in their row. */
export type UserDetails = {
  identities: Pick<Identity, 'provider' | 'extern_uid' | 'saml_provider_id'>[]
  /** The number of projects in the personal namespace, which `projects_limit` restricts. */
  personal_projects: number
  /** The highest access level as a member; 0 without memberships. */
  highest_role: number
  /** Whether the user has a role above Guest in at least one place. */
  has_role: boolean
}

function detailsQuery(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('identities', 'identities.user_id', 'users.id')
    .select((eb) => [
      'users.id',
      'identities.provider',
      'identities.extern_uid',
      'identities.saml_provider_id',
      eb
        .selectFrom('namespaces')
        .innerJoin('projects', 'projects.namespace_id', 'namespaces.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('namespaces.owner_id', '=', 'users.id')
        .where('namespaces.kind', '=', sql.lit('user'))
        .where('projects.state', '!=', sql.lit('deleting'))
        .as('personal_projects'),
      eb
        .selectFrom('members')
        .select(({ fn }) => fn.max('members.access_level').as('level'))
        .whereRef('members.user_id', '=', 'users.id')
        .as('highest_level'),
    ])
    .orderBy('identities.id')
}

type Row = Awaited<ReturnType<ReturnType<typeof detailsQuery>['execute']>>[number]

/** Returns the details of several users with one query. */
export async function findUserDetailsByIds(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, UserDetails>> {
  if (ids.length === 0) return new Map()
  const rows = await detailsQuery(db).where('users.id', 'in', ids).execute()
  const byUser = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byUser].map(([id, ofUser]) => [id, userDetailsFromRows(ofUser)]))
}

const detailsById = defineListLoader((db, { id }: { id: number }) =>
  detailsQuery(db).where('users.id', '=', id),
)

/** Returns the details of a user; empty ones if the user was deleted meanwhile. */
export async function findUserDetails(db: Db, id: number): Promise<UserDetails> {
  return userDetailsFromRows(await detailsById(db, { id }))
}

export function userDetailsFromRows(rows: readonly Row[]): UserDetails {
  const personal_projects = Number(rows[0]?.personal_projects ?? 0)
  const highest_role = rows[0]?.highest_level ?? 0
  const has_role = personal_projects > 0 || highest_role > 10
  const identities = rows.flatMap((row) =>
    row.provider !== null && row.extern_uid !== null
      ? [
          {
            provider: row.provider,
            extern_uid: row.extern_uid,
            saml_provider_id: row.saml_provider_id,
          },
        ]
      : [],
  )
  return { identities, personal_projects, highest_role, has_role }
}
