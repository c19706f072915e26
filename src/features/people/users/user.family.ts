import type { Family } from '../../family.ts'
import { userEndpoints } from './user.routes.ts'
import { userTasks } from './user.tasks.ts'
import { userStateEndpoints } from './user-state.routes.ts'
import { userWriteEndpoints } from './user-write.routes.ts'

export const userFamily: Family = {
  endpoints: [...userEndpoints, ...userWriteEndpoints, ...userStateEndpoints],
  tasks: userTasks,
}
