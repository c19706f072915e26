import type { Db } from '../../../db/db.ts'
import { lockRowUntilCommit } from '../../../db/dialect.ts'
import { limits } from '../../../kernel/limits.ts'

/** The minimum interval between writes of `last_activity_at`. */
const activity_interval_ms = 60_000

/** Locks the project: other transactions that do the same wait until this one ends. */
export function lockProject(tx: Db, id: number): Promise<void> {
  return lockRowUntilCommit(tx, 'projects', id)
}

/** Updates the time of the last activity of the project, and its default branch if it was just set. */
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

/** Returns the bytes of a project's objects as last measured; 0 before the first time. */
export async function findRepositorySize(db: Db, project_id: number): Promise<number> {
  const row = await db
    .selectFrom('project_statistics')
    .select('repository_size')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return Number(row?.repository_size ?? 0)
}

/** Returns the open merge requests from a fork whose authors allow members of the target project to push to their branch. */
export function listCollaborativeRequests(
  db: Db,
  { project_id, branches }: { project_id: number; branches?: readonly string[] },
) {
  return db
    .selectFrom('merge_requests')
    .select(['project_id', 'source_branch', 'target_branch'])
    .where('source_project_id', '=', project_id)
    .where('project_id', '<>', project_id)
    .where('is_open', '=', true)
    .where('allow_collaboration', '=', true)
    .$if(branches !== undefined, (query) =>
      query.where('source_branch', 'in', ['', ...(branches ?? [])]),
    )
    .orderBy('issuable_id', 'desc')
    .limit(limits.merge_requests.collaborations_max)
    .execute()
}
