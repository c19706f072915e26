import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { MemberSource } from './member-source.ts'

export const mayReadMembers: Rule<MemberSource> = () => true // Whoever sees the source sees who is in it.
export const mayAdminMembers: Rule<MemberSource> = ({ subject, level }) =>
  level >= (subject.kind === 'group' ? Level.owner : Level.maintainer)
/** Everybody may leave. Only those who administer the source may remove others. */
export const mayLeaveOrAdminMembers: Rule<MemberSource> = () => true
