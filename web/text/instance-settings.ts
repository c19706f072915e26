const withHints = <Name extends string>(
  fields: Readonly<Record<Name, readonly [label: string, hint: string]>>,
) => fields

export const settingText = {
  title: 'Settings',
  lead: 'Settings of the whole instance. They take effect at once, on every node.',
  search: 'Search settings',
  noMatches: 'No matching settings',
  save: 'Save changes',
  saved: 'Settings saved',
  subjects: {
    defaults: 'New users, projects and groups',
    limits: 'Size limits',
    pipelines: 'CI/CD',
    network: 'Outgoing requests',
    pages: 'Pages',
    signUp: 'Sign-up',
    signIn: 'Sign-in',
    rates: 'Rate limits',
  },
  fields: withHints({
    default_projects_limit: ['Projects limit of new users', ''],
    user_default_external: [
      'New users are external',
      'External users see only public projects and projects they are members of.',
    ],
    default_project_visibility: ['Default project visibility', ''],
    default_group_visibility: ['Default group visibility', ''],
    default_branch_name: ['Default branch name', 'Leave empty for main.'],
    file_template_project_id: [
      'Project with file templates (ID)',
      'Its templates are offered in all projects. Leave empty for none.',
    ],
    max_attachment_size: ['Maximum size of an attachment (MB)', ''],
    repository_size_limit: [
      'Size limit of repositories (MB)',
      'Pushes beyond it are refused. 0 is no limit.',
    ],
    max_pages_size: ['Maximum size of a Pages site (MB)', '0 is no limit.'],
    wiki_page_max_content_bytes: ['Maximum size of a wiki page (bytes)', ''],
    allow_jobs_without_isolation: [
      'Run jobs of the built-in runner without a sandbox',
      'Only where you trust everybody who can push: jobs then run as the user of the server.',
    ],
    push_event_hooks_limit: [
      'Branches of a push that webhooks are called for',
      'A push of more branches or tags calls no webhooks for them.',
    ],
    allow_local_requests_from_web_hooks_and_services: [
      'Webhooks may reach the local network',
      'Also mirrors, status checks and clusters.',
    ],
    allow_local_requests_from_system_hooks: ['System hooks may reach the local network', ''],
    outbound_local_requests_whitelist: [
      'Local addresses that may be reached',
      'One per line: names, addresses and ranges such as 10.0.0.0/8.',
    ],
    pages_domain_verification_enabled: [
      'Domains have to be verified',
      'A custom domain serves a site once its owner has set a DNS record.',
    ],
    signup_enabled: [
      'Sign-up enabled',
      'Anybody can create an account at /users/sign_up. With BLOOMERY_CONFIRM_EMAILS they have to confirm their email address.',
    ],
    require_admin_approval_after_user_signup: [
      'Administrators approve new accounts',
      'Until then, people who signed up cannot sign in.',
    ],
    domain_allowlist: [
      'Allowed domains for sign-up',
      'One per line. Only email addresses of these domains can sign up; * stands for any characters. Leave empty to allow all.',
    ],
    domain_denylist_enabled: ['Deny domains for sign-up', ''],
    domain_denylist: [
      'Denied domains for sign-up',
      'One per line. Email addresses of these domains cannot sign up; * stands for any characters.',
    ],
    email_restrictions_enabled: ['Restrict email addresses for sign-up', ''],
    email_restrictions: [
      'Refused email addresses',
      'A regular expression. Addresses that match it cannot sign up, except those of an allowed domain.',
    ],
    minimum_password_length: [
      'Minimum password length for sign-up',
      'Never fewer than 8 characters.',
    ],
    password_authentication_enabled_for_web: [
      'OAuth applications may sign in with a password',
      'The grant type password of OAuth.',
    ],
  }),
  rate: {
    authenticated_api: 'API requests of signed-in users',
    unauthenticated_api: 'API requests of visitors',
    authenticated_files_api: 'File API requests of signed-in users',
    unauthenticated_files_api: 'File API requests of visitors',
    incident_management_notification: 'Alerts of monitoring tools',
  },
  rateEnabled: (what: string) => `Limit ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
  rateRequests: (what: string) => `${what}: maximum requests`,
  ratePeriod: (what: string) => `${what}: period in seconds`,
  visibilities: [
    ['private', 'Private'],
    ['internal', 'Internal'],
    ['public', 'Public'],
  ] as readonly (readonly [string, string])[],
  configuration: 'Server configuration',
  configurationLead:
    'Set in the environment of the server or in bloomery.json. Most of them need a restart.',
  unset: 'not set',
  secret: 'Configured',
}
