import type { CiStatus } from '../../../db/db.ts'

type Words = { text?: string; label?: string; icon?: string }

/** How a status is called to a person, and its icon, where that is not the status itself. */
export const ciStatusWords: Partial<Record<CiStatus, Words>> = {
  success: { text: 'passed', label: 'passed' },
  manual: { text: 'blocked', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'waiting', label: 'waiting for resource', icon: 'status_pending' },
  scheduled: { text: 'delayed', label: 'waiting for delayed job' },
}

/** Returns the label of a status. A pipeline that passed with a failed job that may fail has a label of its own. */
export function ciStatusLabel(status: CiStatus, { hasWarnings }: { hasWarnings: boolean }): string {
  if (status === 'success' && hasWarnings) return 'passed with warnings'
  return ciStatusWords[status]?.label ?? status
}
