import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isInUse, type Project } from '../../../subjects/project.ts'

/** Whoever reads integrations reads their keys. */
export const readIntegrations: Rule<Project> = ({ level }) => level >= Level.maintainer
export const writeIntegrations: Rule<Project> = (facts) =>
  readIntegrations(facts) && isInUse(facts.subject)
export const tryIntegrations: Rule<Project> = ({ subject, level }) =>
  level >= Level.developer && isInUse(subject)
