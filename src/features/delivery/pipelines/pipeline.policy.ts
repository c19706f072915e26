// Access rules of pipelines, besides those in subjects/pipeline.ts.
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Whether the caller may see a pipeline's variables: Maintainers, and Developers for pipelines they started. */
export function mayReadPipelineVariables(
  { level, actor }: { level: number; actor: { user: { id: number } | undefined } },
  { user_id }: Pipeline,
): boolean {
  if (level >= Level.maintainer) return true
  return level >= Level.developer && user_id !== null && user_id === actor.user?.id
}

export const mayRemovePipelines: Rule<Project> = ({ subject, level, actor }) =>
  (level >= Level.owner || isAdmin(actor)) && isUnarchived(subject)
