// Who may start an existing job, and who may pass variables to pipelines and jobs. Every endpoint that does either uses
// these rules.
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { mayCreatePipelines } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { filterDeployableJobs } from '../protected-environments/protected-environment.ts'
import { type CiSettings, getCiSettings } from './pipeline.ts'
import { mayActOnProtectedRef } from './protected-ref.ts'

/** The caller, with their level on the job's project. */
export type CallerOnProject = { subject: Project; level: number; actor: Actor }

/**
 * Returns the jobs of one pipeline that the caller may start, retry or cancel, considering the project's access rule,
 * protected branches and tags, and protected environments (docs/api/ci.md, "Jobs").
 */
export async function filterRunnableJobs(
  db: Db,
  { subject, level, actor }: CallerOnProject,
  jobs: readonly Job[],
): Promise<readonly Job[]> {
  const [first] = jobs
  if (!first || !mayCreatePipelines({ subject, level, actor })) return []
  if (!(await mayActOnProtectedRef({ db, subject, level, actor }, first))) return []
  return filterDeployableJobs(db, subject, { level, actor, jobs })
}

export async function mayRunJob(db: Db, caller: CallerOnProject, job: Job): Promise<boolean> {
  return (await filterRunnableJobs(db, caller, [job])).length === 1
}

/**
 * Returns the job if the caller may still start it and, with `givesVariables`, set variables for it. Call it with the
 * pipeline locked. Throws 403 otherwise.
 */
export async function recheckMayRunJob(
  tx: Db,
  { subject, level, actor }: CallerOnProject,
  { job, givesVariables = false }: { job: Job | undefined; givesVariables?: boolean },
): Promise<Job> {
  const mayRun = job !== undefined && (await mayRunJob(tx, { subject, level, actor }, job))
  const lacksRight =
    givesVariables && !maySetCustomVariables(await getCiSettings(tx, subject.id), { level })
  if (!mayRun || lacksRight) throw forbidden()
  return job
}

/** Whether the caller may set variables for a pipeline or a job of the project. */
export function maySetCustomVariables(
  { restrict_user_defined_variables }: Pick<CiSettings, 'restrict_user_defined_variables'>,
  { level }: { level: number },
): boolean {
  return !restrict_user_defined_variables || level >= Level.maintainer
}
