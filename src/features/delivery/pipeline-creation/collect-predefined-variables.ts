import type { Db } from '../../../db/db.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type PredefinedVariablesRequest = {
  db: Db
  project: Pick<Project, 'id' | 'namespace_id'>
  /** Steps add variables here. */
  variables: Record<string, string>
}

/** Runs when a pipeline is planned or one of its jobs is described; steps add predefined variables. */
export const collectPredefinedVariablesEffect = declareEffect<PredefinedVariablesRequest>(
  'variables are predefined',
)
