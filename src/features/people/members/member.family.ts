import type { Family } from '../../family.ts'
import { accessRequestEndpoints } from './access-request.routes.ts'
import { invitationEndpoints } from './invitation.routes.ts'
import { memberEndpoints } from './member.routes.ts'
import { memberTasks } from './member.tasks.ts'
import { membershipEndpoints } from './membership.routes.ts'
import { projectAccessEndpoints } from './project-access.routes.ts'

export const memberFamily: Family = {
  endpoints: [
    ...memberEndpoints,
    ...membershipEndpoints,
    ...invitationEndpoints,
    ...projectAccessEndpoints,
    ...accessRequestEndpoints,
  ],
  tasks: memberTasks,
}
