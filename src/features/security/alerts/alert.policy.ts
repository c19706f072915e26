import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'
import { mayCreateIssues } from '../../planning/issues/issue.ts'

export const mayReadAlerts: Rule<Project> = ({ level }) => level >= Level.developer
export const mayChangeAlerts: Rule<Project> = (facts) =>
  mayReadAlerts(facts) && isUnarchived(facts.subject)
export const mayMakeIncidents: Rule<Project> = (facts) =>
  mayChangeAlerts(facts) && mayCreateIssues(facts)
export const mayAdminAlerts: Rule<Project> = ({ level }) => level >= Level.maintainer
