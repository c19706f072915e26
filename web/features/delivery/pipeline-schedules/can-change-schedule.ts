import { isAdministrator, user } from '../../../api/session.ts'

/** Whether somebody may change a schedule, which runs in its owner's name: the owner, and administrators. */
export function canChangeSchedule({ owner }: { owner: { id: number } | null }): boolean {
  return isAdministrator() || (owner !== null && owner.id === user.value?.id)
}
