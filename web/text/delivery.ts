import { counted, duration } from './numbers.ts'

const states = [
  ['', 'All'],
  ['running', 'Running'],
  ['pending', 'Pending'],
  ['success', 'Passed'],
  ['failed', 'Failed'],
] as const

export const pipelines = {
  title: 'Pipelines',
  titleOf: (id: number) => `Pipeline ${id}`,
  run: 'Run pipeline',
  empty: 'No pipelines yet',
  emptyText: 'Pipelines run the jobs in your .gitlab-ci.yml file when you push commits.',
  noMatches: 'No matching pipelines',
  openEditor: 'Open pipeline editor',
  filters: states,
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
    'This deletes the pipeline and all of its jobs, logs and artifacts. This action cannot be undone.',
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
  moreTests: (number: number) => counted(number, 'more failed test', 'more failed tests'),
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

export const jobs = {
  title: 'Jobs',
  empty: 'No jobs yet',
  emptyText: 'Jobs appear here when a pipeline runs.',
  noMatches: 'No matching jobs',
  filters: [...states, ['manual', 'Manual'] as const],
  filter: 'Status',
  line: (number: number) => `Line ${number}`,
  log: (name: string) => `Log of ${name}`,
  follow: 'Follow log',
  following: 'Following log',
  raw: 'View raw log',
  wrap: 'Wrap lines',
  search: 'Search log',
  matchPosition: (at: number, all: number) => (all === 0 ? 'No matches' : `${at} of ${all}`),
  nextMatch: 'Next match',
  previousMatch: 'Previous match',
  firstFailure: 'Go to first failure',
  searching: (found: number, share: number) =>
    `${counted(found, 'match', 'matches')} so far (${Math.floor(share * 100)}% of the log searched)`,
  collapseSections: 'Collapse sections',
  sectionLabel: (header: string) => (header === '' ? 'Section' : header),
  sectionDuration: duration,
  truncated: (characters: number) =>
    ` … ${counted(characters, 'more character', 'more characters')}`,
  lines: (number: number) => counted(number, 'line', 'lines'),
  noLogYet: 'No log yet',
  noLog: 'This job has no log',
  logAppearsHere: 'The log appears here while the job runs.',
  manualAction: 'This job requires a manual action. Its log appears here after you run it.',
  logErased: 'The log of this job was erased',
  waitingForRunner: (tags: string) =>
    tags === ''
      ? 'This job is waiting for a runner.'
      : `This job is waiting for a runner with the tags: ${tags}.`,
  sandboxUnavailable: (problem: string) =>
    `This job is waiting because the built-in runner can't run it in a sandbox on this server: ${problem}.`,
  askAdministrator:
    'Ask an administrator to allow jobs to run without a sandbox, or register another runner.',
  allowWithoutSandbox: 'Run jobs without a sandbox',
  allowWithoutSandboxTitle: 'Run jobs without a sandbox?',
  allowWithoutSandboxText:
    'Every job of every project on this server can then read and change all repositories, the database and the files of the user who runs the server. Allow this only if you trust everyone who can push.',
  runner: (name: string) => `Runner: ${name}`,
  retry: 'Retry job',
  cancel: 'Cancel job',
  protectedRefReason: (ref: string) =>
    `${ref} is protected, and you don't have permission to run its jobs.`,
  run: 'Run job',
  erase: 'Erase log and artifacts',
  eraseTitle: 'Erase job log and artifacts?',
  eraseText: 'This action cannot be undone.',
  artifacts: 'Artifacts',
  failureReason: (reason: string) => `Failure reason: ${reason.replaceAll('_', ' ')}`,
  pipeline: (id: number) => `Pipeline ${id}`,
  siblings: (pipeline: number) => `Jobs of pipeline ${pipeline}`,
  jobsOf: (stage: string) => `Jobs in stage ${stage}`,
  goToStart: 'Go to start of log',
  goToEnd: 'Go to end of log',
}
