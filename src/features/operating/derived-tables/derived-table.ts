// Rebuilds rows that are derived from other rows. The server updates them with every change, so this is needed only
// after a bug, or after manual changes of the database.
import { sql } from 'kysely'
import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { lockTable } from '../../../db/dialect.ts'
import { rebuildTextIndexes } from '../../../db/insert-snapshot-rows.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Clock, today } from '../../../kernel/clock.ts'
import { enqueueAll } from '../../../tasks/task.ts'
import { maintainProjectTask } from '../../repository/maintenance/maintenance.tasks.ts'

export const derivedTables = ['tree', 'access', 'counts', 'search', 'statistics'] as const
export type DerivedTable = (typeof derivedTables)[number]

/** Descriptions for the usage of `bloomery admin rebuild`. */
export const derivedTexts: Record<DerivedTable, string> = {
  tree: 'ancestors of groups (namespace_ancestors)',
  access: 'access levels of users (namespace_access, project_access)',
  counts: 'counts of issues, merge requests and followers (issuable_counts, users)',
  search: 'full-text indexes of SQLite',
  statistics: 'sizes, commit counts and languages of repositories (one background task each)',
}

const batch_size = 500

/** Rebuilds one table and returns a summary. Writers of its source tables wait meanwhile. */
export function rebuild(db: Db, clock: Clock, table: DerivedTable): Promise<string> {
  return rebuilders[table](db, clock)
}

const rebuilders: Record<DerivedTable, (db: Db, clock: Clock) => Promise<string>> = {
  async tree(db) {
    const count = await runTransaction(db, async (tx) => {
      await lockAccessRecomputation(tx)
      await lockTable(tx, 'namespaces')
      await tx.deleteFrom('namespace_ancestors').execute()
      await sql`insert into namespace_ancestors (namespace_id, ancestor_id, depth)
        with recursive tree (namespace_id, ancestor_id, depth) as (
          select id, id, 0 from namespaces
          union all
          select tree.namespace_id, namespaces.parent_id, tree.depth + 1
          from tree join namespaces on namespaces.id = tree.ancestor_id
          where namespaces.parent_id is not null)
        select namespace_id, ancestor_id, depth from tree`.execute(tx)
      return countAll(tx, 'namespace_ancestors')
    })
    return `${count} rows of namespace_ancestors`
  },

  async access(db, clock) {
    const day = today(clock)
    const namespaces = await eachBatch(db, 'namespaces', (tx, ids) =>
      recomputeNamespaceAccess(tx, ids, { today: day }),
    )
    const projects = await eachBatch(db, 'projects', (tx, ids) =>
      recomputeProjectAccess(tx, ids, { today: day }),
    )
    return `access to ${namespaces} namespaces and ${projects} projects`
  },

  async counts(db) {
    await runTransaction(db, async (tx) => {
      await lockTable(tx, 'issuable_counts')
      await tx.deleteFrom('issuable_counts').execute()
      await tx
        .insertInto('issuable_counts')
        .columns(['project_id', 'kind', 'state', 'confidential', 'number'])
        .expression(
          tx
            .selectFrom('issuables')
            .select(({ fn }) => [
              'project_id',
              'kind',
              'state',
              'confidential',
              fn.countAll<number>().as('number'),
            ])
            .groupBy(['project_id', 'kind', 'state', 'confidential']),
        )
        .execute()
    })
    await runTransaction(db, async (tx) => {
      await lockTable(tx, 'follows')
      await sql`update users set
        followers_count = (select count(*) from follows where followee_id = users.id),
        following_count = (select count(*) from follows where follower_id = users.id)`.execute(tx)
    })
    return `${await countAll(db, 'issuable_counts')} rows of issuable_counts, and followers`
  },

  async search(db) {
    const indexes = await runTransaction(db, (tx) => rebuildTextIndexes(tx))
    return indexes.length === 0
      ? "nothing: PostgreSQL's indexes are of the columns themselves"
      : indexes.join(', ')
  },

  async statistics(db, clock) {
    const count = await eachBatch(db, 'projects', (tx, ids) =>
      enqueueAll(tx, clock, {
        task: maintainProjectTask,
        requests: ids.map((id) => ({ key: String(id), payload: { project_id: id } })),
      }),
    )
    return `${count} background tasks asked for`
  },
}

/** Runs `work` for all ids of a table in batches, each in its own transaction; returns their number. */
async function eachBatch(
  db: Db,
  table: 'namespaces' | 'projects',
  work: (tx: Db, ids: number[]) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch_size)
      .execute()
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return count
    await runTransaction(db, (tx) => work(tx, ids))
    count += ids.length
    after = last
  }
}

async function countAll(db: Db, table: 'namespace_ancestors' | 'issuable_counts'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
