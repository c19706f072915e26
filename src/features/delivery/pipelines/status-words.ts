import type { CiStatus } from '../../../db/db.ts'

type Words = { text?: string; label?: string; icon?: string }

/** The text, label and icon of statuses that differ from the status itself. */
export const ciStatusWords: Partial<Record<CiStatus, Words>> = {
  success: { text: 'passed', label: 'passed' },
  manual: { text: 'blocked', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'waiting', label: 'waiting for resource', icon: 'status_pending' },
  scheduled: { text: 'delayed', label: 'waiting for delayed job' },
}

/** Returns the label of a status. A successful pipeline with a failed job that is allowed to fail has its own label. */
export function ciStatusLabel(status: CiStatus, { hasWarnings }: { hasWarnings: boolean }): string {
  if (status === 'success' && hasWarnings) return 'passed with warnings'
  return ciStatusWords[status]?.label ?? status
}
