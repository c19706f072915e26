import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { adminProject, isUnarchived, type Project } from '../../../subjects/project.ts'

/** Reporters and above; in a project that is not private, everybody who sees it. */
export const readLicenses: Rule<Project> = ({ subject, level }) =>
  level >= Level.reporter || subject.visibility !== 'private'

export const writeLicenses: Rule<Project> = (facts) =>
  adminProject(facts) && isUnarchived(facts.subject)
