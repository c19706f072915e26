// Why jobs are pending although the built-in runner is online: it cannot create a sandbox.
import type { Db } from '../../../db/db.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { findReportedIsolationProblem } from './job.store.ts'

/**
 * Returns why the built-in runner cannot isolate jobs; null if it can, or if an administrator allows jobs without
 * isolation.
 */
export async function findJobIsolationProblem(db: Db): Promise<string | null> {
  const problem = await findReportedIsolationProblem(db)
  if (problem === null) return null
  return (await readSettingOrDefault(db, 'allow_jobs_without_isolation')) ? null : problem
}
