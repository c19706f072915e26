import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Whoever reads integrations reads their keys. */
export const readIntegrations: Rule<Project> = ({ level }) => level >= Level.maintainer
export const writeIntegrations: Rule<Project> = (facts) =>
  readIntegrations(facts) && isUnarchived(facts.subject)
export const tryIntegrations: Rule<Project> = ({ subject, level }) =>
  level >= Level.developer && isUnarchived(subject)
