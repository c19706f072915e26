// The events webhooks are called for (docs/api/webhooks.md, "Events").

/** The value of `X-Gitlab-Event` for each event, and the trigger that its deliveries record. */
export const hookEvents = {
  push_events: { header: 'Push Hook', trigger: 'push_hooks' },
  tag_push_events: { header: 'Tag Push Hook', trigger: 'tag_push_hooks' },
  issues_events: { header: 'Issue Hook', trigger: 'issue_hooks' },
  confidential_issues_events: {
    header: 'Confidential Issue Hook',
    trigger: 'confidential_issue_hooks',
  },
  note_events: { header: 'Note Hook', trigger: 'note_hooks' },
  confidential_note_events: {
    header: 'Confidential Note Hook',
    trigger: 'confidential_note_hooks',
  },
  merge_requests_events: { header: 'Merge Request Hook', trigger: 'merge_request_hooks' },
  job_events: { header: 'Job Hook', trigger: 'job_hooks' },
  pipeline_events: { header: 'Pipeline Hook', trigger: 'pipeline_hooks' },
  wiki_page_events: { header: 'Wiki Page Hook', trigger: 'wiki_page_hooks' },
  deployment_events: { header: 'Deployment Hook', trigger: 'deployment_hooks' },
  releases_events: { header: 'Release Hook', trigger: 'release_hooks' },
  member_events: { header: 'Member Hook', trigger: 'member_hooks' },
  subgroup_events: { header: 'Subgroup Hook', trigger: 'subgroup_hooks' },
  repository_update_events: { header: 'System Hook', trigger: 'repository_update_hooks' },
} as const

/** A flag of a webhook, which is also the name of its event. */
export type HookFlag = keyof typeof hookEvents
/** `system` is an event that all system hooks receive, whatever their flags. */
export type HookEvent = HookFlag | 'system'

/** The flags of each kind of webhook, in the order in which its record has them. */
export const hookFlagsByKind = {
  system: ['push_events', 'tag_push_events', 'merge_requests_events', 'repository_update_events'],
  project: [
    'push_events',
    'tag_push_events',
    'merge_requests_events',
    'repository_update_events',
    'issues_events',
    'confidential_issues_events',
    'note_events',
    'confidential_note_events',
    'pipeline_events',
    'wiki_page_events',
    'deployment_events',
    'job_events',
    'releases_events',
  ],
  group: [
    'push_events',
    'tag_push_events',
    'merge_requests_events',
    'repository_update_events',
    'issues_events',
    'confidential_issues_events',
    'note_events',
    'confidential_note_events',
    'pipeline_events',
    'wiki_page_events',
    'deployment_events',
    'job_events',
    'releases_events',
    'subgroup_events',
    'member_events',
  ],
} as const satisfies Record<string, readonly HookFlag[]>

export type WebhookKind = keyof typeof hookFlagsByKind

/** Returns the value of `X-Gitlab-Event` for that kind of webhook. */
export function hookEventHeader(kind: WebhookKind, event: HookEvent): string {
  return kind === 'system' || event === 'system' ? 'System Hook' : hookEvents[event].header
}

export function hookEventTrigger(event: HookEvent): string {
  return event === 'system' ? 'system_hooks' : hookEvents[event].trigger
}
