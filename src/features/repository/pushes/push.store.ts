import type { Db } from '../../../db/db.ts'

/** How stale `last_activity_at` may be before a push writes it again. */
const activity_interval_ms = 60_000

/** Notes that something happened in the project, and its default branch when that was decided now. */
export async function recordActivity(
  db: Db,
  { id, now, default_branch }: { id: number; now: string; default_branch: string | undefined },
): Promise<void> {
  const stale = new Date(Date.parse(now) - activity_interval_ms).toISOString()
  let update = db.updateTable('projects').where('id', '=', id)
  if (default_branch === undefined) {
    update = update.where('last_activity_at', '<', stale)
    await update.set({ last_activity_at: now }).execute()
  } else {
    await update.set({ last_activity_at: now, default_branch }).execute()
  }
}

/** Bytes of a project's objects when they were last measured; 0 before that. */
export async function findRepositorySize(db: Db, project_id: number): Promise<number> {
  const row = await db
    .selectFrom('project_statistics')
    .select('repository_size')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return Number(row?.repository_size ?? 0)
}
