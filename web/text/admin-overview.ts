import { formatBytes, formatCount, formatCountWithNoun, formatDuration } from './numbers.ts'

type Counted = 'projects' | 'groups' | 'users' | 'active_users' | 'issues' | 'merge_requests'

export const adminOverviewText = {
  title: 'Overview',
  allWell: 'No problems found',
  problems: (number: number) => formatCountWithNoun(number, 'problem found', 'problems found'),
  health: 'Health',
  healthList: 'Server health',
  ok: 'OK',
  attention: 'Needs attention',
  tasks: 'Background tasks',
  tasksFailed: (number: number) => formatCountWithNoun(number, 'task failed', 'tasks failed'),
  tasksWaiting: (number: number, seconds: number) =>
    `${formatCountWithNoun(number, 'task', 'tasks')} overdue, the oldest by ${formatDuration(seconds)}`,
  noTasksWaiting: 'No overdue tasks',
  emails: 'Emails',
  emailsFailed: (number: number) => formatCountWithNoun(number, 'email failed', 'emails failed'),
  emailsFrom: (address: string) => `Sent from ${address}`,
  noEmails: 'No email server is configured',
  disk: (name: string | null) => (name === null ? 'Data folder' : `Storage ${name}`),
  diskFree: (free: number, size: number) => `${formatBytes(free)} of ${formatBytes(size)} free`,
  diskFull: (free: number) =>
    `Nearly full: ${formatBytes(free)} free. Pushes and uploads are rejected.`,
  runners: 'Runners',
  runnersOnline: (number: number) => formatCountWithNoun(number, 'runner online', 'runners online'),
  noRunners: 'No runners are online. Jobs stay pending.',
  nodes: 'Nodes',
  nodesRunning: (number: number) => formatCountWithNoun(number, 'node running', 'nodes running'),
  nodesLost: (number: number) => formatCountWithNoun(number, 'node lost', 'nodes lost'),
  nodesMixed: 'different versions',
  workers: (number: number) => formatCountWithNoun(number, 'worker process', 'worker processes'),
  pending: 'Users pending approval',
  pendingUsers: (number: number) => formatCountWithNoun(number, 'user waiting', 'users waiting'),
  backup: 'Last backup',
  noBackup: 'No backups yet',
  version: 'Version',
  versionIs: (version: string, database: string) =>
    `Bloomery ${version} on ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
  statistics: 'Statistics',
  counts: [
    ['projects', 'Projects', '/admin/projects'],
    ['groups', 'Groups', '/admin/groups'],
    ['users', 'Users', '/admin/users'],
    ['active_users', 'Active users', '/admin/users?state=active'],
    ['issues', 'Issues', '/dashboard/issues?scope=all'],
    ['merge_requests', 'Merge requests', '/dashboard/merge_requests?scope=all'],
  ] as readonly (readonly [Counted, string, string])[],
  count: (digits: string) => formatCount(Number(digits)),
  steps: 'Get started',
  stepsLead: 'Finish setting up this server. Completed steps disappear from this list.',
  address: 'Set the public URL',
  addressText:
    'Clone URLs and links in emails start with this URL. Set it as an environment variable, or as url in bloomery.json in the data folder, then restart the server.',
  addressLine: (origin: string) => `BLOOMERY_URL=${origin}`,
  mail: 'Set up an email server',
  mailText:
    'Bloomery needs one to send invitations and password reset links. Set smtp_url the same way as the public URL, which is also required.',
  mailLine: 'BLOOMERY_SMTP_URL=smtp://user:password@mail.example:587',
  runner: 'Add a runner',
  runnerText: 'Pipeline jobs need a runner to run on. No runners are online yet.',
  addRunner: 'Add runner',
  firstBackup: 'Set up backups',
  firstBackupText:
    'Set a folder on another disk, or an S3 bucket, the same way as the public URL. After a restart, the server creates a backup every night.',
  firstBackupLine: 'BLOOMERY_BACKUP_TO=/var/backups/bloomery',
  secondFactor: 'Protect your account',
  secondFactorText:
    'Your account has full access to this server. Protect it with two-factor authentication.',
  addSecondFactor: 'Set up two-factor authentication',
  line: (step: string) => `command: ${step}`,
}
