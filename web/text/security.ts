import { formatCount, formatCountWithNoun, formatDuration } from './numbers.ts'

type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown'

/** The worst first. */
const severityWords: readonly (readonly [Severity, string])[] = [
  ['critical', 'Critical'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
  ['info', 'Info'],
  ['unknown', 'Unknown'],
]

const stateWords = {
  detected: 'Detected',
  confirmed: 'Confirmed',
  dismissed: 'Dismissed',
  resolved: 'Resolved',
}

const reportWords: Readonly<Record<string, string>> = {
  sast: 'SAST',
  secret_detection: 'Secret detection',
  dependency_scanning: 'Dependency scanning',
  container_scanning: 'Container scanning',
  cluster_image_scanning: 'Cluster image scanning',
  dast: 'DAST',
  coverage_fuzzing: 'Coverage fuzzing',
  api_fuzzing: 'API fuzzing',
}

export const security = {
  places: 'Security',
  report: 'Vulnerability report',
  dependencies: 'Dependencies',
  licenses: 'Licenses',
  severities: Object.fromEntries(severityWords) as Readonly<Record<string, string>>,
  severityList: severityWords,
  states: stateWords as Readonly<Record<string, string>>,
  reportTypes: reportWords,
}

export const vulnerabilities = {
  lead: 'Vulnerabilities that security scanners found on the default branch.',
  groupLead:
    'Vulnerabilities that security scanners found on the default branches of the projects in this group.',
  bySeverity: 'Vulnerabilities by severity',
  countOf: (severity: string, number: number) => `${severity} ${formatCount(number)}`,
  filters: 'Filters',
  state: 'Status',
  stateOptions: [
    ['', 'Needs attention'],
    ['all', 'All statuses'],
    ...Object.entries(stateWords),
  ] as readonly (readonly [string, string])[],
  tool: 'Tool',
  toolOptions: [['', 'All tools'], ...Object.entries(reportWords)] as readonly (readonly [
    string,
    string,
  ])[],
  activity: 'Activity',
  activityOptions: [
    ['', 'Any activity'],
    ['detected', 'Still detected'],
    ['gone', 'No longer detected'],
  ] as readonly (readonly [string, string])[],
  clear: 'Clear filters',
  empty: 'No vulnerabilities to review',
  emptyText:
    'Findings appear here after a job publishes a security report, such as SAST or dependency scanning.',
  noMatches: 'No matching vulnerabilities',
  noMatchesText: 'Change or clear the filters to see more vulnerabilities.',
  gone: 'No longer detected',
  select: (title: string) => `Select ${title}`,
  confirm: 'Confirm',
  dismiss: 'Dismiss',
  dismissVulnerability: 'Dismiss vulnerability',
  resolve: 'Resolve',
  revert: 'Revert to detected',
  reason: 'Reason',
  reasons: [
    ['acceptable_risk', 'Acceptable risk'],
    ['false_positive', 'False positive'],
    ['mitigating_control', 'Mitigating control'],
    ['used_in_tests', 'Used in tests'],
    ['not_applicable', 'Not applicable'],
  ] as readonly (readonly [string, string])[],
  comment: 'Comment',
  archived: 'The project is archived',
  dismissedAs: (reason: string) => `Reason: ${reason}`,
  changed: (state: string) => `Status changed to ${state}`,
  severity: 'Severity',
  confidence: 'Confidence',
  scanner: 'Scanner',
  location: 'Location',
  identifiers: 'Identifiers',
  links: 'Links',
  description: 'Description',
  noDescription: 'The scanner did not provide a description.',
  solution: 'Solution',
  goneText: 'The last scan of the default branch did not find this vulnerability.',
  history: 'History',
  firstFound: 'Detected by a scan',
  changedFrom: (from: string, to: string) => `Changed from ${from} to ${to}`,
  foundAgain: 'Found again by a scan',
  by: (name: string) => `by ${name}`,
  issues: 'Linked issues',
  noIssues: 'No linked issues',
  createIssue: 'Create issue',
  issueCreated: (iid: number) => `Issue #${iid} created`,
  issueTitle: (title: string) => `Investigate vulnerability: ${title}`,
  linkIssue: 'Link issue',
  issueNumber: 'Issue number',
  unlink: 'Unlink',
  createdFrom: 'Created from this vulnerability',
  issueOf: (id: number, url: string) => `Vulnerability [${id}](${url})`,
  lines: {
    severity: (word: string) => `Severity: ${word}`,
    scanner: (name: string) => `Scanner: ${name}`,
    location: (place: string) => `Location: ${place}`,
    identifiers: (names: string) => `Identifiers: ${names}`,
  },
}

export const vulnerabilityExports = {
  export: 'Export as CSV',
  title: 'Export',
  created: 'Waiting to start',
  running: 'In progress',
  finished: 'Ready',
  failed: 'Failed',
  progress: 'Rows exported',
  percent: (percent: number) => `${percent}%`,
  percentAndTime: (percent: number, left_s: number) =>
    `${percent}%, about ${formatDuration(left_s)} left`,
  since: 'Requested',
  failedText: 'The export failed. Request it again.',
  keptText: 'The file is available for one hour.',
  expired: 'This export has expired. Request it again.',
  download: 'Download CSV',
  close: 'Close export',
}

export const dependencies = {
  lead: 'Packages that the default branch uses, from dependency scans or lock files.',
  groupLead: 'Packages that the default branches of the projects in this group use.',
  search: 'Search packages',
  manager: 'Package manager',
  managers: [
    ['', 'All package managers'],
    ...[
      ...['bundler', 'composer', 'conan', 'go', 'gradle', 'maven', 'npm'],
      ...['nuget', 'pip', 'pipenv', 'yarn', 'sbt', 'setuptools'],
    ].map((name) => [name, name] as const),
  ] as readonly (readonly [string, string])[],
  sort: 'Sort by',
  sorts: [
    ['', 'Severity'],
    ['name', 'Name'],
  ] as readonly (readonly [string, string])[],
  empty: 'No dependencies found',
  emptyText:
    'Commit a lock file to the default branch, or run a job that publishes a dependency scanning report or a CycloneDX bill of materials.',
  noMatches: 'No matching dependencies',
  noMatchesText: 'Change the search or the package manager to see more dependencies.',
  vulnerabilities: (number: number) =>
    formatCountWithNoun(number, 'vulnerability', 'vulnerabilities'),
  of: (name: string) => `of ${name}`,
  noLicense: 'License unknown',
}

export const licenses = {
  lead: 'Licenses of the packages this project uses, and the policies that allow or deny them.',
  found: 'Licenses found',
  foundIn: 'From pipeline',
  noPipeline: 'No successful pipeline on the default branch yet',
  noneFound: 'No licenses found',
  noneFoundText:
    'Licenses appear here once a job uploads a CycloneDX SBOM or a license scanning report.',
  noMatches: 'No matching licenses',
  status: 'Status',
  statuses: [
    ['', 'All'],
    ['denied', 'Denied'],
    ['unclassified', 'Unclassified'],
    ['allowed', 'Allowed'],
  ] as readonly (readonly [string, string])[],
  words: { allowed: 'Allowed', denied: 'Denied', unclassified: 'Unclassified' } as Readonly<
    Record<string, string>
  >,
  usedBy: (number: number) => `Used by ${formatCountWithNoun(number, 'package', 'packages')}`,
  more: (number: number) => `and ${formatCount(number)} more`,
  policies: 'Policies',
  noPolicies: 'No policies yet',
  noPoliciesText: 'Add a policy to allow or deny a license in this project.',
  add: 'Add policy',
  new: 'New policy',
  name: 'License',
  nameHint: 'An SPDX identifier, such as MIT, or a license name.',
  policy: 'Policy',
  allow: 'Allow',
  deny: 'Deny',
  remove: 'Delete policy',
  removeTitle: (name: string) => `Delete the policy for ${name}?`,
  removeText: 'The license becomes unclassified. You can add the policy again.',
  menu: (name: string) => `Actions for policy ${name}`,
  saved: (name: string) => `Policy for ${name} saved`,
  removed: (name: string) => `Policy for ${name} deleted`,
}

export const dashboard = {
  title: 'Security dashboard',
  lead: 'Vulnerabilities in the projects you choose. An export covers all of these projects.',
  projects: 'Projects',
  empty: 'No projects on your dashboard yet',
  emptyText: 'Add projects in which you have at least the Developer role.',
  add: 'Add project',
  project: 'Project',
  remove: 'Remove',
  removed: (name: string) => `${name} removed from your dashboard`,
}
