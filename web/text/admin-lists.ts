import { formatBytes, formatCountWithNoun } from './numbers.ts'

export const adminSites = {
  title: 'Pages sites',
  lead: 'The sites that projects on this server have published.',
  list: 'Sites',
  empty: 'No sites yet',
  emptyText: 'Sites appear here once a job named pages has published one.',
  size: (size: number, files: number) =>
    `${formatBytes(size)} in ${formatCountWithNoun(files, 'file', 'files')}`,
  deployed: 'Last deployment',
  access: {
    public: 'Everyone',
    enabled: 'Everyone with access to the project',
    private: 'Project members',
    disabled: 'Turned off',
  } as Readonly<Record<string, string>>,
  domains: (names: string) => `Domains: ${names}`,
  unverified: (domain: string) => `${domain} (not verified)`,
  settings: 'Settings',
  settingsOf: (path: string) => `Settings of ${path}`,
}

export const adminExports = {
  title: 'Exports',
  lead: 'Vulnerability exports of the past hour. Only the people who requested them can download them.',
  list: 'Exports',
  empty: 'No exports',
  emptyText: 'Exports of vulnerability reports appear here for one hour.',
  statuses: {
    created: 'Waiting to start',
    running: 'Being made',
    finished: 'Ready',
    failed: 'Failed',
  } as Readonly<Record<string, string>>,
  progress: 'Rows written',
  dashboard: 'Security dashboard',
  by: 'Requested by',
  finished: 'Finished',
  started: 'Started',
  attempts: (number: number) => formatCountWithNoun(number, 'attempt', 'attempts'),
  size: formatBytes,
}
