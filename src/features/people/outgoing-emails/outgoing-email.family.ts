import type { Family } from '../../family.ts'
import { confirmationEmailTasks } from './confirmation.tasks.ts'
import { countedEmailTasks } from './counted-email.ts'
import { invitationEmailTasks } from './invitation.tasks.ts'
import { linkTokenTasks } from './link-token.tasks.ts'
import { passwordEmailTasks } from './password-reset.tasks.ts'

export const outgoingEmailFamily: Family = {
  tasks: [
    ...passwordEmailTasks,
    ...countedEmailTasks,
    ...linkTokenTasks,
    ...invitationEmailTasks,
    ...confirmationEmailTasks,
  ],
}
