import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userRemovedEffect } from '../../people/users/user.tasks.ts'
import { groupEndpoints } from './group.routes.ts'
import { groupTasks } from './group.tasks.ts'
import { removeOwnedGroups } from './remove-owned-groups.ts'
import { transferGroupEndpoints } from './transfer-group.routes.ts'

export const groupFamily: Family = {
  endpoints: [...groupEndpoints, ...transferGroupEndpoints],
  tasks: groupTasks,
  effects: [onEffect(userRemovedEffect, removeOwnedGroups)],
}
