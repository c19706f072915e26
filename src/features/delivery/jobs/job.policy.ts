// Who may do what to jobs (docs/api/ci.md, "Jobs").
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { mayCreatePipelines, mayReadPipelines } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import type { Job } from '../pipeline-changes/job.ts'

export const mayReadJobs: Rule<Project> = mayReadPipelines

/** Whether the caller may start, cancel and retry jobs at all. Branch protection is checked separately. */
export const mayUpdateJobs: Rule<Project> = mayCreatePipelines

/** A log written in debug mode may contain the values of all variables. */
export function mayReadJobLog({ level }: { level: number }, { debug_log }: Job): boolean {
  return !debug_log || level >= Level.developer
}

/** Whether the caller may erase a job: Maintainers, and Developers for their own jobs. */
export function mayEraseJob(
  { level, actor }: { level: number; actor: { user: { id: number } | undefined } },
  { user_id }: Job,
): boolean {
  return level >= Level.maintainer || user_id === actor.user?.id
}
