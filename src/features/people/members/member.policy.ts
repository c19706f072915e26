import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { MemberSource } from './member-source.ts'

export const readMembers: Rule<MemberSource> = () => true // Whoever sees the source sees who is in it.
export const adminMembers: Rule<MemberSource> = ({ subject, level }) =>
  level >= (subject.kind === 'group' ? Level.owner : Level.maintainer)
/** Everybody may leave. Only those who administer the source may remove others. */
export const leaveOrAdminMembers: Rule<MemberSource> = () => true
