import type { Family } from '../../family.ts'
import { emailTasks } from './confirmation.tasks.ts'
import { letterTasks } from './counted-letter.ts'
import { invitationTasks } from './invitation.tasks.ts'
import { linkTokenTasks } from './link-token.tasks.ts'
import { passwordTasks } from './password-reset.tasks.ts'

export const letterFamily: Family = {
  tasks: [...passwordTasks, ...letterTasks, ...linkTokenTasks, ...invitationTasks, ...emailTasks],
}
