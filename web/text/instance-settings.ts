const withHints = <Name extends string>(
  fields: Readonly<Record<Name, readonly [label: string, hint: string]>>,
) => fields

export const settingText = {
  title: 'Settings',
  lead: 'Settings for the whole instance. Changes take effect immediately on all nodes.',
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
    default_projects_limit: ['Default projects limit', ''],
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
    max_attachment_size: ['Maximum attachment size (MB)', ''],
    repository_size_limit: [
      'Repository size limit (MB)',
      'Pushes that exceed the limit are rejected. 0 means no limit.',
    ],
    max_pages_size: ['Maximum Pages site size (MB)', '0 means no limit.'],
    wiki_page_max_content_bytes: ['Maximum wiki page size (bytes)', ''],
    allow_jobs_without_isolation: [
      'Run jobs of the built-in runner without a sandbox',
      'Enable this only if you trust everyone who can push: jobs then run as the same system user as the server.',
    ],
    push_event_hooks_limit: [
      'Maximum branches or tags in a push that trigger webhooks',
      'A push that changes more branches or tags does not trigger webhooks.',
    ],
    allow_local_requests_from_web_hooks_and_services: [
      'Allow requests to the local network from webhooks',
      'Also applies to mirrors, status checks and clusters.',
    ],
    allow_local_requests_from_system_hooks: [
      'Allow requests to the local network from system hooks',
      '',
    ],
    outbound_local_requests_whitelist: [
      'Allowed local addresses',
      'One per line: host names, IP addresses or ranges such as 10.0.0.0/8. Requests to these are always allowed.',
    ],
    pages_domain_verification_enabled: [
      'Require users to prove ownership of custom domains',
      'A custom domain works only after its owner adds a DNS record.',
    ],
    signup_enabled: [
      'Sign-up enabled',
      'Anyone can create an account at /users/sign_up. If BLOOMERY_CONFIRM_EMAILS is set, they must confirm their email address.',
    ],
    require_admin_approval_after_user_signup: [
      'Require admin approval for new sign-ups',
      'New users cannot sign in until an administrator approves their account.',
    ],
    domain_allowlist: [
      'Allowed domains for sign-up',
      'One per line. Only users with email addresses in these domains can sign up. Use * as a wildcard. Leave empty to allow all domains.',
    ],
    domain_denylist_enabled: ['Enable domain denylist for sign-up', ''],
    domain_denylist: [
      'Denied domains for sign-up',
      'One per line. Users with email addresses in these domains cannot sign up. Use * as a wildcard.',
    ],
    email_restrictions_enabled: ['Enable email restrictions for sign-up', ''],
    email_restrictions: [
      'Email restrictions for sign-up',
      'A regular expression. Users with a matching email address cannot sign up, unless its domain is allowed.',
    ],
    minimum_password_length: [
      'Minimum password length for sign-up',
      'The minimum is 8 characters.',
    ],
    password_authentication_enabled_for_web: [
      'Allow password sign-in for OAuth applications',
      'Enables the OAuth password grant type.',
    ],
  }),
  rate: {
    authenticated_api: 'Authenticated API requests',
    unauthenticated_api: 'Unauthenticated API requests',
    authenticated_files_api: 'Authenticated Files API requests',
    unauthenticated_files_api: 'Unauthenticated Files API requests',
    incident_management_notification: 'Alerts from monitoring tools',
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
    'These settings come from environment variables or bloomery.json. Most changes require a restart.',
  unset: 'not set',
  secret: 'Configured',
}
