import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { MemberSource } from './member-source.ts'

// All callers who can see the project or group can see its members.
export const mayReadMembers: Rule<MemberSource> = () => true
export const mayAdminMembers: Rule<MemberSource> = ({ subject, level }) =>
  level >= (subject.kind === 'group' ? Level.owner : Level.maintainer)
/** Every member may leave. Whether the caller may remove others is authorized at the route. */
export const mayLeaveOrAdminMembers: Rule<MemberSource> = () => true
