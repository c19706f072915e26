import type { Rule } from '../../../access/rule.ts'
import { mayCreatePipelines, mayReadPipelines } from '../../../subjects/pipeline.ts'
import { isUnarchived, mayAdminProject, type Project } from '../../../subjects/project.ts'

export const mayReadArtifacts: Rule<Project> = mayReadPipelines
export const mayKeepJobArtifacts: Rule<Project> = mayCreatePipelines
export const mayAdminArtifacts: Rule<Project> = (facts) =>
  mayAdminProject(facts) && isUnarchived(facts.subject)
