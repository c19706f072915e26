import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'

export const shareGroup: Rule<unknown> = ({ level }) => level >= Level.owner
export const shareProject: Rule<unknown> = ({ level }) => level >= Level.maintainer
