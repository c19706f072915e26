import { formatBytes, formatCountWithNoun } from './numbers.ts'

export const adminSites = {
  title: 'Pages sites',
  lead: 'Sites published by projects on this server.',
  list: 'Pages sites',
  empty: 'No Pages sites yet',
  emptyText: 'Sites appear here after a pages job publishes them.',
  size: (size: number, files: number) =>
    `${formatBytes(size)} in ${formatCountWithNoun(files, 'file', 'files')}`,
  deployed: 'Last deployment',
  access: {
    public: 'Everyone',
    enabled: 'Everyone with access to the project',
    private: 'Project members',
    disabled: 'Disabled',
  } as Readonly<Record<string, string>>,
  domains: (names: string) => `Domains: ${names}`,
  unverified: (domain: string) => `${domain} (not verified)`,
  settings: 'Settings',
  settingsOf: (path: string) => `Settings of ${path}`,
}

export const adminExports = {
  title: 'Vulnerability exports',
  lead: 'Vulnerability exports from the past hour. Only the user who requested an export can download it.',
  list: 'Vulnerability exports',
  empty: 'No recent exports',
  emptyText: 'Exports of vulnerability reports appear here for one hour.',
  statuses: {
    created: 'Waiting to start',
    running: 'In progress',
    finished: 'Ready',
    failed: 'Failed',
  } as Readonly<Record<string, string>>,
  progress: 'Rows exported',
  dashboard: 'Security dashboard',
  by: 'Requested by',
  finished: 'Finished',
  started: 'Started',
  attempts: (number: number) => formatCountWithNoun(number, 'attempt', 'attempts'),
  size: formatBytes,
}
