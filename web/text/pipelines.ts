import { formatCountWithNoun } from './numbers.ts'
import { statusFilters } from './status.ts'

export const pipelines = {
  title: 'Pipelines',
  titleOf: (id: number) => `Pipeline ${id}`,
  run: 'Run pipeline',
  empty: 'No pipelines yet',
  emptyText: 'Pipelines run the jobs in your .gitlab-ci.yml file when you push commits.',
  noMatches: 'No matching pipelines',
  openEditor: 'Open pipeline editor',
  filters: statusFilters,
  ref: 'Branch or tag',
  filter: 'Status',
  by: (name: string) => `by ${name}`,
  sources: {
    push: 'push',
    web: 'web',
    trigger: 'trigger token',
    schedule: 'schedule',
    api: 'API',
    pipeline: 'upstream pipeline',
    parent_pipeline: 'parent pipeline',
    merge_request_event: 'merge request',
    external: 'external',
  } as Readonly<Record<string, string>>,
  retry: 'Retry failed jobs',
  retryCanceled: 'Retry canceled jobs',
  cancel: 'Cancel pipeline',
  delete: 'Delete pipeline',
  deleteTitle: (id: number) => `Delete pipeline ${id}?`,
  deleteText:
    'This deletes the pipeline and all of its jobs, logs and artifacts. This cannot be undone.',
  stages: 'Stages',
  jobsOf: (stage: string) => `Jobs in stage ${stage}`,
  failedJobs: 'Failed jobs',
  lastLogLinesOf: (name: string) => `Last log lines of ${name}`,
  needs: (names: string) => `needs ${names}`,
  viewLog: 'View log',
  viewLogOf: (name: string) => `View log of ${name}`,
  tests: 'Tests',
  testSummary: (passed: number, failed: number, skipped: number) =>
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  failedTests: 'Failed tests',
  outputOf: (test: string) => `Output of ${test}`,
  moreTests: (number: number) =>
    formatCountWithNoun(number, 'more failed test', 'more failed tests'),
  suiteAndClass: (suite: string, classname: string) =>
    [suite, classname].filter((name) => name !== '').join(' · '),
  unparsableReport: (suite: string, problem: string) =>
    `The test report of ${suite} could not be parsed: ${problem}`,
  licenses: 'Licenses',
  licenseSummary: (denied: number, unclassified: number, allowed: number) =>
    [
      denied > 0 && `${denied} denied`,
      unclassified > 0 && `${unclassified} unclassified`,
      allowed > 0 && `${allowed} allowed`,
    ]
      .filter(Boolean)
      .join(', '),
  coverage: 'Coverage',
  percent: (share: string | number) => `${share}%`,
  yamlErrors: 'Invalid CI configuration',
  protectedRefReason: (ref: string) =>
    `${ref} is protected, and you don't have permission to run its jobs.`,
  runJob: (job: string) => `Run ${job}`,
  retryJob: (job: string) => `Retry ${job}`,
  noJobs: 'This pipeline has no jobs',
  variables: 'Variables',
  addVariable: 'Add variable',
  key: 'Key',
  value: 'Value',
  newTitle: 'New pipeline',
  newLead: 'Runs the pipeline for a branch or tag. You can add variables.',
  artifacts: 'Artifacts',
  ended: (id: number, word: string) => `Pipeline ${id}: ${word}`,
}
