// Made by `npm run schema` from the migrations and what they say their columns mean; not to be edited.
import type { Generated } from 'kysely'
import type {
  CiStatus,
  DateText,
  FeatureAccess,
  Json,
  Timestamp,
  Visibility,
} from './column-types.ts'

export interface AccessRequestTable {
  id: Generated<number>
  user_id: number
  project_id: number | null
  namespace_id: number | null
  requested_at: Timestamp
}

/** The users that tokens of projects and groups stand for; of nothing once that is gone, until a task removes the user. */
export interface AccessTokenBotTable {
  user_id: number
  project_id: number | null
  namespace_id: number | null
  /** What its membership had, which may have ended by now. */
  access_level: number
  created_by_id: number | null
}

/** How this server is known to an authority. */
export interface AcmeAccountTable {
  directory: string
  /** PEM, sealed. */
  key: string
  created_at: Timestamp
}

export interface AlertAssigneeTable {
  alert_id: number
  user_id: number
}

/** By which monitoring tools send alerts to a project. */
export interface AlertIntegrationTable {
  id: Generated<number>
  project_id: number
  type: 'http' | 'prometheus'
  name: string | null
  active: boolean
  /** What its address ends in; it never changes. */
  identifier: string
  /** By which a tool signs in. Sealed; see kernel/secrets.ts. */
  token: string
  /** JSON, as somebody gave it. */
  payload_example: string | null
  /** Where in a payload the fields of its alerts are. */
  payload_attribute_mappings: Json<
    {
      field_name: string
      path: string[]
      type: 'STRING' | 'ARRAY' | 'DATETIME' | 'NUMBER'
      label: string | null
    }[]
  >
  created_at: Timestamp
  updated_at: Timestamp
}

/** Pictures of what was measured, each an upload of the project. */
export interface AlertMetricImageTable {
  id: Generated<number>
  alert_id: number
  upload_id: number
  /** Where more is to be seen of it. */
  url: string | null
  url_text: string | null
  created_at: Timestamp
}

/** What follows alerts in a project, where it is not the usual. */
export interface AlertSettingTable {
  project_id: number
  create_issue: boolean
  send_email: boolean
  auto_close_incident: boolean
  updated_at: Timestamp
}

export interface AlertTable {
  id: Generated<number>
  project_id: number
  iid: number
  title: string
  description: string | null
  service: string | null
  monitoring_tool: string | null
  hosts: Json<string[]>
  /** Critical, high, medium, low, info, unknown. */
  severity: 0 | 1 | 2 | 3 | 4 | 5
  /** Triggered, acknowledged, resolved, ignored. */
  status: 0 | 1 | 2 | 3
  started_at: Timestamp
  ended_at: Timestamp | null
  /** How many times it was sent. */
  events: number
  /** SHA-1; of one there is one alert that is not resolved. */
  fingerprint: string | null
  environment_id: number | null
  /** The incident it was made an issue of. */
  issue_id: number | null
  /** JSON, as the tool sent it. */
  payload: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** A rule of a project without any is about merge requests into whatever branch. */
export interface ApprovalRuleBranchTable {
  approval_rule_id: number
  protected_branch_id: number
}

export interface ApprovalRuleGroupTable {
  approval_rule_id: number
  group_id: number
}

/** Whoever has this level in the project, or in the group it is in, is one of the owners. */
export interface ApprovalRuleRoleTable {
  approval_rule_id: number
  access_level: number
}

export interface ApprovalRuleUserTable {
  approval_rule_id: number
  user_id: number
}

export interface ApprovalRuleTable {
  id: Generated<number>
  /** Of merge requests into this project. */
  project_id: number
  /** The merge request that has this rule for itself; null for a rule of the project. */
  issuable_id: number | null
  /** The rule of the project that a rule of a merge request began as. */
  source_rule_id: number | null
  /** How many approvals `any_approver` asks for stands in the project or merge request, as approvals_before_merge. `code_owner` is made from CODEOWNERS, with a pattern for a name. */
  rule_type: 'regular' | 'any_approver' | 'code_owner'
  name: string
  approvals_required: number
  applies_to_all_protected_branches: Generated<boolean>
  created_at: Timestamp
  /** The section of CODEOWNERS, `codeowners` for lines before the first; null for other rules. */
  section: string | null
}

/** A project without a row has the defaults of the columns. */
export interface ApprovalSettingTable {
  project_id: number
  reset_approvals_on_push: Generated<boolean>
  disable_overriding_approvers_per_merge_request: Generated<boolean>
  merge_requests_author_approval: Generated<boolean>
  merge_requests_disable_committers_approval: Generated<boolean>
  require_password_to_approve: Generated<boolean>
  selective_code_owner_removals: Generated<boolean>
}

/** Something that was done to access. It refers to nothing, so that it outlives what it tells of. */
export interface AuditEventTable {
  id: Generated<number>
  /** None of the server itself, and of somebody who was not signed in. */
  author_id: number | null
  author_name: string
  ip_address: string | null
  action: string
  entity_type: string
  /** 0 for the instance. */
  entity_id: number
  /** The user name or full path at that time. */
  entity_path: string
  target_type: string | null
  target_id: number | null
  target_details: string | null
  details: Json<Record<string, unknown>>
  created_at: Timestamp
}

/** The bytes of a picture, and whose it is; without an owner it waits to be removed. */
export interface AvatarTable {
  id: Generated<number>
  /** The name of its blob. */
  blob: string
  /** The last part of its URL. */
  file_name: string
  content_type: string
  size: number
  owner_kind: 'user' | 'project' | 'group' | 'topic' | null
  owner_id: number | null
  /** Since when nobody has it; null while somebody does. */
  unlinked_since: Timestamp | null
  created_at: Timestamp
}

export interface AwardEmojiTable {
  id: Generated<number>
  issuable_id: number | null
  note_id: number | null
  user_id: number
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** Of a project or of a group, which is then the namespace. */
export interface BadgeTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  name: string | null
  /** With its placeholders, as is `image_url`. */
  link_url: string
  image_url: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface BoardLabelTable {
  board_id: number
  label_id: number
}

export interface BoardListTable {
  id: Generated<number>
  board_id: number
  /** Of a list of a label; of each list exactly one of the three ids is set. */
  label_id: number | null
  position: number
  /** Of a list of the issues that are assigned to a user. */
  assignee_id: number | null
  /** Of a list of the issues of a milestone. */
  milestone_id: number | null
}

export interface BoardTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  name: string
  hide_backlog_list: Generated<boolean>
  hide_closed_list: Generated<boolean>
  milestone_id: number | null
  assignee_id: number | null
  weight: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Who does not want to see which message again. */
export interface BroadcastDismissalTable {
  user_id: number
  broadcast_message_id: number
  created_at: Timestamp
}

/** What administrators tell everybody, from a time to a time. */
export interface BroadcastMessageTable {
  id: Generated<number>
  message: string
  starts_at: Timestamp
  ends_at: Timestamp
  color: string | null
  font: string | null
  /** Shown only to those who have one of them where they look; empty for everybody. */
  target_access_levels: Json<number[]>
  /** Shown only at such paths; `*` is any run of characters. */
  target_path: string | null
  broadcast_type: 'banner' | 'notification'
  dismissable: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

/** Of a project, a group, or with neither of the instance. */
export interface CiVariableTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  key: string
  /** Sealed; see kernel/secrets.ts. */
  value: string
  variable_type: 'env_var' | 'file'
  protected: boolean
  masked: boolean
  /** Whether references to other variables in it stay as they are. */
  raw: boolean
  environment_scope: string
  description: string | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Whether its value is told to nobody; set when it is made, for good. */
  hidden: Generated<boolean>
}

/** Which issues a merge request closes once it is merged. */
export interface ClosingIssueTable {
  merge_request_id: number
  issue_id: number
}

/** Of a project, a group, or, with neither, of the instance. */
export interface ClusterTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  /** Who added it. */
  user_id: number | null
  management_project_id: number | null
  name: string
  /** Under which applications on it are reached. */
  domain: string | null
  enabled: boolean
  /** Whether jobs are given a namespace that is named for their project. */
  managed: boolean
  namespace_per_environment: boolean
  environment_scope: string
  api_url: string
  /** By which jobs sign in to it. Sealed; see kernel/secrets.ts. */
  token: string
  /** PEM; what its certificate is checked by. */
  ca_cert: string | null
  namespace: string | null
  authorization_type: 'rbac' | 'abac' | 'unknown_authorization'
  created_at: Timestamp
  updated_at: Timestamp
}

export interface CommitCommentTable {
  id: Generated<number>
  project_id: number
  commit_id: string
  author_id: number
  note: string
  /** These three are null together: the comment is on the commit as a whole. */
  path: string | null
  line: number | null
  line_type: 'new' | 'old' | null
  created_at: Timestamp
  discussion_id: Generated<string>
  /** Null: a comment that stands alone. */
  type: 'DiscussionNote' | 'DiffNote' | null
  /** As clients gave it; null: as `path` and `line` say. */
  position: Json<Record<string, unknown>> | null
  updated_at: Timestamp | null
}

/** The last day on which a user pushed to a project, committed by the API or commented on a commit. */
export interface ContributionTable {
  user_id: number
  project_id: number
  contributed_on: DateText
}

/** A letter somebody had sent to an address nobody has proved to be theirs; kept for a day. */
export interface CountedLetterTable {
  id: Generated<number>
  /** Of a user; no reference, for the address was written to all the same. */
  sender_id: number
  /** In lower case. */
  email: string
  created_at: Timestamp
}

/** What administrators note of a user, a project or a group: one of the three is set. */
export interface CustomAttributeTable {
  id: Generated<number>
  user_id: number | null
  project_id: number | null
  namespace_id: number | null
  key: string
  value: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** In the order of the list: by name, version and file. */
export interface DependencyTable {
  id: Generated<number>
  list_id: number
  name: string
  version: string | null
  /** Null where the source does not tell. */
  package_manager: string | null
  /** Null where the source does not tell. */
  dependency_file_path: string | null
  vulnerabilities: Json<{ name: string; severity: string }[]>
  /** Null in lists of before there were any, which nobody finds. */
  licenses: Json<{ name: string; url: string | null }[]> | null
  /** Of its worst vulnerability, from 1 (info) to 6 (critical); 0 without one. */
  severity_rank: Generated<number>
}

/** What a project depends on, as one source tells it. */
export interface DependencyListTable {
  id: Generated<number>
  project_id: number
  /** `reports:` and the artifacts of a pipeline, or `commit:` and its name. */
  source: string
  /** Null while it is being written, or was left half written. */
  ready_at: Timestamp | null
  created_at: Timestamp
}

/** A deploy key enabled for a project. */
export interface DeployKeyProjectTable {
  id: Generated<number>
  ssh_key_id: number
  project_id: number
  can_push: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface DeployTokenTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  name: string
  username: string
  /** SHA-256 of the token. */
  digest: string
  /** Sealed; kept only of those named `gitlab-deploy-token`, which jobs are told. */
  token: string | null
  scopes: Json<string[]>
  expires_at: Timestamp | null
  created_by_id: number | null
  created_at: Timestamp
  /** The access token it was made with, which it ends with. */
  parent_id: number | null
}

export interface DeploymentApprovalTable {
  id: Generated<number>
  deployment_id: number
  user_id: number
  /** The rule that the approval counts for; null where only a number of approvals is asked. */
  entry_id: number | null
  status: 'approved' | 'rejected'
  comment: string | null
  created_at: Timestamp
}

export interface DeploymentTable {
  id: Generated<number>
  iid: number
  project_id: number
  environment_id: number
  job_id: number | null
  user_id: number | null
  ref: string
  tag: boolean
  sha: string
  status: 'created' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | 'blocked'
  /** The job of its pipeline that stops the environment. */
  on_stop: string | null
  created_at: Timestamp
  updated_at: Timestamp
  finished_at: Timestamp | null
}

/** Read with the issue or merge request. */
export interface DescriptionVersionTable {
  id: Generated<number>
  issuable_id: number
  /** The note of the server that tells of the change; null: the text before the first change. */
  note_id: number | null
  description: string | null
  created_at: Timestamp
}

/** Seen by their author alone. */
export interface DraftNoteTable {
  id: Generated<number>
  /** A merge request. */
  issuable_id: number
  author_id: number
  note: string
  /** The thread it answers; null: it begins one. */
  discussion_id: string | null
  resolve_discussion: boolean
  commit_id: string | null
  line_code: string | null
  position: Json<Record<string, unknown>> | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** An address of a user beside the one in their own row. */
export interface EmailTable {
  id: Generated<number>
  user_id: number
  email: string
  /** Null while nobody has said that it is theirs. */
  confirmed_at: Timestamp | null
  created_at: Timestamp
}

export interface EnvironmentTable {
  id: Generated<number>
  project_id: number
  name: string
  slug: string
  description: string | null
  external_url: string | null
  state: 'available' | 'stopping' | 'stopped'
  tier: 'production' | 'staging' | 'testing' | 'development' | 'other'
  auto_stop_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface EventTable {
  id: Generated<number>
  project_id: number | null
  author_id: number
  action:
    | 'created'
    | 'updated'
    | 'closed'
    | 'reopened'
    | 'pushed'
    | 'commented'
    | 'merged'
    | 'joined'
    | 'left'
    | 'destroyed'
    | 'expired'
    | 'approved'
  target_type: string | null
  target_id: number | null
  issuable_id: number | null
  note_id: number | null
  milestone_id: number | null
  push: Json<{
    commit_count: number
    action: 'created' | 'pushed' | 'removed'
    ref_type: 'branch' | 'tag'
    commit_from: string | null
    commit_to: string | null
    ref: string
    commit_title: string | null
    ref_count: number | null
  }> | null
  /** What a task that runs twice makes once. */
  origin: string | null
  created_at: Timestamp
  /** Of an event of a page, as it was then. */
  wiki_page: Json<{ format: string; slug: string; title: string }> | null
}

export interface FollowTable {
  id: Generated<number>
  follower_id: number
  followee_id: number
  created_at: Timestamp
}

export interface GpgKeyTable {
  id: Generated<number>
  user_id: number
  /** ASCII armor, as it was given. */
  key: string
  /** Of the primary key, in upper-case hex, as is its id. */
  fingerprint: string
  primary_keyid: string
  created_at: Timestamp
}

/** The subkeys of a GPG key that may sign; fingerprint and id in upper-case hex. */
export interface GpgSubkeyTable {
  id: Generated<number>
  gpg_key_id: number
  fingerprint: string
  keyid: string
}

/** The numbers of what counts by group. */
export interface GroupInternalIdTable {
  namespace_id: number
  usage: 'milestones'
  last_value: number
}

/** What was sent to a webhook, and answered. Kept for some days. */
export interface HookDeliveryTable {
  id: Generated<number>
  webhook_id: number
  /** `push_hooks`. */
  trigger: string
  url: string
  /** Without secrets. */
  request_headers: Json<Record<string, string>>
  /** Null where it was too long to be kept. */
  request_body: string | null
  /** Null without an answer; `error` says why. */
  response_status: number | null
  response_headers: Json<Record<string, string>>
  response_body: string
  error: string | null
  duration_ms: number
  created_at: Timestamp
}

/** Who a user is to an outside provider of sign-in. */
export interface IdentityTable {
  id: Generated<number>
  user_id: number
  provider: string
  extern_uid: string
  /** With provider `group_saml`: whose SAML sign-in it is, named by the group's id. */
  saml_provider_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Sealed secrets of the instance, by name. */
export interface InstanceSecretTable {
  name: 'runner_registration_token'
  value: string
}

/** The last number given out in a project for a kind of thing; none is given twice. */
export interface InternalIdTable {
  project_id: number
  usage: 'pipelines' | 'deployments' | 'issues' | 'merge_requests' | 'milestones' | 'alerts'
  last_value: number
}

/** An address invited to one group or one project, until somebody proves that it is theirs. */
export interface InvitationTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  email: string
  access_level: number
  expires_at: DateText | null
  created_by_id: number | null
  created_at: Timestamp
}

export interface IssuableAssigneeTable {
  issuable_id: number
  user_id: number
}

/** How many of a project have a state, kept with every change. */
export interface IssuableCountTable {
  project_id: number
  kind: string
  state: string
  confidential: boolean
  number: number
}

export interface IssuableLabelTable {
  issuable_id: number
  label_id: number
}

/** Users named in its texts or notes. */
export interface IssuableMentionTable {
  issuable_id: number
  user_id: number
  /** Whether internal notes alone name the user. */
  confidential: Generated<boolean>
}

/** What users chose; who takes part has no row and is subscribed. */
export interface IssuableSubscriptionTable {
  issuable_id: number
  user_id: number
  subscribed: boolean
}

/** Issues, and what merge requests share with them. */
export interface IssuableTable {
  id: Generated<number>
  /** Counts by project and kind. */
  iid: number
  kind: 'issue' | 'merge_request'
  /** Of a merge request the one it goes into. */
  project_id: number
  author_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  confidential: Generated<boolean>
  discussion_locked: boolean | null
  milestone_id: number | null
  due_date: DateText | null
  weight: number | null
  issue_type: Generated<'issue' | 'incident' | 'test_case' | 'task'>
  /** Where it was put by hand among its project, if anywhere. */
  position: number | null
  moved_to_id: number | null
  time_estimate_s: Generated<number>
  time_spent_s: Generated<number>
  upvotes: Generated<number>
  downvotes: Generated<number>
  /** Notes that people wrote. */
  notes_count: Generated<number>
  task_count: Generated<number>
  completed_task_count: Generated<number>
  /** Of an issue: those that would close it. */
  merge_requests_count: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  updated_by_id: number | null
  last_edited_at: Timestamp | null
  last_edited_by_id: number | null
  closed_at: Timestamp | null
  closed_by_id: number | null
}

export interface IssueLinkTable {
  id: Generated<number>
  source_id: number
  target_id: number
  link_type: 'relates_to' | 'blocks'
  created_at: Timestamp
  updated_at: Timestamp
}

/** Files that jobs have made; each has a blob of its own. */
export interface JobArtifactTable {
  id: Generated<number>
  job_id: number
  project_id: number
  file_type: string
  file_format: string
  filename: string
  size: number
  sha256: string
  /** The name of its blob. */
  blob: string
  public: boolean
  expire_at: Timestamp | null
  created_at: Timestamp
  /** Why a report cannot be read; null while nobody tried. */
  report_error: string | null
}

/** The log of a job while it runs, part by part; later it is a blob. */
export interface JobLogPartTable {
  job_id: number
  start_byte: number
  bytes: Buffer
}

/** What only a runner is told of a job; lists need not read it. */
export interface JobSpecTable {
  job_id: number
  options: Json<Record<string, unknown>>
  /** Those of the configuration. */
  variables: Json<{ key: string; value: string; raw?: true }[]>
}

/** Projects, and groups with all below them, whose jobs reach `project_id`. */
export interface JobTokenAllowlistTable {
  id: Generated<number>
  project_id: number
  target_project_id: number | null
  target_group_id: number | null
  created_at: Timestamp
}

/** What came to a job later: from whoever started it, or written by the job. */
export interface JobVariableTable {
  job_id: number
  /** `dotenv`: from its report, for the jobs after it. */
  source: 'play' | 'dotenv'
  key: string
  /** Sealed. */
  value: string
}

/** What a pipeline consists of: jobs of its configuration, and reported statuses. */
export interface JobTable {
  id: Generated<number>
  pipeline_id: number
  project_id: number
  /** `build` runs on a runner, `bridge` starts another pipeline, `external` is a reported status. */
  kind: 'external' | 'build' | 'bridge'
  name: string
  stage: string
  stage_position: number
  status: CiStatus
  ref: string
  tag: Generated<boolean>
  user_id: number | null
  target_url: string | null
  description: string | null
  allow_failure: Generated<boolean>
  /** Whether a newer one of the name has taken its place; of the others a name has one a pipeline. */
  retried: Generated<boolean>
  failure_reason: string | null
  coverage: number | null
  created_at: Timestamp
  updated_at: Timestamp
  queued_at: Timestamp | null
  started_at: Timestamp | null
  finished_at: Timestamp | null
  /** Null for a reported status. */
  run_when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed' | null
  start_in_s: number | null
  scheduled_at: Timestamp | null
  /** Null: the job waits for the stages before it. */
  needs: Json<{ name: string; artifacts: boolean; optional: boolean }[]> | null
  tag_set_id: number | null
  /** Whether the reference was protected when the pipeline was made. */
  protected: Generated<boolean>
  interruptible: Generated<boolean>
  /** As the configuration says; null: that of the project. */
  timeout_s: number | null
  /** How many runs of the job were repeated by its `retry` before this one. */
  attempt: Generated<number>
  exit_code: number | null
  /** SHA-256 of the token of a job that was handed out. */
  token_digest: string | null
  erased_at: Timestamp | null
  /** When its archive goes; null: never, or there is none. */
  artifacts_expire_at: Timestamp | null
  /** Length of the log; its bytes are in job_log_parts or in the blob. */
  log_bytes: Generated<number>
  log_blob: string | null
  debug_log: Generated<boolean>
  runner_id: number | null
  resource_group_id: number | null
  environment_id: number | null
  downstream_pipeline_id: number | null
  erased_by_id: number | null
}

/** How urgent a label is in a project; the lowest comes first. */
export interface LabelPriorityTable {
  label_id: number
  project_id: number
  priority: number
}

export interface LabelSubscriptionTable {
  label_id: number
  user_id: number
}

/** Of a project or of a group; those of a group serve all below it. */
export interface LabelTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  title: string
  description: string | null
  color: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** Lanes in which nothing is begun for as long as somebody holds them. */
export interface LaneHoldTable {
  holder: string
  lane: string
  /** Renewed by a holder that lives. */
  held_until: Timestamp
}

/** At which commit a project's languages were counted last. */
export interface LanguageCountTable {
  project_id: number
  commit_id: string
}

export interface LfsLockTable {
  id: Generated<number>
  project_id: number
  user_id: number
  path: string
  created_at: Timestamp
}

/** The bytes of an LFS object; who may have them is ProjectLfsObjectTable's. */
export interface LfsObjectTable {
  id: Generated<number>
  /** SHA-256 of the bytes, hex. */
  oid: string
  size: number
  /** Since when no project has it; null while one does. */
  unlinked_since: Timestamp | null
  created_at: Timestamp
}

/** Pipelines whose reports of licences were read. */
export interface LicenseScanTable {
  pipeline_id: number
  /** The artifacts that were read; others make it out of date. */
  source: string
  created_at: Timestamp
}

/** What a link in a letter proves: that who follows it reads the mail of `email`. */
export interface LinkTokenTable {
  id: Generated<number>
  user_id: number
  purpose: 'confirm-email' | 'reset-password'
  /** The address it was sent to, in lower case. */
  email: string
  /** SHA-256 of the token, hex. */
  digest: string
  created_at: Timestamp
  expires_at: Timestamp
}

/** What a project thinks of a licence. */
export interface ManagedLicenseTable {
  id: Generated<number>
  project_id: number
  /** As it was sent; unique in its project to the letter. */
  name: string
  approval_status: 'allowed' | 'denied'
  created_at: Timestamp
  updated_at: Timestamp
}

/** A user's direct membership of one group or one project. */
export interface MemberTable {
  id: Generated<number>
  user_id: number
  namespace_id: number | null
  project_id: number | null
  access_level: number
  expires_at: DateText | null
  created_by_id: number | null
  created_at: Timestamp
}

export interface MergeRequestApprovalTable {
  issuable_id: number
  user_id: number
  created_at: Timestamp
  /** The head of the merge request that was approved. */
  head_sha: string | null
}

/** The commits of the newest version, up to a bound. */
export interface MergeRequestCommitTable {
  issuable_id: number
  sha: string
}

export interface MergeRequestReviewerTable {
  issuable_id: number
  user_id: number
  created_at: Timestamp
  /** What the reviewer did last. */
  state: Generated<
    'unreviewed' | 'review_started' | 'reviewed' | 'requested_changes' | 'approved' | 'unapproved'
  >
}

/** A push to the source, a forced one to the target, or another target makes one. */
export interface MergeRequestVersionTable {
  id: Generated<number>
  issuable_id: number
  head_sha: string
  /** Where the branches parted, if they ever met. */
  base_sha: string | null
  /** The head of the target at that time. */
  start_sha: string
  state: 'collected' | 'empty' | 'overflow' | 'without_files'
  files_count: number
  /** Whether there are more files than were counted. */
  is_cut: Generated<boolean>
  commits_count: number
  /** Whether what it brought was noted and told of. */
  is_told: Generated<boolean>
  created_at: Timestamp
}

/** What merge requests have beside their row of issuables. */
export interface MergeRequestTable {
  issuable_id: number
  /** The one it goes into, as its row of issuables says. */
  project_id: number
  /** Null once that project is gone. */
  source_project_id: number | null
  source_branch: string
  target_branch: string
  /** Whether its state is opened or locked. */
  is_open: boolean
  draft: Generated<boolean>
  squash: Generated<boolean>
  allow_collaboration: Generated<boolean>
  /** Null where its author said nothing. */
  force_remove_source_branch: boolean | null
  /** Null where who merged it said nothing. */
  should_remove_source_branch: boolean | null
  /** What the last check found, which was of the two commits beside it. */
  merge_status: Generated<'unchecked' | 'can_be_merged' | 'cannot_be_merged'>
  checked_source_sha: string | null
  checked_target_sha: string | null
  /** Whether the target had commits at that check that the source has not. */
  is_behind: Generated<boolean>
  /** Of its newest version. */
  head_sha: string | null
  latest_version_id: number | null
  merge_error: string | null
  merge_when_pipeline_succeeds: Generated<boolean>
  merge_user_id: number | null
  /** What it is merged with once its pipeline succeeds. */
  merge_parameters: Json<{
    merge_commit_message?: string
    squash_commit_message?: string
    sha?: string
  }> | null
  /** What its target branch is about to move to, noted before it does. */
  merging: Json<{
    id: string
    tip: string
    target_sha: string
    merge_commit_sha: string | null
    squash_commit_sha: string | null
    user_id: number
  }> | null
  /** Null unless it is being rebased. */
  rebasing_since: Timestamp | null
  merged_at: Timestamp | null
  merge_commit_sha: string | null
  squash_commit_sha: string | null
  /** As given when the merge request was created; null: as the project says. */
  approvals_before_merge: number | null
  /** The version for whose changes the rules of code owners were made. */
  code_owners_version_id: number | null
  /** The CODEOWNERS file they were made from; null where there was none. */
  code_owners_oid: string | null
}

export interface MilestoneTable {
  id: Generated<number>
  iid: number
  project_id: number | null
  namespace_id: number | null
  title: string
  description: string | null
  state: 'active' | 'closed'
  start_date: DateText | null
  due_date: DateText | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Derived by access/recompute-access.ts: the level a user has on a namespace, however it came about. */
export interface NamespaceAccessTable {
  user_id: number
  namespace_id: number
  access_level: number
}

/** The closure of parent_id: every namespace with each of its ancestors and itself at depth 0. */
export interface NamespaceAncestorTable {
  namespace_id: number
  ancestor_id: number
  depth: number
}

/** A group invited into another group. */
export interface NamespaceShareTable {
  id: Generated<number>
  namespace_id: number
  shared_with_id: number
  access_level: number
  expires_at: DateText | null
  created_at: Timestamp
}

/** Users' own namespaces and groups; a group's id is its namespace's. */
export interface NamespaceTable {
  id: Generated<number>
  kind: 'user' | 'group'
  owner_id: number | null
  parent_id: number | null
  name: string
  path: string
  full_name: string
  full_path: string
  description: Generated<string>
  visibility: Visibility
  state: Generated<'ready' | 'deleting'>
  share_with_group_lock: Generated<boolean>
  require_two_factor_authentication: Generated<boolean>
  two_factor_grace_period: Generated<number>
  project_creation_level: Generated<'noone' | 'owner' | 'maintainer' | 'developer'>
  subgroup_creation_level: Generated<'owner' | 'maintainer'>
  auto_devops_enabled: boolean | null
  emails_disabled: boolean | null
  mentions_disabled: boolean | null
  lfs_enabled: Generated<boolean>
  default_branch_protection: Generated<number>
  request_access_enabled: Generated<boolean>
  prevent_sharing_groups_outside_hierarchy: Generated<boolean>
  /** Sealed; see kernel/secrets.ts. */
  runners_token: string | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Of a group, the file name of its picture. */
  avatar: string | null
  /** As of projects. */
  runners_token_digest: string | null
  /** In bytes, for each project below; 0 is none, null as the group above or the instance says. */
  repository_size_limit: number | null
  /** In bytes, of all that projects in and below the group keep; 0 and null are none. */
  storage_size_limit: number | null
  /** Project whose files are templates. It counts only while it exists in or below the group. */
  file_template_project_id: number | null
}

/** Each node answers for itself, and lets go of what it has open. */
export interface NodeAnswerTable {
  question_id: number
  node_id: string
  is_in_use: boolean
}

/** Whether a node still works on a repository: asked before it is removed. */
export interface NodeQuestionTable {
  id: Generated<number>
  asked_by: string
  /** The folder of the repository. */
  path: string
}

/** Servers on a database of PostgreSQL; on SQLite there is one, and no row. */
export interface NodeTable {
  id: string
  /** The host name. */
  name: string
  /** Where the process id says whether it still runs: host name, boot and namespace. */
  machine: string
  pid: number
  version: string
  /** The beginning of a hash of secret.key, which all nodes share. */
  key_fingerprint: string
  /** Settings that all nodes must have alike; no secrets. */
  shared_settings: Json<unknown>
  /** By the clock of the database, like seen_at. */
  started_at: Timestamp
  /** Renewed by a node that runs. */
  seen_at: Timestamp
  /** Where the other servers reach it; null for one that has no storage of its own. */
  url: string | null
  /** Names of the storages whose disks it has. */
  storages: Json<unknown> | null
}

export interface NoteTable {
  id: Generated<number>
  project_id: number
  issuable_id: number | null
  commit_id: string | null
  author_id: number
  /** 40 hexadecimal digits; notes of one thread share it. */
  discussion_id: string
  type: 'DiscussionNote' | 'DiffNote' | null
  body: string
  /** Whether the server wrote it. */
  system: Generated<boolean>
  confidential: Generated<boolean>
  resolvable: Generated<boolean>
  resolved_at: Timestamp | null
  resolved_by_id: number | null
  /** Where in the newest diff it stands. */
  position: Json<Record<string, unknown>> | null
  /** Where it stood when it was written. */
  original_position: Json<Record<string, unknown>> | null
  /** Of a note that says who mentions this: readers of that project alone see it. */
  mentioned_by_project_id: number | null
  mentioned_by_id: number | null
  mentioned_by_commit: string | null
  created_at: Timestamp
  updated_at: Timestamp
  updated_by_id: number | null
  /** What a note of the server names; who does not see that sees no note. */
  about_id: number | null
}

/** A row without project and namespace is for everywhere. */
export interface NotificationSettingTable {
  id: Generated<number>
  user_id: number
  project_id: number | null
  namespace_id: number | null
  level: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
  /** The events that were set, by name; they count at the level `custom`. */
  events: Json<Record<string, boolean>>
  /** Where letters go, of the row for everywhere; null: to the primary address. */
  notification_email: string | null
  updated_at: Timestamp
}

/** Programs that users may sign in to by this server. */
export interface OauthApplicationTable {
  id: Generated<number>
  /** The `client_id`. */
  uid: string
  /** SHA-256 of the secret, in hex. */
  secret_digest: string
  name: string
  /** One a line. */
  redirect_uri: string
  scopes: Json<string[]>
  confidential: boolean
  /** Users are not asked whether they allow it. */
  trusted: boolean
  created_at: Timestamp
  /** The user who registered it for themselves; null for applications of the instance. */
  owner_id: number | null
}

/** What a browser carries to an application, which changes it for tokens. */
export interface OauthCodeTable {
  id: Generated<number>
  /** SHA-256 of the code, in hex. */
  digest: string
  application_id: number
  user_id: number
  redirect_uri: string
  scopes: Json<string[]>
  nonce: string | null
  code_challenge: string | null
  code_challenge_method: 'plain' | 'S256' | null
  /** When the user signed in. */
  auth_time: Timestamp
  /** Of the tokens it is changed for. */
  family: string
  expires_at: Timestamp
  used_at: Timestamp | null
  created_at: Timestamp
}

/** Sign-ins of devices without a browser (RFC 8628). */
export interface OauthDeviceTable {
  id: Generated<number>
  /** SHA-256 of the device code, in hex. */
  digest: string
  /** SHA-256 of what the user types, in hex. */
  user_code_digest: string
  application_id: number
  user_id: number | null
  scopes: Json<string[]>
  state: 'pending' | 'allowed' | 'denied' | 'used'
  auth_time: Timestamp | null
  interval_s: number
  polled_at: Timestamp | null
  expires_at: Timestamp
  created_at: Timestamp
}

/** Pairs of an access token and a refresh token. */
export interface OauthTokenTable {
  id: Generated<number>
  /** SHA-256 of the access token, in hex. */
  digest: string
  /** The same of the refresh token. */
  refresh_digest: string | null
  /** Null for a password that came without one. */
  application_id: number | null
  /** Null for a token of an application itself. */
  user_id: number | null
  scopes: Json<string[]>
  /** Shared with those that took its place; they end together. */
  family: string
  auth_time: Timestamp | null
  /** Of the access token. */
  expires_at: Timestamp
  revoked_at: Timestamp | null
  created_at: Timestamp
}

/** What authorities ask for at a domain while they issue (RFC 8555). */
export interface PagesChallengeTable {
  token: string
  domain_id: number
  answer: string
  created_at: Timestamp
}

/** Domains of sites beside the address each site has. */
export interface PagesDomainTable {
  id: Generated<number>
  project_id: number
  /** As its owner spelt it; unique whatever the case. */
  domain: string
  /** PEM: its own, then those between it and an authority. */
  certificate: string | null
  /** PEM, sealed; see kernel/secrets.ts. */
  key: string | null
  /** Who the certificate is from: its owner, or the authority that is asked by itself. */
  certificate_source: Generated<'user' | 'automatic'>
  not_before: Timestamp | null
  not_after: Timestamp | null
  verification_code: string
  /** Null where the last look found nothing. */
  verified_at: Timestamp | null
  /** Served until then; null where it is not. */
  enabled_until: Timestamp | null
  /** Goes then, if nothing verifies it before. */
  remove_at: Timestamp | null
  auto_ssl_enabled: boolean
  auto_ssl_failed: Generated<boolean>
  /** Why an authority issued nothing; none is asked again. */
  auto_ssl_error: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** The site of a project, as its last `pages` job has made it. */
export interface PagesSiteTable {
  project_id: number
  /** A later job replaces an earlier one. It may be gone. */
  job_id: number
  /** A zip of its own; the artifact it was may go. */
  blob: string
  size: number
  /** The folder of the archive that is the site, without slashes. */
  root: string
  files: number
  created_at: Timestamp
}

/** Tickets of visitors that were used, until they would have ended. */
export interface PagesTicketTable {
  digest: string
  expires_at: Timestamp
}

export interface PersonalAccessTokenTable {
  id: Generated<number>
  user_id: number
  name: string
  /** SHA-256 of the token, hex. */
  digest: string
  scopes: Json<string[]>
  revoked: Generated<boolean>
  expires_at: DateText | null
  last_used_at: Timestamp | null
  created_at: Timestamp
  /** Made by an administrator to act as the user, who does not see it. */
  impersonation: Generated<boolean>
  /** The token it was made with, which it ends with. */
  parent_id: number | null
  /** The token it took the place of; those of one line are a family. */
  rotated_from_id: number | null
}

/** Licences of what a pipeline has built from, by name. */
export interface PipelineLicenseTable {
  id: Generated<number>
  pipeline_id: number
  /** The licence list's own name where that knows it. */
  name: string
  /** Or an expression of several. */
  spdx_identifier: string | null
  url: string | null
  dependencies_count: number
  /** The first names of them. */
  dependencies: Json<string[]>
}

export interface PipelineScheduleVariableTable {
  id: Generated<number>
  pipeline_schedule_id: number
  key: string
  /** Sealed. */
  value: string
  variable_type: 'env_var' | 'file'
  raw: Generated<boolean>
}

export interface PipelineScheduleTable {
  id: Generated<number>
  project_id: number
  owner_id: number | null
  description: string
  ref: string
  cron: string
  cron_timezone: string
  active: boolean
  next_run_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface PipelineTriggerTable {
  id: Generated<number>
  project_id: number
  owner_id: number | null
  description: string
  /** Sealed: its owner reads it again. */
  token: string
  /** SHA-256 of the token. */
  token_digest: string
  last_used: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  /** The access token it was made with, which it ends with. */
  parent_id: number | null
}

/** What a pipeline was started with. */
export interface PipelineVariableTable {
  pipeline_id: number
  key: string
  /** Sealed; see kernel/secrets.ts. */
  value: string
  variable_type: 'env_var' | 'file'
  raw: Generated<boolean>
}

export interface PipelineTable {
  id: Generated<number>
  iid: number
  project_id: number
  sha: string
  before_sha: string | null
  ref: string
  tag: Generated<boolean>
  /** Where it came from; `external` ones are made for statuses that others report. */
  source:
    | 'external'
    | 'push'
    | 'web'
    | 'trigger'
    | 'schedule'
    | 'api'
    | 'pipeline'
    | 'chat'
    | 'merge_request_event'
    | 'external_pull_request_event'
    | 'parent_pipeline'
    | 'ondemand_dast_scan'
  /** Derived from its jobs by delivery/pipeline-changes/update-pipeline-from-jobs.ts, as are the figures and times below. */
  status: Generated<CiStatus>
  user_id: number | null
  yaml_errors: string | null
  /** Per cent. */
  coverage: number | null
  /** Both in seconds. */
  duration: number | null
  queued_duration: number | null
  committed_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
  name: string | null
  protected: Generated<boolean>
  /** Whether its artifacts stay although their time is over. */
  locked: Generated<boolean>
  /** What `workflow:auto_cancel:on_new_commit` says. */
  auto_cancel: 'conservative' | 'interruptible' | 'none' | null
  /** The one thing that made it (`push:...`, `schedule:...`), so that doing that again makes no second one. */
  origin: string | null
  pipeline_schedule_id: number | null
  pipeline_trigger_id: number | null
  upstream_job_id: number | null
  parent_id: number | null
  /** Which one it runs for, of those that run for one. */
  merge_request_id: number | null
  /** Variables that what began it brings, as CI_MERGE_REQUEST_IID. */
  event_variables: Json<Record<string, string>> | null
}

/** Derived by access/recompute-access.ts: the level a user has on a project beside that on its namespace. */
export interface ProjectAccessTable {
  user_id: number
  project_id: number
  access_level: number
}

export interface ProjectLanguageTable {
  project_id: number
  name: string
  bytes: number
}

/** A project that has an LFS object: somebody sent it the bytes. */
export interface ProjectLfsObjectTable {
  project_id: number
  lfs_object_id: number
  created_at: Timestamp
}

/** A group invited into a project. */
export interface ProjectShareTable {
  id: Generated<number>
  project_id: number
  shared_with_id: number
  access_level: number
  expires_at: DateText | null
  created_at: Timestamp
}

export interface ProjectStarTable {
  project_id: number
  user_id: number
  starred_since: Timestamp
}

export interface ProjectStatisticsTable {
  project_id: number
  commit_count: Generated<number>
  repository_size: Generated<number>
  updated_at: Timestamp
  /** The tip of the default branch that `readme_path` was found at. */
  readme_commit: string | null
  readme_path: string | null
  lfs_objects_size: Generated<number>
  job_artifacts_size: Generated<number>
}

export interface ProjectTopicTable {
  project_id: number
  name: string
}

/** What the last look at a project's repositories found. */
export interface ProjectVerificationTable {
  project_id: number
  repository_failed: boolean
  /** Of a project without a wiki never so. */
  wiki_failed: boolean
  /** What git said, where something failed. */
  problem: string | null
  verified_at: Timestamp
}

export interface ProjectTable {
  id: Generated<number>
  namespace_id: number
  creator_id: number | null
  name: string
  path: string
  description: string | null
  visibility: Visibility
  state: Generated<'creating' | 'ready' | 'deleting'>
  archived: Generated<boolean>
  default_branch: string | null
  repository_storage: string
  last_activity_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
  issues_access_level: Generated<FeatureAccess>
  repository_access_level: Generated<FeatureAccess>
  merge_requests_access_level: Generated<FeatureAccess>
  forking_access_level: Generated<FeatureAccess>
  wiki_access_level: Generated<FeatureAccess>
  builds_access_level: Generated<FeatureAccess>
  snippets_access_level: Generated<FeatureAccess>
  pages_access_level: Generated<FeatureAccess | 'public'>
  operations_access_level: Generated<FeatureAccess>
  analytics_access_level: Generated<FeatureAccess>
  container_registry_access_level: Generated<FeatureAccess>
  resolve_outdated_diff_discussions: Generated<boolean>
  shared_runners_enabled: Generated<boolean>
  lfs_enabled: Generated<boolean>
  emails_disabled: boolean | null
  service_desk_enabled: Generated<boolean>
  packages_enabled: Generated<boolean>
  ci_config_path: string | null
  ci_default_git_depth: Generated<number>
  ci_forward_deployment_enabled: Generated<boolean>
  ci_job_token_scope_enabled: Generated<boolean>
  public_jobs: Generated<boolean>
  build_git_strategy: Generated<'fetch' | 'clone'>
  build_timeout: Generated<number>
  build_coverage_regex: string | null
  auto_cancel_pending_pipelines: Generated<'enabled' | 'disabled'>
  auto_devops_enabled: Generated<boolean>
  auto_devops_deploy_strategy: Generated<'continuous' | 'manual' | 'timed_incremental'>
  keep_latest_artifact: Generated<boolean>
  restrict_user_defined_variables: Generated<boolean>
  request_access_enabled: Generated<boolean>
  only_allow_merge_if_pipeline_succeeds: Generated<boolean>
  allow_merge_on_skipped_pipeline: boolean | null
  only_allow_merge_if_all_discussions_are_resolved: Generated<boolean>
  remove_source_branch_after_merge: Generated<boolean>
  printing_merge_request_link_enabled: Generated<boolean>
  autoclose_referenced_issues: Generated<boolean>
  merge_method: Generated<'merge' | 'rebase_merge' | 'ff'>
  squash_option: Generated<'never' | 'always' | 'default_on' | 'default_off'>
  suggestion_commit_message: string | null
  merge_commit_template: string | null
  squash_commit_template: string | null
  approvals_before_merge: Generated<number>
  external_authorization_classification_label: string | null
  /** Sealed; see kernel/secrets.ts. */
  runners_token: string | null
  /** Whether its pushes are looked through for pointers: it has had an LFS object, or attributes that ask for LFS. */
  uses_lfs: Generated<boolean>
  forked_from_id: number | null
  /** The first project of the tree of forks it belongs to; null while it belongs to none. */
  fork_network_id: number | null
  /** The file name of its picture. */
  avatar: string | null
  releases_access_level: Generated<FeatureAccess>
  environments_access_level: Generated<FeatureAccess>
  feature_flags_access_level: Generated<FeatureAccess>
  infrastructure_access_level: Generated<FeatureAccess>
  monitor_access_level: Generated<FeatureAccess>
  requirements_access_level: Generated<FeatureAccess>
  model_experiments_access_level: Generated<FeatureAccess>
  model_registry_access_level: Generated<FeatureAccess>
  package_registry_access_level: Generated<FeatureAccess | 'public'>
  security_and_compliance_access_level: Generated<FeatureAccess>
  /** JSON; null where nobody has said anything of it. */
  container_expiration_policy: string | null
  /** SHA-256 of the token, by which runners are registered; null where nobody has looked for it yet. */
  runners_token_digest: string | null
  /** In bytes, of the repository with its LFS objects; 0 is none, null as the group or instance says. */
  repository_size_limit: number | null
  pages_https_only: Generated<boolean>
  /** Whether tokens of jobs of other projects reach it only from its allowlist. */
  ci_inbound_job_token_scope_enabled: Generated<boolean>
  only_allow_merge_if_all_status_checks_passed: Generated<boolean>
}

export interface ProtectedBranchAccessLevelTable {
  id: Generated<number>
  protected_branch_id: number
  action: 'push' | 'merge' | 'unprotect'
  access_level: number | null
  user_id: number | null
  group_id: number | null
}

export interface ProtectedBranchTable {
  id: Generated<number>
  /** Null for a rule of a group. */
  project_id: number | null
  name: string
  allow_force_push: Generated<boolean>
  code_owner_approval_required: Generated<boolean>
  created_at: Timestamp
  /** The group for whose projects the rule is; null for a rule of one project. */
  namespace_id: number | null
}

/** Whom a protection admits: a role, a user or a group. */
export interface ProtectedEnvironmentEntryTable {
  id: Generated<number>
  protected_environment_id: number
  action: 'deploy' | 'approve'
  access_level: number | null
  user_id: number | null
  group_id: number | null
  /** 0 for direct members of the group, 1 for inherited ones too. */
  group_inheritance_type: Generated<number>
  /** How many of those admitted must approve; 0 where the action is `deploy`. */
  required_approvals: Generated<number>
}

/** Of a project, or of a group, for all projects below it. */
export interface ProtectedEnvironmentTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  /** The name of an environment; of a group, a deployment tier. */
  name: string
  required_approval_count: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

/** Whom a rule lets make such tags: a role, a user or a group. */
export interface ProtectedTagAccessLevelTable {
  id: Generated<number>
  protected_tag_id: number
  access_level: number | null
  user_id: number | null
  group_id: number | null
}

export interface ProtectedTagTable {
  id: Generated<number>
  project_id: number
  /** A name or a pattern with `*`. */
  name: string
  created_at: Timestamp
}

/** Paths that a rename or transfer left behind. */
export interface RedirectTable {
  path: string
  namespace_id: number | null
  project_id: number | null
}

export interface ReleaseLinkTable {
  id: Generated<number>
  release_id: number
  name: string
  url: string
  filepath: string | null
  link_type: 'other' | 'runbook' | 'image' | 'package'
  created_at: Timestamp
}

export interface ReleaseMilestoneTable {
  release_id: number
  milestone_id: number
}

export interface ReleaseTable {
  id: Generated<number>
  project_id: number
  /** The name of its tag, which may be gone by now. */
  tag: string
  name: string | null
  description: string | null
  /** The commit the tag led to when the release was made. */
  sha: string | null
  author_id: number | null
  released_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface RemoteMirrorTable {
  id: Generated<number>
  project_id: number
  /** Sealed, with its credentials. */
  url: string
  /** Without what is secret in it. */
  shown_url: string
  enabled: boolean
  only_protected_branches: boolean
  keep_divergent_refs: boolean
  update_status: Generated<'none' | 'started' | 'finished' | 'failed' | 'to_retry'>
  last_update_at: Timestamp | null
  last_update_started_at: Timestamp | null
  last_successful_update_at: Timestamp | null
  last_error: string | null
  created_at: Timestamp
}

export interface ResourceEventTable {
  id: Generated<number>
  kind: 'label' | 'milestone' | 'state' | 'weight'
  issuable_id: number
  user_id: number | null
  action: 'add' | 'remove' | 'closed' | 'reopened' | 'merged'
  label_id: number | null
  milestone_id: number | null
  created_at: Timestamp
  /** The new weight of an event of kind `weight`; null: removed. */
  weight: number | null
}

export interface ResourceGroupTable {
  id: Generated<number>
  project_id: number
  key: string
  process_mode: Generated<'unordered' | 'oldest_first' | 'newest_first' | 'newest_ready_first'>
  /** The job that has its one resource. */
  job_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** The one place where full paths are unique, whatever they lead to. */
export interface RouteTable {
  path: string
  namespace_id: number | null
  project_id: number | null
}

/** The projects of a project runner; the first is the one that owns it. */
export interface RunnerProjectTable {
  id: Generated<number>
  runner_id: number
  project_id: number
}

export interface RunnerTable {
  id: Generated<number>
  runner_type: 'instance_type' | 'group_type' | 'project_type'
  group_id: number | null
  creator_id: number | null
  /** Whether it is the server's own; there is one. */
  builtin: Generated<boolean>
  token_digest: string
  short_token: string
  token_expires_at: Timestamp | null
  description: string | null
  maintenance_note: string | null
  tags: Json<string[]>
  run_untagged: boolean
  locked: boolean
  paused: boolean
  access_level: 'not_protected' | 'ref_protected'
  /** In seconds. */
  maximum_timeout: number | null
  name: string | null
  version: string | null
  revision: string | null
  platform: string | null
  architecture: string | null
  executor: string | null
  ip_address: string | null
  contacted_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Why the runner can make no sandbox for jobs, as it says itself; null where it makes one or says nothing. */
  isolation_problem: string | null
}

export interface SecureFileTable {
  id: Generated<number>
  project_id: number
  name: string
  /** SHA-256 of the file, in hex. */
  checksum: string
  /** JSON of what a certificate says of itself. */
  metadata: string | null
  expires_at: Timestamp | null
  /** The bytes in Base64, sealed. */
  content: string
  created_at: Timestamp
}

/** Projects that a user chose for their security dashboard. */
export interface SecurityDashboardProjectTable {
  id: Generated<number>
  user_id: number
  project_id: number
  created_at: Timestamp
}

/** Reports of vulnerabilities that jobs have made, as they were read. */
export interface SecurityScanTable {
  id: Generated<number>
  project_id: number
  pipeline_id: number
  job_id: number
  /** The topmost parent of the pipeline, or itself. */
  root_pipeline_id: number
  /** The type of the artifact. */
  report_type:
    | 'sast'
    | 'secret_detection'
    | 'dependency_scanning'
    | 'container_scanning'
    | 'cluster_image_scanning'
    | 'dast'
    | 'coverage_fuzzing'
    | 'api_fuzzing'
  /** What made the report, by the id it gives itself. */
  scanner: string | null
  scanner_name: string | null
  /** What the scanner says of its run; null where it says nothing. */
  scan_status: 'success' | 'failure' | null
  /** How many the report lists; 0 of one that cannot be read. */
  findings: number
  /** Of the default branch, pending until vulnerabilities are made of its findings. */
  state: 'broken' | 'seen' | 'pending' | 'stored'
  /** Why the report cannot be read. */
  error: string | null
  created_at: Timestamp
}

/** Somebody signed in with a browser. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the cookie's value, hex. */
  digest: string
  /** SHA-256 of the password's digest at sign-in: another password ends the session. */
  password_stamp: string
  ip: string
  user_agent: string
  created_at: Timestamp
  last_used_at: Timestamp
  expires_at: Timestamp
  /** The session of the administrator who impersonates the user; this one ends with it. */
  impersonator_session_id: number | null
}

/** What an administrator has set of the instance; the rest has its default. */
export interface SettingTable {
  name: string
  value: Json<unknown>
  updated_at: Timestamp
}

/** What JSON web tokens are signed with. Shared by all nodes. */
export interface SigningKeyTable {
  id: Generated<number>
  /** `jwt`. */
  purpose: string
  kid: string
  /** PKCS #8 in PEM. Sealed; see kernel/secrets.ts. */
  private_key: string
  created_at: Timestamp
}

/** A public key: a user's own, or, where `user_id` is null, a deploy key. */
export interface SshKeyTable {
  id: Generated<number>
  user_id: number | null
  /** Who added a deploy key and answers for what it pushes. */
  created_by_id: number | null
  title: string
  /** `type base64 comment`, as in an authorized_keys file. */
  key: string
  /** MD5, in hex with colons. */
  fingerprint: string
  /** SHA-256 in Base64 without padding. */
  fingerprint_sha256: string
  usage_type: Generated<'auth' | 'signing' | 'auth_and_signing'>
  /** Of a deploy key: whether every project may enable it. */
  is_public: Generated<boolean>
  expires_at: Timestamp | null
  last_used_at: Timestamp | null
  created_at: Timestamp
}

/** A check without any is about merge requests into whatever branch. */
export interface StatusCheckBranchTable {
  status_check_id: number
  protected_branch_id: number
}

export interface StatusCheckResponseTable {
  id: Generated<number>
  status_check_id: number
  /** A merge request. */
  issuable_id: number
  /** The head it is about; at another head the check is pending. */
  sha: string
  status: 'pending' | 'passed' | 'failed'
  created_at: Timestamp
}

export interface StatusCheckTable {
  id: Generated<number>
  project_id: number
  name: string
  external_url: string
  /** Sealed; calls are signed with it. */
  shared_secret: string | null
  created_at: Timestamp
}

/** Of all repositories of a project, or of the wiki of a group, to another storage. */
export interface StorageMoveTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  state:
    | 'initial'
    | 'scheduled'
    | 'started'
    | 'replicated'
    | 'finished'
    | 'failed'
    | 'cleanup failed'
  source_storage_name: string
  destination_storage_name: string
  /** Why it failed, for administrators. */
  problem: string | null
  /** How often it was begun; whoever begins it again takes it from whoever has it. */
  attempt: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  /** Done of what the last attempt copies and compares. */
  percent: Generated<number>
}

/** Storages of servers that have disks of their own (BLOOMERY_NODE_URL), so that no other disk is taken for one. */
export interface StorageTable {
  name: string
  /** What the file .bloomery-storage in its folder holds. */
  marker: string
  created_at: Timestamp
}

/** Every list of tags that jobs have had, so that a queue is looked up by few ids. */
export interface TagSetTable {
  id: Generated<number>
  /** JSON of the tags, sorted. */
  tags: string
}

export interface TaskTable {
  id: Generated<number>
  name: string
  /** One row of a name has a given key. */
  key: string
  payload: Json<Record<string, unknown>>
  /** Since it was last asked for, counted when a run begins. */
  attempts: Generated<number>
  run_at: Timestamp
  last_error: string | null
  created_at: Timestamp
  lane: Generated<string>
  /** The worker that runs it now. */
  owner_id: string | null
  /** Of the last run. */
  started_at: Timestamp | null
  /** Asked for anew while it runs: it runs once more, from then on. */
  again_at: Timestamp | null
  /** Its attempts are used up: it rests until somebody restarts it or asks for it anew. */
  failed_at: Timestamp | null
  /** The storage of the repository that the task needs, once a server has found that it has not its disk. */
  storage: string | null
}

export interface TimelogTable {
  id: Generated<number>
  issuable_id: number
  user_id: number
  spent_s: number
  summary: string | null
  created_at: Timestamp
}

export interface TodoTable {
  id: Generated<number>
  user_id: number
  author_id: number
  project_id: number
  issuable_id: number | null
  commit_id: string | null
  note_id: number | null
  action:
    | 'assigned'
    | 'review_requested'
    | 'mentioned'
    | 'build_failed'
    | 'marked'
    | 'unmergeable'
    | 'directly_addressed'
  state: 'pending' | 'done'
  created_at: Timestamp
  updated_at: Timestamp
}

/** What projects are tagged with; project_topics has their names in the spelling of each. */
export interface TopicTable {
  id: Generated<number>
  name: string
  /** Null of one that is called by its name. */
  title: string | null
  description: string | null
  avatar: string | null
  created_at: Timestamp
  updated_at: Timestamp
  /** How many projects have it, whoever sees them. */
  projects_count: Generated<number>
}

export interface TwoFactorRecoveryCodeTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the code, hex. */
  digest: string
}

/** One row: sign-ins that failed and are counted against no account. Writing it takes as long as counting one against an account, so the time does not tell whether there is one. */
export interface UnknownSignInTable {
  id: number
  failures: number
}

/** Files that people attach to what they write in a project. */
export interface UploadTable {
  id: Generated<number>
  project_id: number
  uploaded_by_id: number | null
  /** 32 hex digits, by which its address cannot be guessed. */
  secret: string
  file_name: string
  size: number
  /** The name of its blob. */
  blob: string
  created_at: Timestamp
}

export interface UserStatusTable {
  user_id: number
  emoji: string
  message: string
  availability: 'not_set' | 'busy'
  /** From then on there is none. */
  clear_status_at: Timestamp | null
}

export interface UserTable {
  id: Generated<number>
  username: string
  name: string
  email: string
  password_digest: string | null
  password_expires_at: Timestamp | null
  state: Generated<'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'>
  user_type: Generated<'human' | 'ghost' | 'alert_bot' | 'bot'>
  is_admin: Generated<boolean>
  external: Generated<boolean>
  private_profile: Generated<boolean>
  can_create_group: Generated<boolean>
  projects_limit: Generated<number>
  bio: Generated<string>
  location: string | null
  public_email: Generated<string>
  skype: Generated<string>
  linkedin: Generated<string>
  twitter: Generated<string>
  website_url: Generated<string>
  organization: string | null
  job_title: Generated<string>
  note: string | null
  theme_id: Generated<number>
  color_scheme_id: Generated<number>
  view_diffs_file_by_file: Generated<boolean>
  commit_email: string | null
  confirmed_at: Timestamp | null
  current_sign_in_at: Timestamp | null
  last_sign_in_at: Timestamp | null
  current_sign_in_ip: string | null
  last_sign_in_ip: string | null
  sign_in_count: Generated<number>
  last_activity_on: DateText | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Since the last success, or since it was last locked. */
  failed_sign_ins: Generated<number>
  sign_in_locked_until: Timestamp | null
  /** Sealed; of one-time codes. There before it is confirmed, too. */
  two_factor_secret: string | null
  two_factor_enabled: Generated<boolean>
  /** The time step of the last code that was taken; none up to it is taken again. */
  two_factor_last_step: number | null
  show_whitespace_in_diffs: Generated<boolean>
  /** Both are kept by triggers on follows. */
  followers_count: Generated<number>
  following_count: Generated<number>
  /** The file name of the picture, for its URL; AvatarTable knows the bytes. */
  avatar: string | null
  /** A new address that waits to be confirmed. */
  unconfirmed_email: string | null
  /** Null inherits the instance's default, 0 is unlimited. */
  shared_runners_minutes_limit: number | null
  extra_shared_runners_minutes_limit: number | null
  /** The group whose SAML sign-in the account was made for. */
  provisioned_by_group_id: number | null
  pronouns: string | null
  theme: Generated<'system' | 'light' | 'dark'>
  density: Generated<'roomy' | 'compact'>
  /** Columns that a tab takes in code. */
  tab_width: Generated<number>
  /** Whether keys without Ctrl do something on pages. */
  single_keys: Generated<boolean>
  /** Of the pages. */
  language: Generated<'system' | 'en' | 'de'>
}

/** Seen by their user alone. */
export interface ViewedFileTable {
  /** A merge request. */
  issuable_id: number
  user_id: number
  /** Its path after the change. */
  path: string
  /** The head of the version in which the file was looked at. */
  head_sha: string
  viewed_at: Timestamp
}

/** What was found on the default branch of a project; never removed. */
export interface VulnerabilityTable {
  id: Generated<number>
  project_id: number
  /** Of the project, the report type, the primary identifier and the place. */
  uuid: string
  /** The type of the artifact that told of it. */
  report_type:
    | 'sast'
    | 'secret_detection'
    | 'dependency_scanning'
    | 'container_scanning'
    | 'cluster_image_scanning'
    | 'dast'
    | 'coverage_fuzzing'
    | 'api_fuzzing'
  state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  /** Whether the last scan by its scanner did not find it any more. */
  resolved_on_default_branch: boolean
  title: string
  description: string | null
  /** As the report has it. */
  message: string | null
  solution: string | null
  severity: 'info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical'
  confidence: 'ignore' | 'unknown' | 'experimental' | 'low' | 'medium' | 'high' | 'confirmed'
  /** The id the scanner gives itself. */
  scanner: string
  scanner_name: string
  /** SHA-1 of `type:value` of the first identifier. */
  primary_identifier: string
  /** SHA-1 of what says where it is. */
  location_fingerprint: string
  /** As the report has it. */
  location: Json<Record<string, unknown>>
  /** The primary one first. */
  identifiers: Json<{ type: string; name: string; value: string; url: string | null }[]>
  /** What reports of version 14 call `cve`. */
  compare_key: string | null
  /** Links, flags, details, evidence and remedies, as the report has them. */
  metadata: Json<Record<string, unknown>>
  /** It may be gone. */
  first_pipeline_id: number
  /** The topmost parent of the last pipeline that found it. It may be gone. */
  latest_pipeline_id: number
  confirmed_at: Timestamp | null
  confirmed_by_id: number | null
  dismissed_at: Timestamp | null
  dismissed_by_id: number | null
  dismissal_reason: string | null
  dismissal_comment: string | null
  resolved_at: Timestamp | null
  resolved_by_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  /** The user whose pipeline found it first. */
  author_id: number | null
}

/** Vulnerabilities as CSV; a row and its blob go after an hour. */
export interface VulnerabilityExportTable {
  id: Generated<number>
  /** Who alone may have it. They may be gone. */
  user_id: number
  /** What it is of. It may be gone. */
  project_id: number | null
  /** As above. With neither it is of the projects on a security dashboard. */
  group_id: number | null
  status: 'created' | 'running' | 'finished' | 'failed'
  /** Runs that began; the last of them alone may end it. */
  attempts: number
  /** Projects that have a vulnerability in it; null before it is finished. */
  covered_ids: Json<number[]> | null
  blob: string | null
  /** In bytes. */
  size: number | null
  created_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
  /** Written of the last run, by rows. */
  percent: Generated<number>
}

/** Issues about vulnerabilities. */
export interface VulnerabilityIssueLinkTable {
  id: Generated<number>
  vulnerability_id: number
  issue_id: number
  link_type: 'related' | 'created'
  created_at: Timestamp
}

/** What a vulnerability is known by wherever in its file it has moved. */
export interface VulnerabilitySignatureTable {
  vulnerability_id: number
  project_id: number
  digest: string
}

/** Changes of the state of vulnerabilities. */
export interface VulnerabilityStateTransitionTable {
  id: Generated<number>
  vulnerability_id: number
  from_state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  to_state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  /** Null where a scan found it again, or the user was deleted. */
  author_id: number | null
  dismissal_reason: string | null
  comment: string | null
  created_at: Timestamp
}

/** Of a project, a group, or, with neither, of the instance (a system hook). */
export interface WebhookTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  /** Without the name and password that were in it. */
  url: string
  /** `name:password`, sent as Basic. Sealed; see kernel/secrets.ts. */
  credentials: string | null
  /** Sent along, so that receivers know us. Sealed. */
  token: string | null
  name: string | null
  description: string | null
  /** Names of flags such as `push_events`. */
  events: Json<string[]>
  push_events_branch_filter: string | null
  enable_ssl_verification: boolean
  /** Calls without success in a row. */
  failures: Generated<number>
  /** Not called before. Disabled for good, by `failures`, without it. */
  disabled_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** The wiki of a project or a group, from the first time somebody writes it; its pages are in its repository. */
export interface WikiTable {
  id: Generated<number>
  project_id: number | null
  namespace_id: number | null
  repository_storage: string
  /** In bytes, as of the last time it was tidied up. */
  size: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

/** Processes that run tasks just now. */
export interface WorkerTable {
  id: string
  seen_at: Timestamp
}

export interface Schema {
  access_requests: AccessRequestTable
  access_token_bots: AccessTokenBotTable
  acme_accounts: AcmeAccountTable
  alert_assignees: AlertAssigneeTable
  alert_integrations: AlertIntegrationTable
  alert_metric_images: AlertMetricImageTable
  alert_settings: AlertSettingTable
  alerts: AlertTable
  approval_rule_branches: ApprovalRuleBranchTable
  approval_rule_groups: ApprovalRuleGroupTable
  approval_rule_roles: ApprovalRuleRoleTable
  approval_rule_users: ApprovalRuleUserTable
  approval_rules: ApprovalRuleTable
  approval_settings: ApprovalSettingTable
  audit_events: AuditEventTable
  avatars: AvatarTable
  award_emojis: AwardEmojiTable
  badges: BadgeTable
  board_labels: BoardLabelTable
  board_lists: BoardListTable
  boards: BoardTable
  broadcast_dismissals: BroadcastDismissalTable
  broadcast_messages: BroadcastMessageTable
  ci_variables: CiVariableTable
  closing_issues: ClosingIssueTable
  clusters: ClusterTable
  commit_comments: CommitCommentTable
  contributions: ContributionTable
  counted_letters: CountedLetterTable
  custom_attributes: CustomAttributeTable
  dependencies: DependencyTable
  dependency_lists: DependencyListTable
  deploy_key_projects: DeployKeyProjectTable
  deploy_tokens: DeployTokenTable
  deployment_approvals: DeploymentApprovalTable
  deployments: DeploymentTable
  description_versions: DescriptionVersionTable
  draft_notes: DraftNoteTable
  emails: EmailTable
  environments: EnvironmentTable
  events: EventTable
  follows: FollowTable
  gpg_keys: GpgKeyTable
  gpg_subkeys: GpgSubkeyTable
  group_internal_ids: GroupInternalIdTable
  hook_deliveries: HookDeliveryTable
  identities: IdentityTable
  instance_secrets: InstanceSecretTable
  internal_ids: InternalIdTable
  invitations: InvitationTable
  issuable_assignees: IssuableAssigneeTable
  issuable_counts: IssuableCountTable
  issuable_labels: IssuableLabelTable
  issuable_mentions: IssuableMentionTable
  issuable_subscriptions: IssuableSubscriptionTable
  issuables: IssuableTable
  issue_links: IssueLinkTable
  job_artifacts: JobArtifactTable
  job_log_parts: JobLogPartTable
  job_specs: JobSpecTable
  job_token_allowlist: JobTokenAllowlistTable
  job_variables: JobVariableTable
  jobs: JobTable
  label_priorities: LabelPriorityTable
  label_subscriptions: LabelSubscriptionTable
  labels: LabelTable
  lane_holds: LaneHoldTable
  language_counts: LanguageCountTable
  lfs_locks: LfsLockTable
  lfs_objects: LfsObjectTable
  license_scans: LicenseScanTable
  link_tokens: LinkTokenTable
  managed_licenses: ManagedLicenseTable
  members: MemberTable
  merge_request_approvals: MergeRequestApprovalTable
  merge_request_commits: MergeRequestCommitTable
  merge_request_reviewers: MergeRequestReviewerTable
  merge_request_versions: MergeRequestVersionTable
  merge_requests: MergeRequestTable
  milestones: MilestoneTable
  namespace_access: NamespaceAccessTable
  namespace_ancestors: NamespaceAncestorTable
  namespace_shares: NamespaceShareTable
  namespaces: NamespaceTable
  node_answers: NodeAnswerTable
  node_questions: NodeQuestionTable
  nodes: NodeTable
  notes: NoteTable
  notification_settings: NotificationSettingTable
  oauth_applications: OauthApplicationTable
  oauth_codes: OauthCodeTable
  oauth_devices: OauthDeviceTable
  oauth_tokens: OauthTokenTable
  pages_challenges: PagesChallengeTable
  pages_domains: PagesDomainTable
  pages_sites: PagesSiteTable
  pages_tickets: PagesTicketTable
  personal_access_tokens: PersonalAccessTokenTable
  pipeline_licenses: PipelineLicenseTable
  pipeline_schedule_variables: PipelineScheduleVariableTable
  pipeline_schedules: PipelineScheduleTable
  pipeline_triggers: PipelineTriggerTable
  pipeline_variables: PipelineVariableTable
  pipelines: PipelineTable
  project_access: ProjectAccessTable
  project_languages: ProjectLanguageTable
  project_lfs_objects: ProjectLfsObjectTable
  project_shares: ProjectShareTable
  project_stars: ProjectStarTable
  project_statistics: ProjectStatisticsTable
  project_topics: ProjectTopicTable
  project_verifications: ProjectVerificationTable
  projects: ProjectTable
  protected_branch_access_levels: ProtectedBranchAccessLevelTable
  protected_branches: ProtectedBranchTable
  protected_environment_entries: ProtectedEnvironmentEntryTable
  protected_environments: ProtectedEnvironmentTable
  protected_tag_access_levels: ProtectedTagAccessLevelTable
  protected_tags: ProtectedTagTable
  redirects: RedirectTable
  release_links: ReleaseLinkTable
  release_milestones: ReleaseMilestoneTable
  releases: ReleaseTable
  remote_mirrors: RemoteMirrorTable
  resource_events: ResourceEventTable
  resource_groups: ResourceGroupTable
  routes: RouteTable
  runner_projects: RunnerProjectTable
  runners: RunnerTable
  secure_files: SecureFileTable
  security_dashboard_projects: SecurityDashboardProjectTable
  security_scans: SecurityScanTable
  sessions: SessionTable
  settings: SettingTable
  signing_keys: SigningKeyTable
  ssh_keys: SshKeyTable
  status_check_branches: StatusCheckBranchTable
  status_check_responses: StatusCheckResponseTable
  status_checks: StatusCheckTable
  storage_moves: StorageMoveTable
  storages: StorageTable
  tag_sets: TagSetTable
  tasks: TaskTable
  timelogs: TimelogTable
  todos: TodoTable
  topics: TopicTable
  two_factor_recovery_codes: TwoFactorRecoveryCodeTable
  unknown_sign_ins: UnknownSignInTable
  uploads: UploadTable
  user_statuses: UserStatusTable
  users: UserTable
  viewed_files: ViewedFileTable
  vulnerabilities: VulnerabilityTable
  vulnerability_exports: VulnerabilityExportTable
  vulnerability_issue_links: VulnerabilityIssueLinkTable
  vulnerability_signatures: VulnerabilitySignatureTable
  vulnerability_state_transitions: VulnerabilityStateTransitionTable
  webhooks: WebhookTable
  wikis: WikiTable
  workers: WorkerTable
}
