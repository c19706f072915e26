import type { CiStatus } from '../../../db/db.ts'

type Words = { text?: string; label?: string; icon?: string }

/** How a status is called to a person, and its icon, where that is not the status itself. */
export const statusWords: Partial<Record<CiStatus, Words>> = {
  success: { text: 'passed', label: 'passed' },
  manual: { text: 'blocked', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'waiting', label: 'waiting for resource', icon: 'status_pending' },
  scheduled: { text: 'delayed', label: 'waiting for delayed job' },
}

/** The label of a status; of a pipeline that passed although a job failed that may, one of its own. */
export function statusLabel(status: CiStatus, { hasWarnings }: { hasWarnings: boolean }): string {
  if (status === 'success' && hasWarnings) return 'passed with warnings'
  return statusWords[status]?.label ?? status
}
