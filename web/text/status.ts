/** How states of pipelines, jobs and runners are told. */
export const statusWords: Readonly<Record<string, string>> = {
  success: 'passed',
  failed: 'failed',
  running: 'running',
  pending: 'waiting for a runner',
  waiting_for_resource: 'waiting for a resource',
  preparing: 'preparing',
  created: 'not begun',
  scheduled: 'delayed',
  manual: 'by hand',
  canceled: 'canceled',
  skipped: 'skipped',
  never_contacted: 'never seen',
}
