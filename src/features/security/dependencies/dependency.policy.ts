import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Project } from '../../../subjects/project.ts'

/** Who is told what is known to be wrong with what a project depends on: Developers and above. */
export const readVulnerabilities: Rule<Project> = ({ level }) => level >= Level.developer
