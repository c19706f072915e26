/** Statuses whose words are not those of the API; others are shown as the API names them, with spaces. */
export const statusWords: Readonly<Record<string, string>> = {
  success: 'passed',
  opened: 'open',
  waiting_for_resource: 'waiting for resource',
  warning: 'failed (allowed to fail)',
}

/** The filters of lists of pipelines and jobs. */
export const statusFilters: readonly (readonly [string, string])[] = [
  ['', 'All'],
  ['running', 'Running'],
  ['pending', 'Pending'],
  ['success', 'Passed'],
  ['failed', 'Failed'],
]
