import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'
import { createIssues } from '../../planning/issues/issue.ts'

export const readAlerts: Rule<Project> = ({ level }) => level >= Level.developer
export const changeAlerts: Rule<Project> = (facts) =>
  readAlerts(facts) && isUnarchived(facts.subject)
export const makeIncidents: Rule<Project> = (facts) => changeAlerts(facts) && createIssues(facts)
export const adminAlerts: Rule<Project> = ({ level }) => level >= Level.maintainer
