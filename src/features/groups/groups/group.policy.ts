import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Group } from '../../../subjects/group.ts'

export const mayReadGroup: Rule<Group> = () => true // All callers who can see the group may read it.
export const mayAdminGroup: Rule<Group> = ({ level }) => level >= Level.owner
export const mayCreateSubgroup: Rule<Group> = ({ subject, level }) =>
  level >= (subject.subgroup_creation_level === 'owner' ? Level.owner : Level.maintainer)

/** Every user may create groups without a parent, unless their account is not allowed to. */
export function mayCreateTopLevelGroup(
  user: ActorUser,
  account: { can_create_group: boolean },
): boolean {
  return user.is_admin || account.can_create_group
}
