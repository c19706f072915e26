import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'

export const mayShareGroup: Rule<unknown> = ({ level }) => level >= Level.owner
export const mayShareProject: Rule<unknown> = ({ level }) => level >= Level.maintainer
