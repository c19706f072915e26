import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { downloadCode, type Project, pushCode } from '../../../subjects/project.ts'

/** Whoever sees a project sees that it has releases; what they are made of is for readers of code. */
export const readReleases: Rule<Project> = () => true
export const readReleasedCode: Rule<Project> = downloadCode
export const writeReleases: Rule<Project> = pushCode
export const removeReleases: Rule<Project> = (facts) =>
  pushCode(facts) && facts.level >= Level.maintainer
