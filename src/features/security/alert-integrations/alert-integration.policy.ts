import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Whoever reads integrations reads their keys. */
export const mayReadIntegrations: Rule<Project> = ({ level }) => level >= Level.maintainer
export const mayWriteIntegrations: Rule<Project> = (facts) =>
  mayReadIntegrations(facts) && isUnarchived(facts.subject)
export const mayTryIntegrations: Rule<Project> = ({ subject, level }) =>
  level >= Level.developer && isUnarchived(subject)
