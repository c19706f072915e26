// The settings that the page shows, by subject: those that have an effect. Others are only stored by the API.
import type { Input } from '../../../api/call.ts'
import { settingText as words } from '../../../text/instance-settings.ts'

export type SettingName = keyof Input<'PUT /application/settings'>
type Kind = 'flag' | 'number' | 'text' | 'lines' | 'visibility'
export type SettingField = { name: SettingName; kind: Kind; label: string; hint: string }
type Subject = keyof typeof words.subjects

const kinds: Readonly<
  Record<Exclude<Subject, 'rates'>, Partial<Record<keyof typeof words.fields, Kind>>>
> = {
  defaults: {
    default_projects_limit: 'number',
    user_default_external: 'flag',
    default_project_visibility: 'visibility',
    default_group_visibility: 'visibility',
    default_branch_name: 'text',
    file_template_project_id: 'number',
  },
  limits: {
    max_attachment_size: 'number',
    repository_size_limit: 'number',
    max_pages_size: 'number',
    wiki_page_max_content_bytes: 'number',
  },
  pipelines: { allow_jobs_without_isolation: 'flag' },
  network: {
    push_event_hooks_limit: 'number',
    allow_local_requests_from_web_hooks_and_services: 'flag',
    allow_local_requests_from_system_hooks: 'flag',
    outbound_local_requests_whitelist: 'lines',
  },
  pages: { pages_domain_verification_enabled: 'flag' },
  signUp: {
    signup_enabled: 'flag',
    require_admin_approval_after_user_signup: 'flag',
    domain_allowlist: 'lines',
    domain_denylist_enabled: 'flag',
    domain_denylist: 'lines',
    email_restrictions_enabled: 'flag',
    email_restrictions: 'text',
    minimum_password_length: 'number',
  },
  signIn: { password_authentication_enabled_for_web: 'flag' },
}

function fieldsOf(subject: keyof typeof kinds): SettingField[] {
  return Object.entries(kinds[subject]).map(([name, kind]) => {
    const [label, hint] = words.fields[name as keyof typeof words.fields]
    return { name: name as SettingName, kind, label, hint }
  })
}

const rates = Object.entries(words.rate).flatMap(([name, what]): SettingField[] => [
  {
    name: `throttle_${name}_enabled` as SettingName,
    kind: 'flag',
    label: words.rateEnabled(what),
    hint: '',
  },
  {
    name: `throttle_${name}_requests_per_period` as SettingName,
    kind: 'number',
    label: words.rateRequests(what),
    hint: '',
  },
  {
    name: `throttle_${name}_period_in_seconds` as SettingName,
    kind: 'number',
    label: words.ratePeriod(what),
    hint: '',
  },
])

const subjects = Object.keys(words.subjects) as Subject[]

/** The fields of each subject that have the words in their label, hint or name; subjects without any are left out. */
export function findFields(search: string): { subject: Subject; fields: SettingField[] }[] {
  return subjects
    .map((subject) => {
      const all = subject === 'rates' ? rates : fieldsOf(subject)
      const title = words.subjects[subject]
      const fields = all.filter(({ name, label, hint }) =>
        containsAllWords(search, `${title} ${label} ${hint} ${name}`),
      )
      return { subject, fields }
    })
    .filter(({ fields }) => fields.length > 0)
}

/** Whether every word of a search is part of a text, in any case. */
export function containsAllWords(search: string, text: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(' ')
    .every((word) => lower.includes(word))
}
