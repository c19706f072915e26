import type { Db } from '../../../db/db.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

/** Runs before a pipeline of a branch or tag is planned. Steps add variables for jobs and rules to `variables`. */
export const collectPipelineVariablesEffect = declareEffect<{
  db: Db
  project: Project
  ref: string
  tag: boolean
  variables: Record<string, string>
}>('a pipeline begins')
