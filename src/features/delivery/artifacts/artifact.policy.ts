import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import { createPipelines, readPipelines } from '../../../subjects/pipeline.ts'
import { adminProject, isInUse, type Project } from '../../../subjects/project.ts'
import type { Archive } from './artifact.store.ts'

export const readArtifacts: Rule<Project> = readPipelines
export const keepJobArtifacts: Rule<Project> = createPipelines
export const adminArtifacts: Rule<Project> = (facts) =>
  adminProject(facts) && isInUse(facts.subject)

/** What is not public, `artifacts:public: false` says, is for Reporters and above. */
export function mayRead(archive: Archive, { level }: Pick<Facts<Project>, 'level'>): boolean {
  return archive.public || level >= Level.reporter
}
