import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'
import {
  listEnvironmentProtections,
  mayDeployToEnvironment,
} from '../protected-environments/protected-environment.ts'
import type { Environment } from './environment.store.ts'

/** Environments are for members who work on the project: Reporters read, Developers change. */
export const mayReadEnvironments: Rule<Project> = (facts) =>
  mayReadPipelines(facts) &&
  (facts.level >= Level.reporter || facts.subject.visibility !== 'private')

export const mayManageEnvironments: Rule<Project> = ({ subject, level }) =>
  level >= Level.developer && isUnarchived(subject)

/**
 * An environment can be changed by callers who may deploy to it: those who may change environments, unless a protection
 * excludes them.
 */
export async function mayChangeEnvironment({
  db,
  subject: project,
  actor,
  level,
  loaded: environment,
}: {
  db: Db
  subject: Project
  actor: Actor
  level: number
  loaded: Environment
}): Promise<boolean> {
  const protections = await listEnvironmentProtections(db, project, actor)
  return mayDeployToEnvironment(protections, environment, { actor, level })
}
