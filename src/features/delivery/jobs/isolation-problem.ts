// Why jobs wait although the built-in runner is there: it can make no sandbox for them.
import type { Db } from '../../../db/db.ts'
import { readSetting } from '../../basics/settings/setting.ts'

/** What the built-in runner says of it; null where it isolates jobs, or an administrator lets them run without. */
export async function findIsolationProblem(db: Db): Promise<string | null> {
  const runner = await db
    .selectFrom('runners')
    .select('isolation_problem')
    .where('builtin', '=', true)
    .executeTakeFirst()
  if (!runner?.isolation_problem) return null
  return (await readSetting(db, 'allow_jobs_without_isolation')) ? null : runner.isolation_problem
}
