import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Reading integrations reveals their keys, so it requires a Maintainer. */
export const mayReadAlertIntegrations: Rule<Project> = ({ level }) => level >= Level.maintainer
export const mayWriteAlertIntegrations: Rule<Project> = (facts) =>
  mayReadAlertIntegrations(facts) && isUnarchived(facts.subject)
export const maySendTestAlerts: Rule<Project> = ({ subject, level }) =>
  level >= Level.developer && isUnarchived(subject)
