import type { Rule } from '../../../access/rule.ts'
import { createPipelines, readPipelines } from '../../../subjects/pipeline.ts'
import { adminProject, isUnarchived, type Project } from '../../../subjects/project.ts'

export const readArtifacts: Rule<Project> = readPipelines
export const keepJobArtifacts: Rule<Project> = createPipelines
export const adminArtifacts: Rule<Project> = (facts) =>
  adminProject(facts) && isUnarchived(facts.subject)
