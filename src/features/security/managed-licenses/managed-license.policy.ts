import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, mayAdminProject, type Project } from '../../../subjects/project.ts'

/** Reporters may read licence policies; in internal and public projects everyone who can see the project may. */
export const mayReadLicenses: Rule<Project> = ({ subject, level }) =>
  level >= Level.reporter || subject.visibility !== 'private'

export const mayWriteLicenses: Rule<Project> = (facts) =>
  mayAdminProject(facts) && isUnarchived(facts.subject)
