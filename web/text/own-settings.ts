import { formatCountWithNoun, formatDay } from './numbers.ts'

export const sshKeys = {
  lead: 'SSH keys let you pull and push without a password.',
  add: 'Add key',
  added: (title: string) => `SSH key ${title} added`,
  addTitle: 'Add an SSH key',
  key: 'Public key',
  keyHint:
    'Paste the contents of a file such as ~/.ssh/id_ed25519.pub. Never paste your private key.',
  keyTitle: 'Title',
  keyTitleHint: 'For example, the name of the machine the key is on.',
  expires: 'Expiration date',
  expiresHint: 'Leave empty for a key that does not expire.',
  usage: 'Usage type',
  usages: [
    ['auth_and_signing', 'Authentication & signing'],
    ['auth', 'Authentication'],
    ['signing', 'Signing'],
  ] as const,
  empty: 'No SSH keys yet',
  emptyText: 'Create a key with ssh-keygen -t ed25519, then paste the public key below.',
  list: 'Your SSH keys',
  remove: 'Delete',
  removeConfirm: 'Delete key',
  removeTitle: (title: string) => `Delete SSH key ${title}?`,
  removeText: 'You can no longer sign in with this key. This action cannot be undone.',
  addedAt: 'Added',
  expiresOn: (date: Date) => `Expires ${formatDay(date)}`,
}

export const gpgKeys = {
  lead: 'GPG keys let Bloomery verify the commits and tags you sign.',
  add: 'Add key',
  addTitle: 'Add a GPG key',
  key: 'Public key',
  keyHint: 'Paste the output of gpg --armor --export.',
  empty: 'No GPG keys yet',
  list: 'Your GPG keys',
  remove: 'Remove',
  removeConfirm: 'Remove key',
  removeTitle: (id: number) => `Remove GPG key ${id}?`,
  removeText:
    'Commits signed with this key stay verified. If the key is compromised, revoke it instead.',
  revoke: 'Revoke',
  revokeConfirm: 'Revoke key',
  revokeTitle: (id: number) => `Revoke GPG key ${id}?`,
  revokeText:
    'All commits signed with this key become unverified, including earlier ones. This action cannot be undone.',
  keyNumber: (id: number) => `Key ${id}`,
}

export const tokens = {
  lead: 'Use a personal access token to authenticate with the API, or with Git over HTTP in place of your password.',
  add: 'Create token',
  addTitle: 'Create a personal access token',
  name: 'Token name',
  nameHint: 'For example, the application that uses the token.',
  expires: 'Expiration date',
  expiresHint: 'The suggestion is 30 days from now. Leave empty for a token that does not expire.',
  scopes: 'Scopes',
  scopeNames: {
    read_user: 'Read access to your user profile',
    read_api: 'Read access to the API',
    read_repository: 'Pull from repositories',
    write_repository: 'Pull from and push to repositories',
    api: 'Read and write access to the API',
    sudo: 'Act as any user (administrators only)',
  } as Readonly<Record<string, string>>,
  scopeRequired: 'Select at least one scope.',
  newToken: 'Your new token',
  newTokenText: 'Copy this token now. You cannot see it again.',
  tokenToCopy: 'token',
  empty: 'No active tokens',
  list: 'Active personal access tokens',
  revoke: 'Revoke',
  revokeConfirm: 'Revoke token',
  revokeTitle: (name: string) => `Revoke token ${name}?`,
  revokeText:
    'Applications that use this token immediately lose access. This action cannot be undone.',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  expiresOn: (date: Date) => `Expires ${formatDay(date)}`,
}

export const emails = {
  lead: 'Commits with these addresses are attributed to you. Notifications go to your primary email.',
  add: 'Add email address',
  address: 'Email',
  primary: 'primary',
  unverified: 'unverified',
  list: 'Your email addresses',
  remove: 'Remove',
  removeConfirm: 'Remove email address',
  removeTitle: (email: string) => `Remove ${email}?`,
  removeText: 'Commits with this address are no longer attributed to you.',
  sent: 'Email address added. If this server sends email, you get a message with a confirmation link.',
}

export const password = {
  currentPassword: 'Current password',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  change: 'Change password',
  changed: 'Password changed. All your other sessions were signed out.',
  expired: 'Your password has expired. Set a new password to continue.',
}

export const twoFactor = {
  lead: 'With two-factor authentication, you need your password and a code from your phone to sign in.',
  enabled: 'enabled',
  disabled: 'disabled',
  statusLabel: 'Two-factor authentication:',
  setUp: 'Set up two-factor authentication',
  password: 'Current password',
  instructions:
    'Scan the code with your authenticator app, or enter the secret in it. Then enter the code the app shows.',
  qrCode: 'QR code for your authenticator app',
  secret: 'secret',
  uri: 'setup URI',
  code: 'Verification code',
  enable: 'Enable two-factor authentication',
  disable: 'Disable two-factor authentication',
  disableText: 'You then need only your password to sign in.',
  recovery: 'Recovery codes',
  recoveryText:
    'If you lose your phone, you can use each code once to sign in. Store the codes in a safe place. You cannot see them again.',
  codesToCopy: 'recovery codes',
  regenerate: 'Regenerate recovery codes',
  regenerateText: 'Your current recovery codes stop working.',
}

export const sessions = {
  lead: 'Browsers that are signed in to your account.',
  list: 'Your active sessions',
  current: 'this browser',
  revoke: 'Revoke session',
  revoked: 'Session revoked',
  ipAddress: (ip: string) => `IP address: ${ip}`,
  unknown: 'Unknown browser',
}

export const profile = {
  about: 'Public profile',
  save: 'Save changes',
  name: 'Full name',
  username: 'Username',
  usernameHint: 'The addresses of your projects change with it. Old addresses are redirected.',
  publicEmail: 'Public email',
  publicEmailHint: 'One of your confirmed addresses. Leave empty to hide your email.',
  fields: {
    bio: 'Bio',
    location: 'Location',
    pronouns: 'Pronouns',
    job_title: 'Job title',
    organization: 'Organization',
    website_url: 'Website URL',
  },
  isPrivate: 'Private profile',
  isPrivateHint: 'Other users see only your name and avatar.',
  lead: 'Other users see this information on your profile page.',
  avatar: 'Avatar',
  chooseImage: 'Choose an image',
  chooseImageHint: 'PNG, JPEG, GIF or WebP, up to 200 KB.',
  upload: 'Upload avatar',
  removeAvatar: 'Remove avatar',
  status: 'Status',
  statusMessage: "What's your status?",
  busy: 'Busy',
  clearAfter: 'Clear status after',
  clearAfterOptions: [
    ['', 'Never'],
    ['30_minutes', '30 minutes'],
    ['3_hours', '3 hours'],
    ['8_hours', '8 hours'],
    ['1_day', '1 day'],
    ['7_days', '7 days'],
    ['30_days', '30 days'],
  ] as const,
  setStatus: 'Set status',
  viewProfile: 'View profile',
}

export const preferences = {
  lead: 'These settings apply in every browser you sign in with.',
  theme: 'Theme',
  themes: [
    ['system', 'Same as system'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ] as const,
  density: 'List density',
  densities: [
    ['roomy', 'Comfortable'],
    ['compact', 'Compact'],
  ] as const,
  tabWidth: 'Tab width',
  tabWidths: (number: number) => formatCountWithNoun(number, 'space', 'spaces'),
  singleKeys: 'Enable single-key shortcuts',
  singleKeysHint: 'For example, t to find a file. Ctrl K always works.',
  whitespace: 'Show whitespace changes in diffs',
  fileByFile: 'Show one file at a time in diffs',
  save: 'Save changes',
}
