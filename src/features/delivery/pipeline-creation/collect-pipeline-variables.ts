import type { Db } from '../../../db/db.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

/**
 * A pipeline is about to be planned for a branch or tag. Steps add to `variables` what jobs and rules are to know
 * of the branch.
 */
export const collectPipelineVariablesEffect = declareEffect<{
  db: Db
  project: Project
  ref: string
  tag: boolean
  variables: Record<string, string>
}>('a pipeline begins')
