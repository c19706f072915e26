import type { Family } from '../../family.ts'
import { avatarEndpoints } from './avatar.routes.ts'
import { avatarTasks } from './avatar.tasks.ts'

export const avatarFamily: Family = {
  endpoints: avatarEndpoints,
  tasks: avatarTasks,
}
