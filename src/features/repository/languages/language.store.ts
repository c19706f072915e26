import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'

/** Returns the commit at which the project's languages were last counted. */
export async function findLanguageCountCommit(
  db: Db,
  projectId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('language_counts')
    .select('commit_id')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.commit_id
}

/** Returns the languages, the most used first. */
export async function listLanguages(
  db: Db,
  projectId: number,
): Promise<{ name: string; bytes: number }[]> {
  const rows = await db
    .selectFrom('project_languages')
    .select(['name', 'bytes'])
    .where('project_id', '=', projectId)
    .orderBy('bytes', 'desc')
    .orderBy('name')
    .execute()
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}

/** Replaces the previous counts. Concurrent calls run one at a time; the last one wins. */
export async function replaceLanguages(
  db: Db,
  {
    project_id,
    commit_id,
    bytes,
  }: { project_id: number; commit_id: string; bytes: ReadonlyMap<string, number> },
): Promise<void> {
  await runTransaction(db, async (tx) => {
    // This statement comes first, so that concurrent transactions for the project wait here.
    await tx
      .insertInto('language_counts')
      .values({ project_id, commit_id })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ commit_id }))
      .execute()
    await tx.deleteFrom('project_languages').where('project_id', '=', project_id).execute()
    const rows = [...bytes].map(([name, size]) => ({ project_id, name, bytes: size }))
    if (rows.length > 0) await tx.insertInto('project_languages').values(rows).execute()
  })
}
