import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { MemberSource } from './member-source.ts'

export const readMembers: Rule<MemberSource> = () => true // Whoever sees the source sees who is in it.
export const adminMembers: Rule<MemberSource> = ({ subject, level }) =>
  level >= (subject.kind === 'group' ? Level.owner : Level.maintainer)
/** Leaving is everybody's right; removing others is the administrators' of the source. */
export const leaveOrAdminMembers: Rule<MemberSource> = () => true
