import { formatCountWithNoun, formatDuration } from './numbers.ts'
import { statusFilters } from './status.ts'

export const jobs = {
  title: 'Jobs',
  empty: 'No jobs yet',
  emptyText: 'Jobs appear here when a pipeline runs.',
  noMatches: 'No matching jobs',
  filters: [...statusFilters, ['manual', 'Manual']] as readonly (readonly [string, string])[],
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
    `${formatCountWithNoun(found, 'match', 'matches')} so far (${Math.floor(share * 100)}% of the log searched)`,
  collapseSections: 'Collapse sections',
  sectionLabel: (header: string) => (header === '' ? 'Section' : header),
  sectionDuration: formatDuration,
  truncated: (characters: number) =>
    ` … ${formatCountWithNoun(characters, 'more character', 'more characters')}`,
  lines: (number: number) => formatCountWithNoun(number, 'line', 'lines'),
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
  eraseText: 'This cannot be undone.',
  artifacts: 'Artifacts',
  failureReason: (reason: string) => `Failure reason: ${reason.replaceAll('_', ' ')}`,
  pipeline: (id: number) => `Pipeline ${id}`,
  siblings: (pipeline: number) => `Jobs of pipeline ${pipeline}`,
  jobsOf: (stage: string) => `Jobs in stage ${stage}`,
  goToStart: 'Go to start of log',
  goToEnd: 'Go to end of log',
}
