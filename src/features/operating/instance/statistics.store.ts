// Counts rows for the statistics of the instance.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Schema } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of any table, of which nothing but their number is asked.
type Rows = SelectQueryBuilder<Schema, any, any>

/** Counts rows of each kind with one statement, up to a million. */
export async function countEverything(db: Db): Promise<Record<string, string>> {
  const kinds: Record<string, Rows> = {
    forks: db.selectFrom('projects').where('forked_from_id', 'is not', null),
    issues: db.selectFrom('issuables').where('kind', '=', 'issue'),
    merge_requests: db.selectFrom('issuables').where('kind', '=', 'merge_request'),
    notes: db.selectFrom('notes'),
    milestones: db.selectFrom('milestones'),
    ssh_keys: db.selectFrom('ssh_keys'),
    users: db.selectFrom('users').where('user_type', '=', 'human'),
    groups: db.selectFrom('namespaces').where('kind', '=', 'group'),
    projects: db.selectFrom('projects'),
    active_users: db
      .selectFrom('users')
      .where('user_type', '=', 'human')
      .where('state', '=', 'active'),
  }
  const columns = Object.entries(kinds).map(([name, rows]) => {
    const some = rows.select(sql`1`.as('one')).limit(limits.statistics_max)
    return db.selectFrom(some.as(name)).select(sql<number>`count(*)`.as('count')).as(name)
  })
  const counts = await db.selectNoFrom(columns).executeTakeFirstOrThrow()
  const texts = Object.entries(counts).map(([name, count]) => [name, String(count)])
  // There are no snippets.
  return Object.fromEntries([...texts, ['snippets', '0']])
}

/** Returns the number of active runners that have requested jobs since then. */
export async function countContactedRunners(
  db: Db,
  { contactedSince }: { contactedSince: string },
): Promise<number> {
  const { count } = await db
    .selectFrom('runners')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('contacted_at', '>=', contactedSince)
    .where('paused', '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the number of accounts that wait for approval. */
export async function countPendingUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'blocked_pending_approval')
    // The condition lets the query use the partial index on users who are not active.
    .where('state', '<>', 'active')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns when `bloomery backup` last completed, from its audit event; null if never, or more than a year ago. */
export async function findLastBackupTime(db: Db): Promise<string | null> {
  const found = await db
    .selectFrom('audit_events')
    .select('created_at')
    .where('entity_type', '=', 'Instance')
    .where('entity_id', '=', 0)
    .where('action', '=', 'backup_completed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.created_at ?? null
}

/** Returns the number of active users, up to a million, and when the first one was created. */
export async function countActiveUsers(db: Db): Promise<{ active_users: number; since: string }> {
  const people = db
    .selectFrom('users')
    .where('user_type', '=', 'human')
    .where('state', '=', 'active')
    .select('id')
    .limit(limits.statistics_max)
  const { count } = await db
    .selectFrom(people.as('people'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const first = await db
    .selectFrom('users')
    .select('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { active_users: Number(count), since: first.created_at }
}
