import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { downloadCode, isUnarchived, type Project } from '../../../subjects/project.ts'

/** What of a project its releases are judged by. */
export type Releasing = Pick<Project, 'visibility' | 'repository_access_level' | 'archived'>

/** Whoever sees a project sees that it has releases; what they are made of is for readers of code. */
export const readReleases: Rule<Releasing> = () => true
export const readReleasedCode: Rule<Releasing> = downloadCode
export const writeReleases: Rule<Releasing> = ({ subject, level }) =>
  subject.repository_access_level !== 'disabled' &&
  level >= Level.developer &&
  isUnarchived(subject)
export const removeReleases: Rule<Releasing> = (facts) =>
  writeReleases(facts) && facts.level >= Level.maintainer
