// Made by `npm run web:client` from the endpoints of the server; not to be edited.
// biome-ignore-all lint/suspicious/noConfusingVoidType: an answer without a body is awaited as void.

export interface AccessRequester {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  requested_at: string
}

export interface AccessToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
  access_level: number
}

export interface ActivityCalendar {
  from: string
  to: string
  days: { date: string; count: number }[]
}

export interface ActivityEvent {
  id: number
  project_id: number | null
  action_name: string
  target_id: number | null
  target_iid: number | null
  target_type: string | null
  author_id: number
  target_title: string | null
  created_at: string
  note?: Note
  author: BasicUser
  push_data?: {
    commit_count: number
    action: string
    ref_type: string
    commit_from: string | null
    commit_to: string | null
    ref: string
    commit_title: string | null
    ref_count: number | null
  }
  wiki_page?: { format: string; slug: string; title: string }
  author_username: string
  imported: boolean
  project?: ProjectIdentity
}

export interface AdminUser {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  created_at?: string
  bio: string
  location: string | null
  public_email: string
  skype: string
  linkedin: string
  twitter: string
  website_url: string
  organization: string | null
  job_title: string
  pronouns: string | null
  bot: boolean
  work_information: string | null
  followers?: number
  following?: number
  last_sign_in_at: string | null
  confirmed_at: string | null
  last_activity_on: string | null
  email: string
  theme_id: number
  color_scheme_id: number
  projects_limit: number
  current_sign_in_at: string | null
  identities: Identity[]
  can_create_group: boolean
  can_create_project: boolean
  two_factor_enabled: boolean
  external: boolean
  private_profile: boolean
  commit_email: string
  is_admin: boolean
  note: string | null
  current_sign_in_ip: string | null
  last_sign_in_ip: string | null
  sign_in_count: number
  highest_role: number
  plan?: string | null
  trial?: boolean
  shared_runners_minutes_limit?: number | null
  extra_shared_runners_minutes_limit?: number | null
  is_auditor?: boolean
  using_license_seat?: boolean
  provisioned_by_group_id?: number | null
  custom_attributes?: CustomAttribute[]
}

export interface Alert {
  iid: number
  title: string
  description: string | null
  status: 'triggered' | 'acknowledged' | 'resolved' | 'ignored'
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown'
  service: string | null
  monitoring_tool: string | null
  hosts: string[]
  started_at: string
  ended_at: string | null
  events: number
  fingerprint: string | null
  environment: AlertEnvironment | null
  issue: AlertIssue | null
  assignees: BasicUser[]
  created_at: string
  updated_at: string
  web_url: string
  payload: { [name: string]: unknown }
}

export interface AlertEnvironment {
  id: number
  name: string
}

export interface AlertIntegration {
  id: number
  name: string | null
  type: 'http' | 'prometheus'
  active: boolean
  url: string
  token: string
  payload_example?: unknown | null
  payload_attribute_mappings?: AlertMapping[]
}

export interface AlertIssue {
  id: number
  iid: number
  state: string
  web_url: string
}

export interface AlertMapping {
  field_name: string
  path: string[]
  type: 'STRING' | 'ARRAY' | 'DATETIME' | 'NUMBER'
  label: string | null
}

export interface AlertMappingInput {
  field_name: string
  path: string[]
  type?: 'STRING' | 'ARRAY' | 'DATETIME' | 'NUMBER'
  label?: string | null
}

export interface AlertSettings {
  create_issue: boolean
  send_email: boolean
  auto_close_incident: boolean
}

export interface AllowedApplication {
  id: number
  name: string
  scopes: string[]
  last_authorized_at: string
}

export interface AllowedInput {
  user_id?: number
  group_id?: number
  access_level?: 0 | 30 | 40 | 60
}

export interface AllowedToUnprotectInput {
  user_id?: number
  group_id?: number
  access_level?: 30 | 40 | 60
}

export interface Application {
  id: number
  application_id: string
  application_name: string
  callback_url: string
  confidential: boolean
}

export interface ApprovalRule {
  id: number
  access_level: number | null
  access_level_description: string
  user_id: number | null
  group_id: number | null
  group_inheritance_type: number
  required_approvals: number
}

export interface ApprovalRuleBranch {
  id: number
  project_id: number
  name: string
  created_at: string
  updated_at: string
  code_owner_approval_required: boolean
}

export interface ApprovalRuleGroup {
  id: number
  web_url: string
  name: string
  path: string
  full_name: string
  full_path: string
  description: string
  visibility: 'private' | 'internal' | 'public'
}

export interface ApprovalRuleInput {
  id?: number
  access_level?: 30 | 40 | 60
  user_id?: number
  group_id?: number
  group_inheritance_type?: 0 | 1
  _destroy?: boolean
  required_approvals?: number
}

export interface ApprovalRuleLeft {
  id: number | null
  name: string
  rule_type: string
}

export interface ApprovalRuleSource {
  id: number
  approvals_required: number
}

export interface ApprovalRuleState {
  id: number | null
  name: string
  rule_type: 'regular' | 'any_approver' | 'code_owner'
  report_type: null
  eligible_approvers: BasicUser[]
  approvals_required: number
  users: BasicUser[]
  groups: ApprovalRuleGroup[]
  contains_hidden_groups: boolean
  section: string | null
  source_rule: ApprovalRuleSource | null
  overridden: boolean
  code_owner: boolean
  approved_by: BasicUser[]
  approved: boolean
}

export interface ApprovalSettings {
  approvals_before_merge: number
  reset_approvals_on_push: boolean
  selective_code_owner_removals: boolean
  disable_overriding_approvers_per_merge_request: boolean
  merge_requests_author_approval: boolean
  merge_requests_disable_committers_approval: boolean
  require_password_to_approve: boolean
}

export interface ApprovalState {
  approval_rules_overwritten: boolean
  rules: ApprovalRuleState[]
}

export interface Approvals {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: string
  created_at: string
  updated_at: string
  user_has_approved: boolean
  user_can_approve: boolean
  approved: boolean
  approved_by: { user: BasicUser }[]
  approvals_required?: number
  approvals_left?: number
  require_password_to_approve?: boolean
  suggested_approvers?: BasicUser[]
  approvers?: unknown[]
  approver_groups?: unknown[]
  approval_rules_left?: ApprovalRuleLeft[]
  has_approval_rules?: boolean
  merge_request_approvers_available?: boolean
  multiple_approval_rules_available?: boolean
}

export interface ArtifactEntry {
  name: string
  path: string
  type: string
  size?: number
}

export interface AuditEvent {
  id: number
  author_id: number
  entity_id: number
  entity_type: string
  event_name: string
  details: { [name: string]: unknown }
  created_at: string
}

export interface Avatar {
  avatar_url: string | null
}

export interface Award {
  id: number
  name: string
  user: BasicUser
  created_at: string
  updated_at: string
  awardable_id: number
  awardable_type: string
}

export interface BackgroundTask {
  id: number
  name: string
  lane: string
  key: string
  state: 'waiting' | 'delayed' | 'running' | 'failed'
  attempts: number
  run_at: string
  started_at: string | null
  failed_at: string | null
  last_error: string | null
  created_at: string
}

export interface Backup {
  name: string
  created_at: string
  version: string
  database: 'sqlite' | 'postgresql'
  repositories: number
  blobs: number
  bytes: number
  with_keys: boolean
}

export interface Backups {
  target: string | null
  schedule: string | null
  keep: number | null
  state: 'none' | 'waiting' | 'delayed' | 'running' | 'failed'
  last_error: string | null
  next_at: string | null
  target_error: string | null
  count: number
  backups: Backup[]
}

export interface Badge {
  name: string | null
  link_url: string
  image_url: string
  rendered_link_url: string
  rendered_image_url: string
  id: number
  kind: 'project' | 'group'
}

export interface BasicEnvironment {
  id: number
  name: string
  slug: string
  description: string | null
  external_url: string | null
  created_at: string
  updated_at: string
}

export interface BasicIssue {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  type: string
  merge_requests_count: number
  due_date: string | null
  confidential: boolean
  issue_type: string
  weight?: number | null
}

export interface BasicLabel {
  id: number
  name: string
  color: string
  description: string | null
  description_html: string | null
  text_color: string
}

export interface BasicMergeRequest {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  merged_by: BasicUser | null
  merge_user: BasicUser | null
  merged_at: string | null
  title_html?: string
  description_html?: string
  target_branch: string
  source_branch: string
  reviewers: BasicUser[]
  changes_requested_by?: BasicUser[]
  source_project_id: number | null
  target_project_id: number
  draft: boolean
  work_in_progress: boolean
  merge_when_pipeline_succeeds: boolean
  merge_status: string
  detailed_merge_status: string
  sha: string | null
  merge_commit_sha: string | null
  squash_commit_sha: string | null
  should_remove_source_branch: boolean | null
  force_remove_source_branch: boolean | null
  allow_collaboration?: boolean
  allow_maintainer_to_push?: boolean
  reference: string
  references: References
  squash: boolean
  approvals_before_merge?: number | null
  has_conflicts: boolean
  blocking_discussions_resolved: boolean
}

export interface BasicPipeline {
  id: number
  iid: number
  project_id: number
  sha: string
  ref: string
  status:
    | 'created'
    | 'waiting_for_resource'
    | 'preparing'
    | 'pending'
    | 'running'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'skipped'
    | 'manual'
    | 'scheduled'
  source: string
  created_at: string
  updated_at: string
  web_url: string
}

export interface BasicUser {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
}

export interface BlameRange {
  start: number
  end: number
}

export interface BlobHit {
  basename: string
  data: string
  path: string
  filename: string
  id: null
  ref: string
  startline: number
  project_id: number
}

export interface Board {
  id: number
  name: string
  hide_backlog_list: boolean
  hide_closed_list: boolean
  project?: SimpleProject
  group?: GroupLink
  lists: BoardList[]
  milestone?: Milestone | null
  assignee?: BasicUser | null
  labels?: BasicLabel[]
  weight?: number | null
}

export interface BoardList {
  id: number
  label: BasicLabel | null
  position: number
  assignee?: BasicUser
  milestone?: Milestone
}

export interface Branch {
  name: string
  commit: Commit
  merged: boolean
  protected: boolean
  developers_can_push: boolean
  developers_can_merge: boolean
  can_push: boolean
  default: boolean
  web_url: string
}

export interface Bridge {
  id: number
  status:
    | 'created'
    | 'waiting_for_resource'
    | 'preparing'
    | 'pending'
    | 'running'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'skipped'
    | 'manual'
    | 'scheduled'
  stage: string
  name: string
  ref: string
  tag: boolean
  coverage: number | null
  allow_failure: boolean
  created_at: string
  started_at: string | null
  finished_at: string | null
  erased_at: string | null
  duration: number | null
  queued_duration: number | null
  user: User | null
  commit: Commit | null
  pipeline: BasicPipeline
  failure_reason?: string | null
  web_url: string
  project: JobTokenScope
  downstream_pipeline: BasicPipeline | null
}

export interface BroadcastMessage {
  id: number
  message: string
  starts_at: string
  ends_at: string
  color: string | null
  font: string | null
  target_access_levels: number[]
  target_path: string | null
  broadcast_type: string
  dismissable: boolean
  active: boolean
}

export interface BurndownEvent {
  created_at: string
  weight: number | null
  action: string
}

export interface CancelledMerge {
  status: string
  message?: string
  http_status?: number
}

export interface CertificateMetadata {
  id: string
  issuer: { [name: string]: string }
  subject: { [name: string]: string }
  expires_at: string
}

export interface CertificateValidity {
  expired: boolean
  expiration: string
}

export interface ChangedFile {
  old_path: string
  new_path: string
  a_mode: string
  b_mode: string
  new_file: boolean
  renamed_file: boolean
  deleted_file: boolean
  diff?: string
  added_lines: number | null
  removed_lines: number | null
  generated_file: boolean
  collapsed: boolean
  too_large: boolean
}

export interface ChangedInput {
  id?: number
  user_id?: number
  group_id?: number
  access_level?: 0 | 30 | 40 | 60
  _destroy?: boolean
}

export interface ChangedToUnprotectInput {
  id?: number
  user_id?: number
  group_id?: number
  access_level?: 30 | 40 | 60
  _destroy?: boolean
}

export interface Changelog {
  notes: string
}

export interface Cluster {
  id: number
  name: string
  created_at: string
  domain: string | null
  enabled: boolean
  managed: boolean
  namespace_per_environment: boolean
  provider_type: string
  platform_type: string
  environment_scope: string
  cluster_type: string
  user: BasicUser | null
  platform_orchestrator: ClusterPlatform
  provider_cloud: null
  management_project: ProjectIdentity | null
  project?: { [name: string]: unknown }
  group?: GroupLink
  [name: string]: unknown
}

export interface ClusterPlatform {
  api_url: string
  namespace: string | null
  authorization_type: string
  ca_cert: string | null
}

export interface ClusterPlatformInput {
  api_url?: string
  token?: string
  ca_cert?: string | null
  namespace?: string | null
}

export interface CodeOwners {
  section: string
  pattern: string
  optional: boolean
  approvals_required: number
  users: BasicUser[]
  groups: CodeOwnersGroup[]
  roles: ('developer' | 'maintainer' | 'owner')[]
}

export interface CodeOwnersGroup {
  id: number
  name: string
  full_path: string
  web_url: string
}

export interface CommandsResult {
  commands_changes: { [name: string]: unknown }
  summary: string[]
}

export interface Commit {
  id: string
  short_id: string
  created_at: string
  parent_ids: string[]
  title: string
  message: string
  author_name: string
  author_email: string
  authored_date: string
  committer_name: string
  committer_email: string
  committed_date: string
  trailers: { [name: string]: string }
  web_url: string
}

export interface CommitComment {
  note: string
  path: string | null
  line: number | null
  line_type: 'new' | 'old' | null
  author: {
    id: number
    username: string
    name: string
    state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
    avatar_url: string | null
    web_url: string
    email: string | null
    created_at: string | null
  }
  created_at: string
}

export interface CommitDetail {
  id: string
  short_id: string
  created_at: string
  parent_ids: string[]
  title: string
  message: string
  author_name: string
  author_email: string
  authored_date: string
  committer_name: string
  committer_email: string
  committed_date: string
  trailers: { [name: string]: string }
  web_url: string
  stats?: CommitStats
  status: string | null
  project_id: number
  last_pipeline: BasicPipeline | null
}

export interface CommitHit {
  id: string
  short_id: string
  created_at: string
  parent_ids: string[]
  title: string
  message: string
  author_name: string
  author_email: string
  authored_date: string
  committer_name: string
  committer_email: string
  committed_date: string
  trailers: { [name: string]: string }
  web_url: string
  status: string | null
  last_pipeline: BasicPipeline | null
  project_id: number
}

export interface CommitId {
  commit_id: string
}

export interface CommitRef {
  type: 'branch' | 'tag'
  name: string
}

export interface CommitStats {
  additions: number
  deletions: number
  total: number
}

export interface CommitStatus {
  id: number
  sha: string
  ref: string
  status: string
  name: string
  target_url: string | null
  description: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  allow_failure: boolean
  coverage: number | null
  author: BasicUser | null
}

export interface ComparedFile {
  old_path: string
  new_path: string
  a_mode: string
  b_mode: string
  new_file: boolean
  renamed_file: boolean
  deleted_file: boolean
  diff: string
  generated_file: boolean
  collapsed: boolean
  too_large: boolean
}

export interface Comparison {
  commit: Commit | null
  commits: Commit[]
  diffs: FileDiff[]
  compare_timeout: boolean
  compare_same_ref: boolean
  web_url: string
}

export interface ConfigurationEntry {
  name: string
  environment_name: string
  value: string | null
  secret: boolean
}

export interface ConflictChoice {
  id: string
  use: 'ours' | 'theirs'
}

export interface ConflictResolution {
  path: string
  sections?: ConflictChoice[]
  content?: string
}

export interface ConflictSection {
  id: string | null
  text: string | null
  ours: string | null
  theirs: string | null
}

export interface ConflictedFile {
  path: string
  reason: 'not_changed_by_both' | 'binary' | 'too_large' | 'too_many' | 'has_markers' | null
  content: string | null
  sections: ConflictSection[] | null
}

export interface Contributor {
  name: string
  email: string
  commits: number
  additions: number
  deletions: number
}

export interface CurrentUser {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  created_at?: string
  bio: string
  location: string | null
  public_email: string
  skype: string
  linkedin: string
  twitter: string
  website_url: string
  organization: string | null
  job_title: string
  pronouns: string | null
  bot: boolean
  work_information: string | null
  followers?: number
  following?: number
  last_sign_in_at: string | null
  confirmed_at: string | null
  last_activity_on: string | null
  email: string
  theme_id: number
  color_scheme_id: number
  projects_limit: number
  current_sign_in_at: string | null
  identities: Identity[]
  can_create_group: boolean
  can_create_project: boolean
  two_factor_enabled: boolean
  external: boolean
  private_profile: boolean
  commit_email: string
}

export interface CustomAttribute {
  key: string
  value: string
}

export interface Dependency {
  name: string
  version: string | null
  package_manager: string | null
  dependency_file_path: string | null
  licenses: DependencyLicense[]
  vulnerabilities?: DependencyVulnerability[]
}

export interface DependencyLicense {
  name: string
  url: string | null
}

export interface DependencyLocation {
  path: string | null
  blob_path: string | null
}

export interface DependencyProject {
  id: number
  name: string
  full_path: string
  full_name: string
}

export interface DependencyVulnerability {
  name: string
  severity: string
}

export interface DeployAccessLevel {
  id: number
  access_level: number | null
  access_level_description: string
  user_id: number | null
  group_id: number | null
  group_inheritance_type: number
}

export interface DeployAccessLevelInput {
  id?: number
  access_level?: 30 | 40 | 60
  user_id?: number
  group_id?: number
  group_inheritance_type?: 0 | 1
  _destroy?: boolean
}

export interface DeployKey {
  id: number
  title: string
  created_at: string
  expires_at: string | null
  key: string
  fingerprint: string
  fingerprint_sha256: string
  public: boolean
  projects_with_write_access: ProjectIdentity[]
  projects_with_readonly_access: ProjectIdentity[]
}

export interface DeployKeyLink {
  id: number
  deploy_key_id: number
  project_id: number
  created_at: string
  updated_at: string
  can_push: boolean
}

export interface DeployToken {
  id: number
  name: string
  username: string
  expires_at: string | null
  scopes: string[]
  revoked: boolean
  expired: boolean
}

export interface Deployment {
  id: number
  iid: number
  ref: string
  sha: string
  status: string
  created_at: string
  updated_at: string
  user: BasicUser | null
  environment: BasicEnvironment
  deployable: Job | null
}

export interface DeploymentApproval {
  user: BasicUser
  status: 'approved' | 'rejected'
  created_at: string
  comment: string | null
}

export interface DeploymentDetail {
  id: number
  iid: number
  ref: string
  sha: string
  status: string
  created_at: string
  updated_at: string
  user: BasicUser | null
  environment: BasicEnvironment
  deployable: Job | null
  approvals: DeploymentApproval[]
  pending_approval_count: number
}

export interface DescriptionVersion {
  id: number
  created_at: string
  description: string | null
  previous_description: string | null
}

export interface DetailedStatus {
  icon: string
  text: string
  label: string
  group: string
  tooltip: string
  has_details: boolean
  details_path: string
  illustration: null
  favicon: string
}

export interface DiffRefs {
  base_sha: string | null
  head_sha: string
  start_sha: string
}

export interface Discussion {
  id: string
  individual_note: boolean
  notes: Note[]
}

export interface DraftNote {
  id: number
  author_id: number
  merge_request_id: number
  resolve_discussion: boolean
  discussion_id: string | null
  note: string
  commit_id: string | null
  line_code: string | null
  position: { [name: string]: unknown }
}

export interface DryRun {
  dry_run: 'success'
}

export interface Email {
  id: number
  email: string
  confirmed_at: string | null
}

export interface EnabledKey {
  id: number
  title: string
  created_at: string
  expires_at: string | null
  key: string
  fingerprint: string
  fingerprint_sha256: string
  can_push: boolean
}

export interface Environment {
  id: number
  name: string
  slug: string
  description: string | null
  external_url: string | null
  created_at: string
  updated_at: string
  state: 'available' | 'stopping' | 'stopped'
  tier: string
  auto_stop_at: string | null
}

export interface EnvironmentDetail {
  id: number
  name: string
  slug: string
  description: string | null
  external_url: string | null
  created_at: string
  updated_at: string
  state: 'available' | 'stopping' | 'stopped'
  tier: string
  auto_stop_at: string | null
  last_deployment: Deployment | null
}

export interface ExpirationPolicy {
  cadence: string
  enabled: boolean
  keep_n: number | null
  older_than: string | null
  name_regex: string | null
  name_regex_delete: string | null
  name_regex_keep: string | null
  next_run_at: string
}

export interface ExpirationPolicyInput {
  cadence?: string
  enabled?: boolean
  keep_n?: number | null
  older_than?: string | null
  name_regex?: string | null
  name_regex_delete?: string | null
  name_regex_keep?: string | null
}

export interface ExternalStatusCheck {
  id: number
  name: string
  project_id: number
  external_url: string
  hmac: boolean
  protected_branches: StatusCheckBranch[]
}

export interface FileDiff {
  old_path: string
  new_path: string
  a_mode: string
  b_mode: string
  new_file: boolean
  renamed_file: boolean
  deleted_file: boolean
  diff: string
}

export interface FileWrite {
  file_path: string
  branch: string
}

export interface FoundSshKey {
  id: number
  title: string
  created_at: string
  expires_at: string | null
  key: string
  usage_type: string
  last_used_at: string | null
  user: CurrentUser | null
  deploy_keys_projects?: DeployKeyLink[]
}

export interface GitBlob {
  size: number
  encoding: 'base64'
  sha: string
  content: string
}

export interface GlobalNotificationSetting {
  level: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
  events?: { [name: string]: boolean }
  notification_email: string
}

export interface GpgKey {
  id: number
  key: string
  created_at: string
}

export interface Group {
  id: number
  web_url: string
  name: string
  path: string
  description: string
  visibility: 'private' | 'internal' | 'public'
  share_with_group_lock: boolean
  require_two_factor_authentication: boolean
  two_factor_grace_period: number
  project_creation_level: 'noone' | 'owner' | 'maintainer' | 'developer'
  auto_devops_enabled: boolean | null
  subgroup_creation_level: 'owner' | 'maintainer'
  emails_disabled: boolean | null
  mentions_disabled: boolean | null
  lfs_enabled: boolean
  default_branch_protection: number
  avatar_url: string | null
  request_access_enabled: boolean
  full_name: string
  full_path: string
  created_at: string
  parent_id: number | null
  file_template_project_id?: number
  statistics?: GroupStatistics
  custom_attributes?: CustomAttribute[]
}

export interface GroupAbilities {
  change_group: boolean
  remove_group: boolean
  transfer_group: boolean
  manage_members: boolean
  request_access: boolean
  share_group: boolean
  manage_deploy_tokens: boolean
  manage_variables: boolean
  manage_runners: boolean
  write_labels: boolean
  write_milestones: boolean
  write_boards: boolean
  write_wiki: boolean
  write_badges: boolean
  manage_webhooks: boolean
  manage_clusters: boolean
  read_vulnerabilities: boolean
  read_dependencies: boolean
  move_storage: boolean
  export_vulnerabilities: boolean
  read_audit_events: boolean
  create_subgroup: boolean
}

export interface GroupDependency {
  name: string
  version: string | null
  package_manager: string | null
  dependency_file_path: string | null
  licenses: DependencyLicense[]
  vulnerabilities?: DependencyVulnerability[]
  location: DependencyLocation
  project: DependencyProject
}

export interface GroupDetail {
  id: number
  web_url: string
  name: string
  path: string
  description: string
  visibility: 'private' | 'internal' | 'public'
  share_with_group_lock: boolean
  require_two_factor_authentication: boolean
  two_factor_grace_period: number
  project_creation_level: 'noone' | 'owner' | 'maintainer' | 'developer'
  auto_devops_enabled: boolean | null
  subgroup_creation_level: 'owner' | 'maintainer'
  emails_disabled: boolean | null
  mentions_disabled: boolean | null
  lfs_enabled: boolean
  default_branch_protection: number
  avatar_url: string | null
  request_access_enabled: boolean
  full_name: string
  full_path: string
  created_at: string
  parent_id: number | null
  file_template_project_id?: number
  statistics?: GroupStatistics
  custom_attributes?: CustomAttribute[]
  shared_with_groups: InvitedGroup[]
  runners_token?: string | null
  prevent_sharing_groups_outside_hierarchy: boolean
  repository_size_limit?: number | null
  storage_size_limit?: number | null
  projects?: (Project | SimpleProject)[]
  shared_projects?: (Project | SimpleProject)[]
}

export interface GroupLink {
  id: number
  web_url: string
  name: string
}

export interface GroupName {
  id: number
  web_url: string
  name: string
  avatar_url: string | null
  full_name: string
  full_path: string
}

export interface GroupStatistics {
  storage_size: number
  repository_size: number
  wiki_size: number
  lfs_objects_size: number
  job_artifacts_size: number
  pipeline_artifacts_size: number
  packages_size: number
  snippets_size: number
  uploads_size: number
}

export interface GroupStorageMove {
  id: number
  created_at: string
  state: string
  source_storage_name: string
  destination_storage_name: string
  percent: number | null
  problem: string | null
  group: GroupLink
}

export interface GroupWebhook {
  id: number
  url: string
  created_at: string
  enable_ssl_verification: boolean
  push_events: boolean
  tag_push_events: boolean
  merge_requests_events: boolean
  repository_update_events: boolean
  issues_events: boolean
  confidential_issues_events: boolean
  note_events: boolean
  confidential_note_events: boolean
  pipeline_events: boolean
  wiki_page_events: boolean
  deployment_events: boolean
  job_events: boolean
  releases_events: boolean
  subgroup_events: boolean
  member_events: boolean
  group_id: number
  push_events_branch_filter: string | null
  name: string | null
  description: string | null
  alert_status: 'executable' | 'temporarily_disabled' | 'disabled'
  disabled_until: string | null
}

export interface GroupWithAbilities {
  id: number
  web_url: string
  name: string
  path: string
  description: string
  visibility: 'private' | 'internal' | 'public'
  share_with_group_lock: boolean
  require_two_factor_authentication: boolean
  two_factor_grace_period: number
  project_creation_level: 'noone' | 'owner' | 'maintainer' | 'developer'
  auto_devops_enabled: boolean | null
  subgroup_creation_level: 'owner' | 'maintainer'
  emails_disabled: boolean | null
  mentions_disabled: boolean | null
  lfs_enabled: boolean
  default_branch_protection: number
  avatar_url: string | null
  request_access_enabled: boolean
  full_name: string
  full_path: string
  created_at: string
  parent_id: number | null
  file_template_project_id?: number
  statistics?: GroupStatistics
  custom_attributes?: CustomAttribute[]
  shared_with_groups: InvitedGroup[]
  runners_token?: string | null
  prevent_sharing_groups_outside_hierarchy: boolean
  repository_size_limit?: number | null
  storage_size_limit?: number | null
  projects?: (Project | SimpleProject)[]
  shared_projects?: (Project | SimpleProject)[]
  description_html?: string
  abilities?: GroupAbilities
}

export interface Heading {
  level: number
  id: string
  text: string
}

export interface HelpPage {
  path: string
  title: string
  section: 'start' | 'operating' | 'api'
  excerpt: string | null
}

export interface Identity {
  provider: string
  extern_uid: string
  saml_provider_id?: number | null
}

export interface ImpersonationToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
  impersonation: boolean
}

export interface InstanceDisk {
  storage: string | null
  path: string
  free_bytes: number
  size_bytes: number
  nearly_full: boolean
}

export interface InstanceHealth {
  version: string
  database: 'sqlite' | 'postgresql'
  url: string | null
  nodes: Node[]
  workers: number
  mail_from: string | null
  runners_online: number
  users_pending_approval: number
  last_backup_at: string | null
  disks: InstanceDisk[]
  tasks: TaskLane[]
}

export interface InstanceMetadata {
  version: string
  revision: string
  kas: { enabled: boolean; externalUrl: null; version: null }
  enterprise: boolean
}

export interface InstanceStatistics {
  forks: string
  issues: string
  merge_requests: string
  notes: string
  snippets: string
  ssh_keys: string
  milestones: string
  users: string
  groups: string
  projects: string
  active_users: string
}

export interface Invitation {
  id: number
  invite_email: string
  created_at: string
  access_level: number
  expires_at: string | null
  user_name: string | null
  created_by_name: string | null
}

export interface Invited {
  status: string
  message?: string | { [name: string]: string }
}

export interface InvitedGroup {
  group_id: number
  group_name: string
  group_full_path: string
  group_access_level: number
  expires_at: string | null
}

export interface IssuableAbilities {
  update: boolean
  change_details: boolean
  discuss: boolean
  write_internal_notes: boolean
  track_time: boolean
  remove: boolean
}

export interface Issue {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  type: string
  merge_requests_count: number
  due_date: string | null
  confidential: boolean
  issue_type: string
  weight?: number | null
  has_tasks: boolean
  task_status?: string
  _links: IssueLinks
  references: References
  severity: string
  subscribed?: boolean
  moved_to_id: number | null
  service_desk_reply_to: null
}

export interface IssueLink {
  id: number
  source_issue: BasicIssue
  target_issue: BasicIssue
  link_type: string
}

export interface IssueLinks {
  self: string
  notes: string
  award_emoji: string
  project: string
  closed_as_duplicate_of: string | null
}

export interface IssueStatistics {
  statistics: { counts: { all: number; closed: number; opened: number } }
}

export interface Job {
  id: number
  status:
    | 'created'
    | 'waiting_for_resource'
    | 'preparing'
    | 'pending'
    | 'running'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'skipped'
    | 'manual'
    | 'scheduled'
  stage: string
  name: string
  ref: string
  tag: boolean
  coverage: number | null
  allow_failure: boolean
  created_at: string
  started_at: string | null
  finished_at: string | null
  erased_at: string | null
  duration: number | null
  queued_duration: number | null
  user: User | null
  commit: Commit | null
  pipeline: BasicPipeline
  failure_reason?: string | null
  web_url: string
  project: JobTokenScope
  artifacts_file?: JobArchive
  artifacts: JobFile[]
  runner: JobRunner | null
  artifacts_expire_at: string | null
  tag_list: string[]
}

export interface JobAbilities {
  abilities?: { run_job: boolean; erase_job: boolean; allow_jobs_without_isolation: boolean }
  isolation_problem?: string | null
}

export interface JobArchive {
  filename: string
  size: number
}

export interface JobFile {
  file_type: string
  size: number
  filename: string
  file_format: string
  report_error?: string
}

export interface JobNeeds {
  needs?: string[] | null
}

export interface JobRunner {
  id: number
  description: string | null
  ip_address: string | null
  active: boolean
  paused: boolean
  is_shared: boolean
  runner_type: 'instance_type' | 'group_type' | 'project_type'
  name: string | null
  online: boolean | null
  status: 'online' | 'offline' | 'stale' | 'never_contacted'
}

export interface JobTokenAccess {
  inbound_enabled: boolean
  outbound_enabled: boolean
}

export interface JobTokenGroup {
  id: number
  web_url: string
  name: string
}

export interface JobTokenGroupLink {
  source_project_id: number
  target_group_id: number
}

export interface JobTokenProject {
  source_project_id: number
  target_project_id: number
}

export interface JobTokenScope {
  ci_job_token_scope_enabled: boolean
}

export interface JobVariableInput {
  key: string
  value: string
}

export interface KeptJob {
  id: number
  status:
    | 'created'
    | 'waiting_for_resource'
    | 'preparing'
    | 'pending'
    | 'running'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'skipped'
    | 'manual'
    | 'scheduled'
  stage: string
  name: string
  ref: string
  tag: boolean
  coverage: number | null
  allow_failure: boolean
  created_at: string
  started_at: string | null
  finished_at: string | null
  erased_at: string | null
  duration: number | null
  queued_duration: number | null
  user: User | null
  commit: Commit | null
  pipeline: BasicPipeline
  failure_reason: string | null
  web_url: string
  project: JobTokenScope
  artifacts_file?: JobArchive
  artifacts: JobFile[]
  runner: JobRunner | null
  artifacts_expire_at: string | null
  tag_list: string[]
  download_url: string | null
}

export interface Label {
  id: number
  name: string
  color: string
  description: string | null
  description_html: string | null
  text_color: string
  open_issues_count?: number
  closed_issues_count?: number
  open_merge_requests_count?: number
  subscribed: boolean
  priority?: number | null
  is_project_label?: boolean
}

export interface LabelEvent {
  id: number
  user: BasicUser | null
  created_at: string
  resource_type: string
  resource_id: number
  label: BasicLabel | null
  action: string
}

export interface License {
  id: number
  plan: string
  created_at: string
  starts_at: string
  expires_at: null
  historical_max: number
  maximum_user_count: number
  licensee: { [name: string]: string }
  add_ons: { [name: string]: number }
  expired: boolean
  overage: number
  user_limit: number
  active_users: number
}

export interface LicenseTemplate {
  key: string
  name: string
  nickname: string | null
  popular: boolean
  html_url: string | null
  source_url: string | null
  description: string | null
  conditions: string[]
  permissions: string[]
  limitations: string[]
  content: string
}

export interface LineEndInput {
  line_code?: string
  type?: string
  old_line?: number
  new_line?: number
}

export interface LineRangeInput {
  start?: LineEndInput
  end?: LineEndInput
}

export interface LinkedIssue {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  type: string
  merge_requests_count: number
  due_date: string | null
  confidential: boolean
  issue_type: string
  weight?: number | null
  has_tasks: boolean
  task_status?: string
  _links: IssueLinks
  references: References
  severity: string
  subscribed?: boolean
  moved_to_id: number | null
  service_desk_reply_to: null
  issue_link_id: number
  link_type: string
  link_created_at: string
  link_updated_at: string
}

export interface LintDiagnostic {
  severity: string
  text: string
  file: string | null
  line: number | null
  column: number | null
}

export interface LintResult {
  valid: boolean
  errors: string[]
  warnings: string[]
  merged_yaml: string | null
  includes: unknown[]
  jobs?: LintedJob[]
  diagnostics: LintDiagnostic[]
  variables: LintedVariable[]
}

export interface LintedJob {
  name: string
  stage: string
  before_script: string[]
  script: string[]
  after_script: string[]
  tag_list: string[]
  only: unknown
  except: unknown
  environment: string | null
  when: string
  allow_failure: boolean
  needs: unknown
}

export interface LintedVariable {
  key: string
  value: string
  description: string | null
  options: string[]
}

export interface ListedAlert {
  iid: number
  title: string
  description: string | null
  status: 'triggered' | 'acknowledged' | 'resolved' | 'ignored'
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown'
  service: string | null
  monitoring_tool: string | null
  hosts: string[]
  started_at: string
  ended_at: string | null
  events: number
  fingerprint: string | null
  environment: AlertEnvironment | null
  issue: AlertIssue | null
  assignees: BasicUser[]
  created_at: string
  updated_at: string
  web_url: string
}

export interface ListedCluster {
  id: number
  name: string
  created_at: string
  domain: string | null
  enabled: boolean
  managed: boolean
  namespace_per_environment: boolean
  provider_type: string
  platform_type: string
  environment_scope: string
  cluster_type: string
  user: BasicUser | null
  platform_orchestrator: ClusterPlatform
  provider_cloud: null
  management_project: ProjectIdentity | null
  [name: string]: unknown
}

export interface ListedCommit {
  id: string
  short_id: string
  created_at: string
  parent_ids: string[]
  title: string
  message: string
  author_name: string
  author_email: string
  authored_date: string
  committer_name: string
  committer_email: string
  committed_date: string
  trailers: { [name: string]: string }
  web_url: string
  stats?: CommitStats
}

export interface ListedPagesDomain {
  domain: string
  url: string
  verified: boolean
  verification_code: string
  enabled_until: string | null
  auto_ssl_enabled: boolean
  project_id: number
  certificate?: CertificateValidity
  certificate_expiration?: CertificateValidity
}

export interface ListedPagesSite {
  project: ProjectIdentity
  url: string | null
  access_level: string
  force_https: boolean
  domains: { domain: string; verified: boolean }[]
  size: number
  files: number
  deployed_at: string
}

export interface ListedTemplate {
  key: string
  name: string
}

export interface ListedVulnerabilityExport {
  id: number
  format: 'csv'
  status: 'created' | 'running' | 'finished' | 'failed'
  percent: number | null
  attempts: number
  size: number | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  user: BasicUser
  project_path: string | null
  group_path: string | null
}

export interface ListedWikiPage {
  format: string
  slug: string
  title: string
  content?: string
  encoding?: string
}

export interface LogIndex {
  bytes: number
  lines: number
  offsets: number[]
  sections: {
    name: string
    header: string
    start: string
    end: string | null
    offset: number
    first_line: number
    last_line: number | null
    collapsed: boolean
  }[]
}

export interface ManagedLicense {
  id: number
  name: string
  approval_status: 'allowed' | 'denied'
}

export interface Member {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  access_level: number
  created_at: string
  expires_at: string | null
}

export interface Membership {
  source_id: number
  source_name: string
  source_type: 'Project' | 'Namespace'
  access_level: number
}

export interface MergeAbility {
  can_merge: boolean
}

export interface MergeConflicts {
  source_branch: string
  target_branch: string
  source_sha: string
  target_sha: string
  commit_message: string
  resolvable: boolean
  files: ConflictedFile[]
}

export interface MergeRequest {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  merged_by: BasicUser | null
  merge_user: BasicUser | null
  merged_at: string | null
  title_html?: string
  description_html?: string
  target_branch: string
  source_branch: string
  reviewers: BasicUser[]
  changes_requested_by?: BasicUser[]
  source_project_id: number | null
  target_project_id: number
  draft: boolean
  work_in_progress: boolean
  merge_when_pipeline_succeeds: boolean
  merge_status: string
  detailed_merge_status: string
  sha: string | null
  merge_commit_sha: string | null
  squash_commit_sha: string | null
  should_remove_source_branch: boolean | null
  force_remove_source_branch: boolean | null
  allow_collaboration?: boolean
  allow_maintainer_to_push?: boolean
  reference: string
  references: References
  squash: boolean
  approvals_before_merge?: number | null
  has_conflicts: boolean
  blocking_discussions_resolved: boolean
  subscribed: boolean
  changes_count: string | null
  latest_build_started_at?: string | null
  latest_build_finished_at?: string | null
  first_deployed_to_production_at?: null
  pipeline?: BasicPipeline | null
  head_pipeline?: Pipeline | null
  diff_refs: DiffRefs | null
  merge_error: string | null
  rebase_in_progress?: boolean
  diverged_commits_count?: number
  first_contribution?: boolean
  user: MergeAbility
  abilities?: MergeRequestAbilities
  change_version?: string
}

export interface MergeRequestAbilities {
  update: boolean
  change_details: boolean
  discuss: boolean
  write_internal_notes: boolean
  track_time: boolean
  remove: boolean
  resolve_threads: boolean
}

export interface MergeRequestApprovalRule {
  id: number
  name: string
  rule_type: 'regular' | 'any_approver' | 'code_owner'
  report_type: null
  eligible_approvers: BasicUser[]
  approvals_required: number
  users: BasicUser[]
  groups: ApprovalRuleGroup[]
  contains_hidden_groups: boolean
  section: string | null
  source_rule: ApprovalRuleSource | null
  overridden: boolean
}

export interface MergeRequestStatusCheck {
  id: number
  name: string
  external_url: string
  status: 'pending' | 'passed' | 'failed'
}

export interface MergeRequestVersion {
  id: number
  head_commit_sha: string
  base_commit_sha: string | null
  start_commit_sha: string
  created_at: string
  merge_request_id: number
  state: string
  real_size: string
  patch_id_sha: string | null
}

export interface Message {
  message: string
}

export interface MetricImage {
  id: number
  created_at: string
  filename: string
  file_path: string
  url: string | null
  url_text: string | null
}

export interface Milestone {
  id: number
  iid: number
  project_id?: number
  group_id?: number
  title: string
  description: string | null
  state: 'active' | 'closed'
  created_at: string
  updated_at: string
  due_date: string | null
  start_date: string | null
  expired: boolean
  web_url: string
}

export interface MilestoneEvent {
  id: number
  user: BasicUser | null
  created_at: string
  resource_type: string
  resource_id: number
  milestone: Milestone | null
  action: string
}

export interface Namespace {
  id: number
  name: string
  path: string
  kind: 'user' | 'group'
  full_path: string
  parent_id: number | null
  avatar_url: string | null
  web_url: string
  members_count_with_descendants?: number
  billable_members_count?: number
  plan?: string
  trial_ends_on?: string | null
  trial?: boolean
}

export interface NegatedFilter {
  labels?: string[]
  milestone?: string
  milestone_ids?: number[]
  author_id?: number
  author_username?: string
  assignee_id?: number
  assignee_username?: string[]
  iids?: number[]
  my_reaction_emoji?: string
}

export interface NewAccessToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
  token: string
  access_level: number
}

export interface NewApplication {
  id: number
  application_id: string
  application_name: string
  callback_url: string
  confidential: boolean
  secret: string
}

export interface NewClusterPlatformInput {
  api_url: string
  token: string
  ca_cert?: string | null
  namespace?: string | null
  authorization_type?: 'unknown_authorization' | 'rbac' | 'abac'
}

export interface NewDeployToken {
  id: number
  name: string
  username: string
  expires_at: string | null
  scopes: string[]
  revoked: boolean
  expired: boolean
  token: string
}

export interface NewImpersonationToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
  impersonation: boolean
  token: string
}

export interface NewOwnApplication {
  id: number
  application_id: string
  application_name: string
  callback_url: string
  confidential: boolean
  scopes: string[]
  created_at: string
  secret: string
}

export interface NewPersonalAccessToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
  token: string
}

export interface NewUpload {
  alt: string
  url: string
  full_path: string
  markdown: string
}

export interface Node {
  id: string
  name: string
  version: string
  state: 'running' | 'lost'
  started_at: string
  seen_at: string
  url: string | null
  storages: string[]
}

export interface Note {
  id: number
  type: string | null
  body: string
  note_html?: string
  attachment: null
  author: BasicUser
  created_at: string
  updated_at: string
  system: boolean
  noteable_id: number | null
  noteable_type: string
  project_id: number
  commit_id?: string | null
  position?: { [name: string]: unknown } | null
  resolvable: boolean
  resolved?: boolean
  resolved_by?: BasicUser | null
  resolved_at?: string | null
  confidential: boolean
  internal: boolean
  noteable_iid: number | null
  commands_changes: { [name: string]: unknown }
}

export interface NotificationSetting {
  level: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
  events?: { [name: string]: boolean }
}

export interface OwnAccess {
  access_level: number
  notification_level: number
}

export interface OwnApplication {
  id: number
  application_id: string
  application_name: string
  callback_url: string
  confidential: boolean
  scopes: string[]
  created_at: string
}

export interface OwnSshKey {
  id: number
  title: string
  created_at: string
  expires_at: string | null
  key: string
  usage_type: string
  last_used_at: string | null
}

export interface PagesDomain {
  domain: string
  url: string
  verified: boolean
  verification_code: string
  enabled_until: string | null
  auto_ssl_enabled: boolean
  certificate?: { subject: string; expired: boolean; certificate: string; certificate_text: string }
}

export interface PagesSite {
  url: string | null
  is_unique_domain_enabled: boolean
  force_https: boolean
  deployments: {
    created_at: string
    url: string | null
    path_prefix: string
    root_directory: string
  }[]
  primary_domain: null
}

export interface PersonalAccessToken {
  id: number
  name: string
  revoked: boolean
  created_at: string
  scopes: string[]
  user_id: number
  last_used_at: string | null
  active: boolean
  expires_at: string | null
}

export interface PgpSignature {
  signature_type: 'PGP'
  verification_status:
    | 'verified'
    | 'unverified'
    | 'same_user_different_email'
    | 'other_user'
    | 'unverified_key'
    | 'unknown_key'
    | 'multiple_signatures'
  commit_source: 'gitaly'
  gpg_key_id: number | null
  gpg_key_primary_keyid: string | null
  gpg_key_user_name: string | null
  gpg_key_user_email: string | null
  gpg_key_subkey_id: number | null
}

export interface Pipeline {
  id: number
  iid: number
  project_id: number
  sha: string
  ref: string
  status:
    | 'created'
    | 'waiting_for_resource'
    | 'preparing'
    | 'pending'
    | 'running'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'skipped'
    | 'manual'
    | 'scheduled'
  source: string
  created_at: string
  updated_at: string
  web_url: string
  name: string | null
  before_sha: string
  tag: boolean
  yaml_errors: string | null
  user: BasicUser | null
  started_at: string | null
  finished_at: string | null
  committed_at: string | null
  duration: number | null
  queued_duration: number | null
  coverage: string | null
  detailed_status: DetailedStatus
}

export interface PipelineAbilities {
  abilities?: { run_jobs: boolean; read_variables: boolean; remove_pipeline: boolean }
}

export interface PipelineDetails {
  user?: BasicUser | null
  duration?: number | null
  finished_at?: string | null
  commit_title?: string | null
  stages?: {
    name: string
    status:
      | 'created'
      | 'waiting_for_resource'
      | 'preparing'
      | 'pending'
      | 'running'
      | 'success'
      | 'failed'
      | 'canceled'
      | 'skipped'
      | 'manual'
      | 'scheduled'
  }[]
}

export interface PipelineLicense {
  name: string
  spdx_identifier: string | null
  url: string | null
  dependencies_count: number
  dependencies: string[]
  classification: { id: number | null; approval_status: 'allowed' | 'denied' | 'unclassified' }
}

export interface PipelineSchedule {
  id: number
  description: string
  ref: string
  cron: string
  cron_timezone: string
  next_run_at: string | null
  active: boolean
  created_at: string
  updated_at: string
  owner: BasicUser | null
}

export interface PipelineScheduleDetails {
  id: number
  description: string
  ref: string
  cron: string
  cron_timezone: string
  next_run_at: string | null
  active: boolean
  created_at: string
  updated_at: string
  owner: BasicUser | null
  last_pipeline: BasicPipeline | null
  variables?: PipelineScheduleVariable[]
}

export interface PipelineSchedulePreview {
  next_run_at: { utc: string; local: string }[]
}

export interface PipelineScheduleVariable {
  key: string
  variable_type: 'env_var' | 'file'
  value: string
  raw: boolean
}

export interface PlaceNotificationSetting {
  level: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
  events?: { [name: string]: boolean }
  kind: 'project' | 'group'
  id: number
  full_name: string
  full_path: string
}

export interface PositionInput {
  base_sha: string
  start_sha: string
  head_sha: string
  position_type: string
  new_path?: string
  new_line?: number
  old_path?: string
  old_line?: number
  width?: number
  height?: number
  x?: number
  y?: number
  line_range?: LineRangeInput
}

export interface Preferences {
  id: number
  user_id: number
  view_diffs_file_by_file: boolean
  show_whitespace_in_diffs: boolean
  language: 'system' | 'en' | 'de'
  theme: 'system' | 'light' | 'dark'
  density: 'roomy' | 'compact'
  tab_width: number
  single_keys: boolean
}

export interface Project {
  id: number
  description: string | null
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
  created_at: string
  default_branch: string | null
  tag_list: string[]
  topics: string[]
  ssh_url_to_repo: string
  http_url_to_repo: string
  web_url: string
  readme_url: string | null
  forks_count: number
  avatar_url: string | null
  star_count: number
  last_activity_at: string
  namespace: ProjectNamespace
  custom_attributes?: CustomAttribute[]
  container_registry_image_prefix: string
  _links: ProjectLinks
  packages_enabled: boolean
  empty_repo: boolean
  archived: boolean
  visibility: 'private' | 'internal' | 'public'
  owner?: ProjectOwner
  resolve_outdated_diff_discussions: boolean
  container_expiration_policy: ExpirationPolicy
  issues_enabled: boolean
  merge_requests_enabled: boolean
  wiki_enabled: boolean
  jobs_enabled: boolean
  snippets_enabled: boolean
  container_registry_enabled: boolean
  service_desk_enabled: boolean
  service_desk_address: null
  can_create_merge_request_in: boolean
  issues_access_level: 'disabled' | 'private' | 'enabled'
  repository_access_level: 'disabled' | 'private' | 'enabled'
  merge_requests_access_level: 'disabled' | 'private' | 'enabled'
  forking_access_level: 'disabled' | 'private' | 'enabled'
  wiki_access_level: 'disabled' | 'private' | 'enabled'
  builds_access_level: 'disabled' | 'private' | 'enabled'
  snippets_access_level: 'disabled' | 'private' | 'enabled'
  pages_access_level: 'disabled' | 'private' | 'enabled' | 'public'
  operations_access_level: 'disabled' | 'private' | 'enabled'
  analytics_access_level: 'disabled' | 'private' | 'enabled'
  container_registry_access_level: 'disabled' | 'private' | 'enabled'
  releases_access_level: 'disabled' | 'private' | 'enabled'
  environments_access_level: 'disabled' | 'private' | 'enabled'
  feature_flags_access_level: 'disabled' | 'private' | 'enabled'
  infrastructure_access_level: 'disabled' | 'private' | 'enabled'
  monitor_access_level: 'disabled' | 'private' | 'enabled'
  requirements_access_level: 'disabled' | 'private' | 'enabled'
  security_and_compliance_access_level: 'disabled' | 'private' | 'enabled'
  model_experiments_access_level: 'disabled' | 'private' | 'enabled'
  model_registry_access_level: 'disabled' | 'private' | 'enabled'
  package_registry_access_level: 'disabled' | 'private' | 'enabled' | 'public'
  emails_disabled: boolean | null
  shared_runners_enabled: boolean
  lfs_enabled: boolean
  creator_id: number | null
  import_status: 'none' | 'finished'
  import_error: null
  forked_from_project?: SimpleProject
  open_issues_count: number
  runners_token: string | null
  ci_default_git_depth: number
  ci_forward_deployment_enabled: boolean
  ci_job_token_scope_enabled: boolean
  public_jobs: boolean
  build_git_strategy?: 'fetch' | 'clone'
  build_timeout: number
  auto_cancel_pending_pipelines: 'enabled' | 'disabled'
  build_coverage_regex: string | null
  ci_config_path: string | null
  shared_with_groups: InvitedGroup[]
  only_allow_merge_if_pipeline_succeeds: boolean
  allow_merge_on_skipped_pipeline: boolean | null
  restrict_user_defined_variables: boolean
  request_access_enabled: boolean
  only_allow_merge_if_all_discussions_are_resolved: boolean
  remove_source_branch_after_merge: boolean
  printing_merge_request_link_enabled: boolean
  merge_method: 'merge' | 'rebase_merge' | 'ff'
  squash_option: 'never' | 'always' | 'default_on' | 'default_off'
  suggestion_commit_message: string | null
  merge_commit_template: string | null
  squash_commit_template: string | null
  statistics?: ProjectStatistics
  auto_devops_enabled: boolean
  auto_devops_deploy_strategy: 'continuous' | 'manual' | 'timed_incremental'
  autoclose_referenced_issues: boolean
  repository_storage?: string
  repository_size_limit?: number | null
  keep_latest_artifact: boolean
  marked_for_deletion_at: null
  marked_for_deletion_on: null
  mirror: boolean
  mirror_user_id: null
  mirror_trigger_builds: boolean
  only_mirror_protected_branches: boolean
  mirror_overwrites_diverged_branches: boolean
  external_authorization_classification_label: string | null
  approvals_before_merge?: number
  only_allow_merge_if_all_status_checks_passed?: boolean
  permissions?: ProjectPermissions
}

export interface ProjectAbilities {
  download_code: boolean
  push_code: boolean
  comment_on_commits: boolean
  change_project: boolean
  archive_project: boolean
  transfer_project: boolean
  remove_project: boolean
  manage_members: boolean
  request_access: boolean
  share_project: boolean
  protect_branches: boolean
  protect_tags: boolean
  read_deploy_keys: boolean
  manage_deploy_tokens: boolean
  manage_mirrors: boolean
  read_pipelines: boolean
  create_pipelines: boolean
  create_pipeline_schedules: boolean
  remove_pipelines: boolean
  change_branch_protections: boolean
  manage_triggers: boolean
  manage_variables: boolean
  manage_runners: boolean
  remove_artifacts: boolean
  read_environments: boolean
  change_environments: boolean
  create_issues: boolean
  read_merge_requests: boolean
  create_merge_requests: boolean
  write_labels: boolean
  write_milestones: boolean
  write_boards: boolean
  write_wiki: boolean
  write_badges: boolean
  write_releases: boolean
  add_uploads: boolean
  manage_webhooks: boolean
  manage_status_checks: boolean
  manage_approvals: boolean
  manage_clusters: boolean
  manage_pages: boolean
  read_vulnerabilities: boolean
  read_dependencies: boolean
  read_licenses: boolean
  write_licenses: boolean
  read_alerts: boolean
  read_alert_integrations: boolean
  write_alert_integrations: boolean
  read_audit_events: boolean
  clone_by_ssh: boolean
}

export interface ProjectApprovalRule {
  id: number
  name: string
  rule_type: 'regular' | 'any_approver' | 'code_owner'
  report_type: null
  eligible_approvers: BasicUser[]
  approvals_required: number
  users: BasicUser[]
  groups: ApprovalRuleGroup[]
  contains_hidden_groups: boolean
  protected_branches: ApprovalRuleBranch[]
  applies_to_all_protected_branches: boolean
}

export interface ProjectIdentity {
  id: number
  description: string | null
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
  created_at: string
}

export interface ProjectLinks {
  self: string
  issues?: string
  merge_requests?: string
  repo_branches: string
  labels: string
  events: string
  members: string
}

export interface ProjectNamespace {
  id: number
  name: string
  path: string
  kind: 'user' | 'group'
  full_path: string
  parent_id: number | null
  avatar_url: string | null
  web_url: string
}

export interface ProjectOwner {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  created_at: string | null
}

export interface ProjectPermissions {
  project_access: OwnAccess | null
  group_access: OwnAccess | null
}

export interface ProjectStatistics {
  commit_count: number
  storage_size: number
  repository_size: number
  wiki_size: number
  lfs_objects_size: number
  job_artifacts_size: number
  pipeline_artifacts_size: number
  packages_size: number
  snippets_size: number
  uploads_size: number
}

export interface ProjectStorageMove {
  id: number
  created_at: string
  state: string
  source_storage_name: string
  destination_storage_name: string
  percent: number | null
  problem: string | null
  project: ProjectIdentity
}

export interface ProjectWebhook {
  id: number
  url: string
  created_at: string
  enable_ssl_verification: boolean
  push_events: boolean
  tag_push_events: boolean
  merge_requests_events: boolean
  repository_update_events: boolean
  issues_events: boolean
  confidential_issues_events: boolean
  note_events: boolean
  confidential_note_events: boolean
  pipeline_events: boolean
  wiki_page_events: boolean
  deployment_events: boolean
  job_events: boolean
  releases_events: boolean
  project_id: number
  push_events_branch_filter: string | null
  name: string | null
  description: string | null
  alert_status: 'executable' | 'temporarily_disabled' | 'disabled'
  disabled_until: string | null
}

export interface ProjectWithAbilities {
  id: number
  description: string | null
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
  created_at: string
  default_branch: string | null
  tag_list: string[]
  topics: string[]
  ssh_url_to_repo: string
  http_url_to_repo: string
  web_url: string
  readme_url: string | null
  forks_count: number
  avatar_url: string | null
  star_count: number
  last_activity_at: string
  namespace: ProjectNamespace
  custom_attributes?: CustomAttribute[]
  container_registry_image_prefix: string
  _links: ProjectLinks
  packages_enabled: boolean
  empty_repo: boolean
  archived: boolean
  visibility: 'private' | 'internal' | 'public'
  owner?: ProjectOwner
  resolve_outdated_diff_discussions: boolean
  container_expiration_policy: ExpirationPolicy
  issues_enabled: boolean
  merge_requests_enabled: boolean
  wiki_enabled: boolean
  jobs_enabled: boolean
  snippets_enabled: boolean
  container_registry_enabled: boolean
  service_desk_enabled: boolean
  service_desk_address: null
  can_create_merge_request_in: boolean
  issues_access_level: 'disabled' | 'private' | 'enabled'
  repository_access_level: 'disabled' | 'private' | 'enabled'
  merge_requests_access_level: 'disabled' | 'private' | 'enabled'
  forking_access_level: 'disabled' | 'private' | 'enabled'
  wiki_access_level: 'disabled' | 'private' | 'enabled'
  builds_access_level: 'disabled' | 'private' | 'enabled'
  snippets_access_level: 'disabled' | 'private' | 'enabled'
  pages_access_level: 'disabled' | 'private' | 'enabled' | 'public'
  operations_access_level: 'disabled' | 'private' | 'enabled'
  analytics_access_level: 'disabled' | 'private' | 'enabled'
  container_registry_access_level: 'disabled' | 'private' | 'enabled'
  releases_access_level: 'disabled' | 'private' | 'enabled'
  environments_access_level: 'disabled' | 'private' | 'enabled'
  feature_flags_access_level: 'disabled' | 'private' | 'enabled'
  infrastructure_access_level: 'disabled' | 'private' | 'enabled'
  monitor_access_level: 'disabled' | 'private' | 'enabled'
  requirements_access_level: 'disabled' | 'private' | 'enabled'
  security_and_compliance_access_level: 'disabled' | 'private' | 'enabled'
  model_experiments_access_level: 'disabled' | 'private' | 'enabled'
  model_registry_access_level: 'disabled' | 'private' | 'enabled'
  package_registry_access_level: 'disabled' | 'private' | 'enabled' | 'public'
  emails_disabled: boolean | null
  shared_runners_enabled: boolean
  lfs_enabled: boolean
  creator_id: number | null
  import_status: 'none' | 'finished'
  import_error: null
  forked_from_project?: SimpleProject
  open_issues_count: number
  runners_token: string | null
  ci_default_git_depth: number
  ci_forward_deployment_enabled: boolean
  ci_job_token_scope_enabled: boolean
  public_jobs: boolean
  build_git_strategy?: 'fetch' | 'clone'
  build_timeout: number
  auto_cancel_pending_pipelines: 'enabled' | 'disabled'
  build_coverage_regex: string | null
  ci_config_path: string | null
  shared_with_groups: InvitedGroup[]
  only_allow_merge_if_pipeline_succeeds: boolean
  allow_merge_on_skipped_pipeline: boolean | null
  restrict_user_defined_variables: boolean
  request_access_enabled: boolean
  only_allow_merge_if_all_discussions_are_resolved: boolean
  remove_source_branch_after_merge: boolean
  printing_merge_request_link_enabled: boolean
  merge_method: 'merge' | 'rebase_merge' | 'ff'
  squash_option: 'never' | 'always' | 'default_on' | 'default_off'
  suggestion_commit_message: string | null
  merge_commit_template: string | null
  squash_commit_template: string | null
  statistics?: ProjectStatistics
  auto_devops_enabled: boolean
  auto_devops_deploy_strategy: 'continuous' | 'manual' | 'timed_incremental'
  autoclose_referenced_issues: boolean
  repository_storage?: string
  repository_size_limit?: number | null
  keep_latest_artifact: boolean
  marked_for_deletion_at: null
  marked_for_deletion_on: null
  mirror: boolean
  mirror_user_id: null
  mirror_trigger_builds: boolean
  only_mirror_protected_branches: boolean
  mirror_overwrites_diverged_branches: boolean
  external_authorization_classification_label: string | null
  approvals_before_merge?: number
  only_allow_merge_if_all_status_checks_passed?: boolean
  permissions?: ProjectPermissions
  description_html?: string
  abilities?: ProjectAbilities
  starred?: boolean
}

export interface ProtectedBranch {
  id: number
  name: string
  push_access_levels: ProtectedBranchEntry[]
  merge_access_levels: ProtectedBranchEntry[]
  unprotect_access_levels?: ProtectedBranchEntry[]
  allow_force_push: boolean
  code_owner_approval_required: boolean
  inherited?: boolean
}

export interface ProtectedBranchEntry {
  id: number
  access_level: number | null
  access_level_description: string
  user_id?: number | null
  group_id?: number | null
}

export interface ProtectedEnvironment {
  name: string
  deploy_access_levels: DeployAccessLevel[]
  required_approval_count: number
  approval_rules: ApprovalRule[]
}

export interface ProtectedTag {
  name: string
  create_access_levels: ProtectedTagEntry[]
}

export interface ProtectedTagEntry {
  id: number
  access_level: number | null
  access_level_description: string
  user_id?: number | null
  group_id?: number | null
}

export interface QuickHit {
  type: 'project' | 'group' | 'user' | 'issue' | 'merge_request'
  id: number
  iid: number | null
  project_id: number | null
  name: string
  path: string
  avatar_url: string | null
  web_url: string
}

export interface RecoveryCodes {
  recovery_codes: string[]
}

export interface Reference {
  name: string
  kind: 'issue' | 'merge_request' | 'project_member' | 'label' | 'milestone' | 'commit'
  url: string
  title: string
  text: string
}

export interface References {
  short: string
  relative: string
  full: string
}

export interface Registration {
  username: string
  state: 'active' | 'blocked_pending_approval'
  requires_confirmation: boolean
}

export interface RegistrationRules {
  enabled: boolean
  requires_approval: boolean
  requires_confirmation: boolean
  minimum_password_length: number
  awaits_first_sign_in: boolean
}

export interface Release {
  name: string
  tag_name?: string
  description: string | null
  description_html?: string
  created_at: string
  released_at: string
  author?: BasicUser
  commit?: Commit | null
  upcoming_release: boolean
  milestones?: {
    id: number
    iid: number
    project_id?: number
    group_id?: number
    title: string
    description: string | null
    state: 'active' | 'closed'
    created_at: string
    updated_at: string
    due_date: string | null
    start_date: string | null
    expired: boolean
    web_url: string
    issue_stats: { total: number; closed: number }
  }[]
  commit_path?: string
  tag_path?: string
  assets: { count: number; sources?: ReleaseSource[]; links: ReleaseLink[] }
  evidences?: unknown[]
  _links: { [name: string]: string }
}

export interface ReleaseLink {
  id: number
  name: string
  url: string
  direct_asset_url: string
  external: boolean
  link_type: string
}

export interface ReleaseSource {
  format: string
  url: string
}

export interface RemoteMirror {
  id: number
  enabled: boolean
  url: string
  update_status: string
  last_update_at: string | null
  last_update_started_at: string | null
  last_successful_update_at: string | null
  last_error: string | null
  only_protected_branches: boolean
  keep_divergent_refs: boolean
  auth_method: string
  host_keys: unknown[]
}

export interface RenderedBadge {
  name: string | null
  link_url: string
  image_url: string
  rendered_link_url: string
  rendered_image_url: string
}

export interface RenderedFile {
  blob_id: string
  html: string
  format: string
  headings: Heading[]
}

export interface RenderedHelpPage {
  path: string
  title: string
  html: string
}

export interface RenderedMilestone {
  id: number
  iid: number
  project_id?: number
  group_id?: number
  title: string
  description: string | null
  state: 'active' | 'closed'
  created_at: string
  updated_at: string
  due_date: string | null
  start_date: string | null
  expired: boolean
  web_url: string
  description_html?: string
}

export interface RepositoryFile {
  file_name: string
  file_path: string
  size: number
  encoding: 'base64'
  content_sha256: string
  ref: string
  blob_id: string
  commit_id: string
  last_commit_id: string
  execute_filemode: boolean
  content: string
}

export interface ResentDelivery {
  response_status: number
}

export interface ResetRunnerToken {
  token: string
  token_expires_at: string | null
}

export interface ResolvedAddress {
  kind: 'project' | 'group' | 'user'
  id: number
  canonical_path: string
  section: string | null
  rest: string | null
  ref: string | null
  ref_type: 'branch' | 'tag' | 'commit' | null
  commit: string | null
  path: string | null
  entry_type: 'tree' | 'blob' | 'commit' | null
  from: string | null
  from_commit: string | null
  project?: ProjectWithAbilities
  group?: GroupWithAbilities
}

export interface ResourceGroup {
  id: number
  key: string
  process_mode: 'unordered' | 'oldest_first' | 'newest_first' | 'newest_ready_first'
  created_at: string
  updated_at: string
}

export interface Reviewer {
  user: BasicUser
  state:
    | 'unreviewed'
    | 'review_started'
    | 'reviewed'
    | 'requested_changes'
    | 'approved'
    | 'unapproved'
  created_at: string
}

export interface RunnerDetail {
  id: number
  description: string | null
  ip_address: string | null
  active: boolean
  paused: boolean
  is_shared: boolean
  runner_type: 'instance_type' | 'group_type' | 'project_type'
  name: string | null
  online: boolean | null
  status: 'online' | 'offline' | 'stale' | 'never_contacted'
  tag_list: string[]
  run_untagged: boolean
  locked: boolean
  maximum_timeout: number | null
  access_level: 'not_protected' | 'ref_protected'
  maintenance_note: string | null
  version: string | null
  revision: string | null
  platform: string | null
  architecture: string | null
  contacted_at: string | null
  projects: RunnerProject[]
  groups: { id: number; name: string; web_url: string }[]
}

export interface RunnerProject {
  id: number
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
}

export interface RunnerRegistration {
  token: string
  token_expires_at: string | null
}

export interface RunnerToken {
  id: number
  token: string
  token_expires_at: string | null
}

export interface ScanningJob {
  id: number
  name: string
}

export interface SecureFile {
  id: number
  name: string
  checksum: string
  checksum_algorithm: 'sha256'
  created_at: string
  expires_at: string | null
  metadata: CertificateMetadata | null
}

export interface SecurityScan {
  id: number
  report_type:
    | 'sast'
    | 'secret_detection'
    | 'dependency_scanning'
    | 'container_scanning'
    | 'cluster_image_scanning'
    | 'dast'
    | 'coverage_fuzzing'
    | 'api_fuzzing'
  status: 'succeeded' | 'report_error'
  scan_status: 'success' | 'failure' | null
  scanner: { external_id: string; name: string | null } | null
  findings_count: number
  error: string | null
  job: ScanningJob
  created_at: string
}

export interface Session {
  id: number
  current: boolean
  impersonated: boolean
  ip_address: string
  user_agent: string
  created_at: string
  last_used_at: string
  expires_at: string
}

export interface Settings {
  id: number
  admin_mode: boolean
  admin_notification_email: string | null
  abuse_notification_email: string | null
  after_sign_out_path: string | null
  after_sign_up_text: string | null
  akismet_api_key: string | null
  akismet_enabled: boolean
  allow_group_owners_to_manage_ldap: boolean
  allow_jobs_without_isolation: boolean
  allow_local_requests_from_hooks_and_services: boolean
  allow_local_requests_from_system_hooks: boolean
  allow_local_requests_from_web_hooks_and_services: boolean
  archive_builds_in_human_readable: string | null
  asset_proxy_enabled: boolean
  asset_proxy_url: string | null
  asset_proxy_whitelist: string[]
  asset_proxy_allowlist: string[]
  authorized_keys_enabled: boolean
  auto_devops_domain: string | null
  auto_devops_enabled: boolean
  automatic_purchased_storage_allocation: boolean
  check_namespace_plan: boolean
  commit_email_hostname: string | null
  container_expiration_policies_enable_historic_entries: boolean
  container_registry_cleanup_tags_service_max_list_size: number
  container_registry_delete_tags_service_timeout: number
  container_registry_expiration_policies_caching: boolean
  container_registry_expiration_policies_worker_capacity: number
  container_registry_token_expire_delay: number
  deactivate_dormant_users: boolean
  default_artifacts_expire_in: string | null
  default_branch_name: string | null
  default_branch_protection: number
  default_ci_config_path: string | null
  default_group_visibility: 'private' | 'internal' | 'public'
  default_project_creation: number
  default_project_visibility: 'private' | 'internal' | 'public'
  default_projects_limit: number
  default_snippet_visibility: 'private' | 'internal' | 'public'
  delayed_project_deletion: boolean
  delayed_group_deletion: boolean
  delete_inactive_projects: boolean
  deletion_adjourned_period: number
  diff_max_files: number
  diff_max_lines: number
  diff_max_patch_bytes: number
  disable_feed_token: boolean
  disabled_oauth_sign_in_sources: string[]
  dns_rebinding_protection_enabled: boolean
  domain_allowlist: string[]
  domain_denylist: string[]
  domain_denylist_enabled: boolean
  dsa_key_restriction: number
  ecdsa_key_restriction: number
  ecdsa_sk_key_restriction: number
  ed25519_key_restriction: number
  ed25519_sk_key_restriction: number
  eks_access_key_id: string | null
  eks_account_id: string | null
  eks_integration_enabled: boolean
  eks_secret_access_key: string | null
  elasticsearch_aws: boolean
  elasticsearch_indexing: boolean
  elasticsearch_search: boolean
  elasticsearch_url: string[]
  email_additional_text: string | null
  email_author_in_body: boolean
  email_restrictions: string | null
  email_restrictions_enabled: boolean
  enabled_git_access_protocol: string | null
  enforce_namespace_storage_limit: boolean
  enforce_terms: boolean
  external_auth_client_cert: string | null
  external_authorization_service_default_label: string | null
  external_authorization_service_enabled: boolean
  external_authorization_service_timeout: number | null
  external_authorization_service_url: string | null
  external_pipeline_validation_service_timeout: number | null
  external_pipeline_validation_service_token: string | null
  external_pipeline_validation_service_url: string | null
  file_template_project_id: number | null
  first_day_of_week: number
  floc_enabled: boolean
  geo_node_allowed_ips: string | null
  geo_status_timeout: number
  git_rate_limit_users_allowlist: string[]
  git_two_factor_session_expiry: number
  gitaly_timeout_default: number
  gitaly_timeout_fast: number
  gitaly_timeout_medium: number
  grafana_enabled: boolean
  grafana_url: string | null
  gravatar_enabled: boolean
  group_download_export_limit: number
  group_export_limit: number
  group_import_limit: number
  group_owners_can_manage_default_branch_protection: boolean
  group_runner_token_expiration_interval: number | null
  hashed_storage_enabled: boolean
  health_check_access_token: string | null
  help_page_documentation_base_url: string | null
  help_page_hide_commercial_content: boolean
  help_page_support_url: string | null
  help_page_text: string | null
  help_text: string | null
  hide_third_party_offers: boolean
  home_page_url: string | null
  housekeeping_bitmaps_enabled: boolean
  housekeeping_enabled: boolean
  housekeeping_full_repack_period: number
  housekeeping_gc_period: number
  housekeeping_incremental_repack_period: number
  html_emails_enabled: boolean
  import_sources: string[]
  inactive_projects_delete_after_months: number
  inactive_projects_min_size_mb: number
  inactive_projects_send_warning_email_after_months: number
  in_product_marketing_emails_enabled: boolean
  invisible_captcha_enabled: boolean
  issues_create_limit: number
  jira_connect_application_key: string | null
  keep_latest_artifact: boolean
  kroki_enabled: boolean
  kroki_url: string | null
  local_markdown_version: number
  mailgun_events_enabled: boolean
  mailgun_signing_key: string | null
  maintenance_mode: boolean
  maintenance_mode_message: string | null
  max_artifacts_size: number
  max_attachment_size: number
  max_export_size: number
  max_import_size: number
  max_number_of_repository_downloads: number
  max_number_of_repository_downloads_within_time_period: number
  max_pages_size: number
  max_personal_access_token_lifetime: number | null
  max_ssh_key_lifetime: number | null
  max_yaml_depth: number
  max_yaml_size_bytes: number
  metrics_method_call_threshold: number
  minimum_password_length: number
  mirror_available: boolean
  mirror_capacity_threshold: number
  mirror_max_capacity: number
  mirror_max_delay: number
  notes_create_limit: number
  notes_create_limit_allowlist: string[]
  notify_on_unknown_sign_in: boolean
  npm_package_requests_forwarding: boolean
  outbound_local_requests_whitelist: string[]
  outbound_local_requests_allowlist_raw: string | null
  package_registry_cleanup_policies_worker_capacity: number
  pages_domain_verification_enabled: boolean
  password_authentication_enabled_for_git: boolean
  password_authentication_enabled_for_web: boolean
  password_lowercase_required: boolean
  password_number_required: boolean
  password_symbol_required: boolean
  password_uppercase_required: boolean
  performance_bar_allowed_group_path: string | null
  personal_access_token_prefix: string | null
  pipeline_limit_per_project_user_sha: number
  plantuml_enabled: boolean
  plantuml_url: string | null
  polling_interval_multiplier: string | null
  project_download_export_limit: number
  project_export_enabled: boolean
  project_export_limit: number
  project_import_limit: number
  project_runner_token_expiration_interval: number | null
  prometheus_metrics_enabled: boolean
  protected_ci_variables: boolean
  push_event_activities_limit: number
  push_event_hooks_limit: number
  pypi_package_requests_forwarding: boolean
  rate_limiting_response_text: string | null
  raw_blob_request_limit: number
  recaptcha_enabled: boolean
  recaptcha_private_key: string | null
  recaptcha_site_key: string | null
  receive_max_input_size: number | null
  repository_checks_enabled: boolean
  repository_size_limit: number
  repository_storages: string[]
  repository_storages_weighted: { [name: string]: number }
  require_admin_approval_after_user_signup: boolean
  require_two_factor_authentication: boolean
  restricted_visibility_levels: ('private' | 'internal' | 'public')[]
  rsa_key_restriction: number
  runner_token_expiration_interval: number | null
  search_rate_limit: number
  search_rate_limit_unauthenticated: number
  send_user_confirmation_email: boolean
  session_expire_delay: number
  shared_runners_enabled: boolean
  shared_runners_minutes: number
  shared_runners_text: string | null
  sidekiq_job_limiter_compression_threshold_bytes: number
  sidekiq_job_limiter_limit_bytes: number
  sidekiq_job_limiter_mode: string | null
  sign_in_text: string | null
  signup_enabled: boolean
  slack_app_enabled: boolean
  slack_app_id: string | null
  slack_app_secret: string | null
  slack_app_signing_secret: string | null
  slack_app_verification_token: string | null
  snippet_size_limit: number
  snowplow_app_id: string | null
  snowplow_collector_hostname: string | null
  snowplow_cookie_domain: string | null
  snowplow_enabled: boolean
  sourcegraph_enabled: boolean
  sourcegraph_public_only: boolean
  sourcegraph_url: string | null
  spam_check_api_key: string | null
  spam_check_endpoint_enabled: boolean
  spam_check_endpoint_url: string | null
  static_objects_external_storage_auth_token: string | null
  static_objects_external_storage_url: string | null
  suggest_pipeline_enabled: boolean
  terminal_max_session_time: number
  terms: string | null
  throttle_authenticated_api_enabled: boolean
  throttle_authenticated_api_period_in_seconds: number
  throttle_authenticated_api_requests_per_period: number
  throttle_authenticated_deprecated_api_enabled: boolean
  throttle_authenticated_deprecated_api_period_in_seconds: number
  throttle_authenticated_deprecated_api_requests_per_period: number
  throttle_authenticated_files_api_enabled: boolean
  throttle_authenticated_files_api_period_in_seconds: number
  throttle_authenticated_files_api_requests_per_period: number
  throttle_authenticated_git_lfs_enabled: boolean
  throttle_authenticated_git_lfs_period_in_seconds: number
  throttle_authenticated_git_lfs_requests_per_period: number
  throttle_authenticated_packages_api_enabled: boolean
  throttle_authenticated_packages_api_period_in_seconds: number
  throttle_authenticated_packages_api_requests_per_period: number
  throttle_authenticated_web_enabled: boolean
  throttle_authenticated_web_period_in_seconds: number
  throttle_authenticated_web_requests_per_period: number
  throttle_incident_management_notification_enabled: boolean
  throttle_incident_management_notification_period_in_seconds: number
  throttle_incident_management_notification_requests_per_period: number
  throttle_protected_paths_enabled: boolean
  throttle_protected_paths_period_in_seconds: number
  throttle_protected_paths_requests_per_period: number
  throttle_unauthenticated_api_enabled: boolean
  throttle_unauthenticated_api_period_in_seconds: number
  throttle_unauthenticated_api_requests_per_period: number
  throttle_unauthenticated_deprecated_api_enabled: boolean
  throttle_unauthenticated_deprecated_api_period_in_seconds: number
  throttle_unauthenticated_deprecated_api_requests_per_period: number
  throttle_unauthenticated_enabled: boolean
  throttle_unauthenticated_files_api_enabled: boolean
  throttle_unauthenticated_files_api_period_in_seconds: number
  throttle_unauthenticated_files_api_requests_per_period: number
  throttle_unauthenticated_packages_api_enabled: boolean
  throttle_unauthenticated_packages_api_period_in_seconds: number
  throttle_unauthenticated_packages_api_requests_per_period: number
  throttle_unauthenticated_period_in_seconds: number
  throttle_unauthenticated_requests_per_period: number
  throttle_unauthenticated_web_enabled: boolean
  throttle_unauthenticated_web_period_in_seconds: number
  throttle_unauthenticated_web_requests_per_period: number
  time_tracking_limit_to_hours: boolean
  two_factor_grace_period: number
  unique_ips_limit_enabled: boolean
  unique_ips_limit_per_user: number
  unique_ips_limit_time_window: number
  usage_ping_enabled: boolean
  user_deactivation_emails_enabled: boolean
  user_default_external: boolean
  user_default_internal_regex: string | null
  user_oauth_applications: boolean
  user_show_add_ssh_key_message: boolean
  users_get_by_id_limit: number
  users_get_by_id_limit_allowlist: string[]
  version_check_enabled: boolean
  web_ide_clientside_preview_enabled: boolean
  whats_new_variant: string | null
  wiki_page_max_content_bytes: number
}

export interface SignIn {
  csrf_token: string
  password_expired: boolean
  tier: 'free' | 'premium' | 'ultimate'
  preferences: Preferences
  impersonator: BasicUser | null
}

export interface SimpleMergeRequest {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: string
  created_at: string
  updated_at: string
  web_url: string
}

export interface SimpleProject {
  id: number
  description: string | null
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
  created_at: string
  default_branch: string | null
  tag_list: string[]
  topics: string[]
  ssh_url_to_repo: string
  http_url_to_repo: string
  web_url: string
  readme_url: string | null
  forks_count: number
  avatar_url: string | null
  star_count: number
  last_activity_at: string
  namespace: ProjectNamespace
  custom_attributes?: CustomAttribute[]
}

export interface SimpleRelease {
  name: string
  tag_name: string
  description: string | null
  created_at: string
  released_at: string
  upcoming_release: boolean
}

export interface SshKey {
  id: number
  title: string
  created_at: string
  expires_at: string | null
  key: string
  usage_type: string
}

export interface SshSignature {
  signature_type: 'SSH'
  verification_status:
    | 'verified'
    | 'unverified'
    | 'same_user_different_email'
    | 'other_user'
    | 'unverified_key'
    | 'unknown_key'
    | 'multiple_signatures'
  commit_source: 'gitaly'
  key: SshKey | null
}

export interface StateEvent {
  id: number
  user: BasicUser | null
  created_at: string
  resource_type: string
  resource_id: number
  state: string
}

export interface StatusCheckBranch {
  id: number
  project_id: number
  name: string
  created_at: string
  updated_at: string
  code_owner_approval_required: boolean
}

export interface StatusCheckResponse {
  id: number
  merge_request: BasicMergeRequest
  external_status_check: ExternalStatusCheck
}

export interface SystemWebhook {
  id: number
  url: string
  created_at: string
  enable_ssl_verification: boolean
  push_events: boolean
  tag_push_events: boolean
  merge_requests_events: boolean
  repository_update_events: boolean
}

export interface Tag {
  name: string
  message: string
  target: string
  commit: Commit | null
  release: { tag_name: string; description: string | null } | null
  protected: boolean
  created_at: string | null
}

export interface TaskCompletion {
  count: number
  completed_count: number
}

export interface TaskCounts {
  processed: number
  failed: number
  enqueued: number
  dead: number
}

export interface TaskLane {
  lane:
    | 'upkeep'
    | 'removal'
    | 'expiry'
    | 'mail'
    | 'notifications'
    | 'events'
    | 'delivery'
    | 'reports'
    | 'hooks'
    | 'mirrors'
    | 'domains'
    | 'moves'
    | 'exports'
    | 'backups'
  waiting: number
  waiting_seconds: number
  running: number
  failed: number
}

export interface TaskProcess {
  hostname: string
  pid: number
  tag: string
  started_at: string
  queues: string[]
  labels: string[]
  concurrency: number
  busy: number
}

export interface TaskQueue {
  backlog: number
  latency: number
}

export interface Template {
  name: string
  content: string
}

export interface TestCase {
  status: string
  name: string
  classname: string
  file: string | null
  execution_time: number
  system_output: string | null
  stack_trace: string | null
}

export interface TestReport {
  total_time: number
  total_count: number
  success_count: number
  failed_count: number
  skipped_count: number
  error_count: number
  test_suites: {
    name: string
    total_time: number
    total_count: number
    success_count: number
    failed_count: number
    skipped_count: number
    error_count: number
    suite_error: string | null
    test_cases: TestCase[]
  }[]
}

export interface TestReportSummary {
  total: {
    time: number
    count: number
    success: number
    failed: number
    skipped: number
    error: number
    suite_error: string | null
  }
  test_suites: {
    name: string
    total_time: number
    total_count: number
    success_count: number
    failed_count: number
    skipped_count: number
    error_count: number
    build_ids: number[]
    suite_error: string | null
  }[]
}

export interface TimeStats {
  time_estimate: number
  total_time_spent: number
  human_time_estimate: string | null
  human_total_time_spent: string | null
}

export interface Todo {
  id: number
  project: ProjectIdentity
  author: BasicUser
  action_name: string
  target_type: string
  target: Issue | BasicMergeRequest | null
  target_url: string
  body: string
  state: 'pending' | 'done'
  created_at: string
  updated_at: string
}

export interface Topic {
  id: number
  name: string
  title: string
  description: string | null
  total_projects_count: number
  avatar_url: string | null
}

export interface TreeEntry {
  id: string
  name: string
  type: 'tree' | 'blob' | 'commit'
  path: string
  mode: string
  last_commit?: { id: string; title: string; author_name: string; committed_date: string } | null
}

export interface Trigger {
  id: number
  token: string
  description: string
  created_at: string
  updated_at: string
  last_used: string | null
  owner: BasicUser | null
}

export interface Upload {
  id: number
  size: number
  filename: string
  created_at: string
  uploaded_by: { id: number; name: string; username: string } | null
}

export interface User {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'
  avatar_url: string | null
  web_url: string
  created_at?: string
  bio: string
  location: string | null
  public_email: string
  skype: string
  linkedin: string
  twitter: string
  website_url: string
  organization: string | null
  job_title: string
  pronouns: string | null
  bot: boolean
  work_information: string | null
  followers?: number
  following?: number
}

export interface UserAbilities {
  administrate_users: boolean
  administrate_settings: boolean
  administrate_runners: boolean
  administrate_applications: boolean
  administrate_webhooks: boolean
  administrate_tasks: boolean
  administrate_clusters: boolean
  write_broadcast_messages: boolean
  write_topics: boolean
  move_storage: boolean
  export_vulnerabilities: boolean
  read_audit_events: boolean
}

export interface UserStatus {
  emoji: string | null
  availability: string | null
  message: string | null
  message_html: string
  clear_status_at: string | null
}

export interface Variable {
  variable_type: 'env_var' | 'file'
  key: string
  value: string | null
  protected: boolean
  masked: boolean
  hidden?: boolean
  raw: boolean
  environment_scope?: string
  description: string | null
}

export interface VariableFilter {
  environment_scope?: string
}

export interface ViewedFile {
  path: string
  head_sha: string
  viewed_at: string
}

export interface Vulnerability {
  id: number
  title: string
  description: string | null
  state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  severity: 'info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical'
  confidence: 'ignore' | 'unknown' | 'experimental' | 'low' | 'medium' | 'high' | 'confirmed'
  report_type:
    | 'sast'
    | 'secret_detection'
    | 'dependency_scanning'
    | 'container_scanning'
    | 'cluster_image_scanning'
    | 'dast'
    | 'coverage_fuzzing'
    | 'api_fuzzing'
  project: VulnerabilityProject
  finding: {
    uuid: string
    name: string
    message: string | null
    solution: string | null
    scanner: { external_id: string; name: string }
    location: { [name: string]: unknown }
    location_fingerprint: string
    identifiers: { external_type: string; external_id: string; name: string; url: string | null }[]
    links: unknown[]
    details: unknown
  }
  author_id: number | null
  created_at: string
  updated_at: string
  confirmed_at: string | null
  confirmed_by_id: number | null
  dismissed_at: string | null
  dismissed_by_id: number | null
  dismissal_reason: string | null
  dismissal_comment: string | null
  resolved_at: string | null
  resolved_by_id: number | null
  resolved_on_default_branch: boolean
  project_default_branch: string | null
}

export interface VulnerabilityCounts {
  info: number
  unknown: number
  low: number
  medium: number
  high: number
  critical: number
}

export interface VulnerabilityExport {
  id: number
  created_at: string
  project_id: number | null
  group_id: number | null
  format: 'csv'
  status: 'created' | 'running' | 'finished' | 'failed'
  percent: number | null
  started_at: string | null
  finished_at: string | null
  _links: { self: string; download: string }
}

export interface VulnerabilityIssue {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: 'opened' | 'closed' | 'locked' | 'merged'
  created_at: string
  updated_at: string
  closed_at: string | null
  closed_by: BasicUser | null
  labels: (string | BasicLabel)[]
  milestone: Milestone | null
  assignees: BasicUser[]
  author: BasicUser
  assignee: BasicUser | null
  user_notes_count: number
  upvotes: number
  downvotes: number
  discussion_locked: boolean | null
  web_url: string
  time_stats: TimeStats
  task_completion_status: TaskCompletion
  type: string
  merge_requests_count: number
  due_date: string | null
  confidential: boolean
  issue_type: string
  weight?: number | null
  has_tasks: boolean
  task_status?: string
  _links: IssueLinks
  references: References
  severity: string
  subscribed?: boolean
  moved_to_id: number | null
  service_desk_reply_to: null
  vulnerability_link_id: number
  vulnerability_link_type: 'related' | 'created'
}

export interface VulnerabilityIssueLink {
  id: number
  link_type: 'related' | 'created'
  vulnerability: Vulnerability
  issue: Issue
}

export interface VulnerabilityProject {
  id: number
  description: string | null
  name: string
  name_with_namespace: string
  path: string
  path_with_namespace: string
  created_at: string
  full_path: string
  full_name: string
}

export interface VulnerabilityStateTransition {
  id: number
  from_state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  to_state: 'detected' | 'confirmed' | 'dismissed' | 'resolved'
  author: BasicUser | null
  dismissal_reason: string | null
  comment: string | null
  created_at: string
}

export interface WebhookDelivery {
  id: number
  url: string
  trigger: string
  request_headers: { [name: string]: string }
  request_data: unknown | null
  response_headers: { [name: string]: string }
  response_body: string
  execution_duration: number
  response_status: string
}

export interface WeightEvent {
  id: number
  user: BasicUser | null
  created_at: string
  issue_id: number
  weight: number | null
}

export interface WikiAttachment {
  file_name: string
  file_path: string
  branch: string
  link: { url: string; markdown: string }
}

export interface WikiPage {
  content: string
  encoding: string
  format: string
  slug: string
  title: string
}

export interface WikiPageVersion {
  id: string
  short_id: string
  title: string
  message: string
  author_name: string
  author_email: string
  authored_date: string
  committed_date: string
}

export interface X509Certificate {
  id: number | null
  subject: string
  subject_key_identifier: string | null
  email: string | null
  serial_number: number
  certificate_status: 'good'
  x509_issuer: {
    id: number | null
    subject: string
    subject_key_identifier: string | null
    crl_url: string | null
  }
}

export interface X509Signature {
  signature_type: 'X509'
  verification_status:
    | 'verified'
    | 'unverified'
    | 'same_user_different_email'
    | 'other_user'
    | 'unverified_key'
    | 'unknown_key'
    | 'multiple_signatures'
  commit_source: 'gitaly'
  x509_certificate: X509Certificate | null
}

/** By the route: what it takes (of path, query and body, in one bag), and the body of its success. */

export interface Operations {
  /** List the audit events of the instance, the newest first. */
  'GET /audit_events': {
    input: {
      entity_type?: 'Project' | 'User' | 'Group' | 'Gitlab::Audit::InstanceScope'
      entity_id?: number
      author_id?: number
      created_after?: string
      created_before?: string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      order_by?: 'id' | 'created_at'
      sort?: 'asc' | 'desc'
      id_before?: number
    }
    answer: AuditEvent[]
  }
  /** Download the audit events of the instance as CSV, the newest first, 100,000 at most. */
  'GET /audit_events/export': {
    input: {
      entity_type?: 'Project' | 'User' | 'Group' | 'Gitlab::Audit::InstanceScope'
      entity_id?: number
      author_id?: number
      created_after?: string
      created_before?: string
    }
    answer: string
  }
  /** Get an audit event of the instance. */
  'GET /audit_events/:audit_event_id': { input: { audit_event_id: number }; answer: AuditEvent }
  /** List the audit events of a group, the newest first. */
  'GET /groups/:id/audit_events': {
    input: {
      id: number | string
      author_id?: number
      created_after?: string
      created_before?: string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      order_by?: 'id' | 'created_at'
      sort?: 'asc' | 'desc'
      id_before?: number
    }
    answer: AuditEvent[]
  }
  /** Download the audit events of a group as CSV, the newest first, 100,000 at most. */
  'GET /groups/:id/audit_events/export': {
    input: {
      id: number | string
      author_id?: number
      created_after?: string
      created_before?: string
    }
    answer: string
  }
  /** Get an audit event of a group. */
  'GET /groups/:id/audit_events/:audit_event_id': {
    input: { id: number | string; audit_event_id: number }
    answer: AuditEvent
  }
  /** List the audit events of a project, the newest first. */
  'GET /projects/:id/audit_events': {
    input: {
      id: number | string
      author_id?: number
      created_after?: string
      created_before?: string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      order_by?: 'id' | 'created_at'
      sort?: 'asc' | 'desc'
      id_before?: number
    }
    answer: AuditEvent[]
  }
  /** Download the audit events of a project as CSV, the newest first, 100,000 at most. */
  'GET /projects/:id/audit_events/export': {
    input: {
      id: number | string
      author_id?: number
      created_after?: string
      created_before?: string
    }
    answer: string
  }
  /** Get an audit event of a project. */
  'GET /projects/:id/audit_events/:audit_event_id': {
    input: { id: number | string; audit_event_id: number }
    answer: AuditEvent
  }
  /** Get the avatar of a project. */
  'GET /projects/:id/avatar': { input: { id: number | string }; answer: unknown }
  /** Get the avatar of a group. */
  'GET /groups/:id/avatar': { input: { id: number | string }; answer: unknown }
  /** List the custom attributes of a user. */
  'GET /users/:id/custom_attributes': { input: { id: number | string }; answer: CustomAttribute[] }
  /** Get a custom attribute of a user. */
  'GET /users/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: CustomAttribute
  }
  /** Set a custom attribute of a user. */
  'PUT /users/:id/custom_attributes/:key': {
    input: { id: number | string; key: string; value: string }
    answer: CustomAttribute
  }
  /** Delete a custom attribute of a user. */
  'DELETE /users/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: void
  }
  /** List the custom attributes of a project. */
  'GET /projects/:id/custom_attributes': {
    input: { id: number | string }
    answer: CustomAttribute[]
  }
  /** Get a custom attribute of a project. */
  'GET /projects/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: CustomAttribute
  }
  /** Set a custom attribute of a project. */
  'PUT /projects/:id/custom_attributes/:key': {
    input: { id: number | string; key: string; value: string }
    answer: CustomAttribute
  }
  /** Delete a custom attribute of a project. */
  'DELETE /projects/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: void
  }
  /** List the custom attributes of a group. */
  'GET /groups/:id/custom_attributes': { input: { id: number | string }; answer: CustomAttribute[] }
  /** Get a custom attribute of a group. */
  'GET /groups/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: CustomAttribute
  }
  /** Set a custom attribute of a group. */
  'PUT /groups/:id/custom_attributes/:key': {
    input: { id: number | string; key: string; value: string }
    answer: CustomAttribute
  }
  /** Delete a custom attribute of a group. */
  'DELETE /groups/:id/custom_attributes/:key': {
    input: { id: number | string; key: string }
    answer: void
  }
  /** List your namespaces. */
  'GET /namespaces': {
    input: {
      page?: number
      per_page?: number
      search?: string
      owned_only?: boolean
      top_level_only?: boolean
    }
    answer: Namespace[]
  }
  /** Get a namespace by id or full path. */
  'GET /namespaces/:id': { input: { id: number | string }; answer: Namespace }
  /** Check whether a namespace path is taken. */
  'GET /namespaces/:path/exists': {
    input: { path: string; parent_id?: number }
    answer: { exists: boolean; suggests: string[] }
  }
  /** List and search the documentation. */
  'GET /help/pages': { input: { search?: string }; answer: HelpPage[] }
  /** Get a page of the documentation as HTML. */
  'GET /help/page': { input: { path: string }; answer: RenderedHelpPage }
  /** Get the settings of the instance. */
  'GET /application/settings': { input: Record<string, never>; answer: Settings }
  /** Change settings of the instance. */
  'PUT /application/settings': {
    input: {
      admin_mode?: boolean
      admin_notification_email?: string | null
      abuse_notification_email?: string | null
      after_sign_out_path?: string | null
      after_sign_up_text?: string | null
      akismet_api_key?: string | null
      akismet_enabled?: boolean
      allow_group_owners_to_manage_ldap?: boolean
      allow_jobs_without_isolation?: boolean
      allow_local_requests_from_hooks_and_services?: boolean
      allow_local_requests_from_system_hooks?: boolean
      allow_local_requests_from_web_hooks_and_services?: boolean
      archive_builds_in_human_readable?: string | null
      asset_proxy_enabled?: boolean
      asset_proxy_url?: string | null
      asset_proxy_whitelist?: string[]
      asset_proxy_allowlist?: string[]
      authorized_keys_enabled?: boolean
      auto_devops_domain?: string | null
      auto_devops_enabled?: boolean
      automatic_purchased_storage_allocation?: boolean
      check_namespace_plan?: boolean
      commit_email_hostname?: string | null
      container_expiration_policies_enable_historic_entries?: boolean
      container_registry_cleanup_tags_service_max_list_size?: number
      container_registry_delete_tags_service_timeout?: number
      container_registry_expiration_policies_caching?: boolean
      container_registry_expiration_policies_worker_capacity?: number
      container_registry_token_expire_delay?: number
      deactivate_dormant_users?: boolean
      default_artifacts_expire_in?: string | null
      default_branch_name?: string | null
      default_branch_protection?: number
      default_ci_config_path?: string | null
      default_group_visibility?: 'private' | 'internal' | 'public'
      default_project_creation?: number
      default_project_visibility?: 'private' | 'internal' | 'public'
      default_projects_limit?: number
      default_snippet_visibility?: 'private' | 'internal' | 'public'
      delayed_project_deletion?: boolean
      delayed_group_deletion?: boolean
      delete_inactive_projects?: boolean
      deletion_adjourned_period?: number
      diff_max_files?: number
      diff_max_lines?: number
      diff_max_patch_bytes?: number
      disable_feed_token?: boolean
      disabled_oauth_sign_in_sources?: string[]
      dns_rebinding_protection_enabled?: boolean
      domain_allowlist?: string[]
      domain_denylist?: string[]
      domain_denylist_enabled?: boolean
      dsa_key_restriction?: number
      ecdsa_key_restriction?: number
      ecdsa_sk_key_restriction?: number
      ed25519_key_restriction?: number
      ed25519_sk_key_restriction?: number
      eks_access_key_id?: string | null
      eks_account_id?: string | null
      eks_integration_enabled?: boolean
      eks_secret_access_key?: string | null
      elasticsearch_aws?: boolean
      elasticsearch_indexing?: boolean
      elasticsearch_search?: boolean
      elasticsearch_url?: string[]
      email_additional_text?: string | null
      email_author_in_body?: boolean
      email_restrictions?: string | null
      email_restrictions_enabled?: boolean
      enabled_git_access_protocol?: string | null
      enforce_namespace_storage_limit?: boolean
      enforce_terms?: boolean
      external_auth_client_cert?: string | null
      external_authorization_service_default_label?: string | null
      external_authorization_service_enabled?: boolean
      external_authorization_service_timeout?: number | null
      external_authorization_service_url?: string | null
      external_pipeline_validation_service_timeout?: number | null
      external_pipeline_validation_service_token?: string | null
      external_pipeline_validation_service_url?: string | null
      file_template_project_id?: number | null
      first_day_of_week?: number
      floc_enabled?: boolean
      geo_node_allowed_ips?: string | null
      geo_status_timeout?: number
      git_rate_limit_users_allowlist?: string[]
      git_two_factor_session_expiry?: number
      gitaly_timeout_default?: number
      gitaly_timeout_fast?: number
      gitaly_timeout_medium?: number
      grafana_enabled?: boolean
      grafana_url?: string | null
      gravatar_enabled?: boolean
      group_download_export_limit?: number
      group_export_limit?: number
      group_import_limit?: number
      group_owners_can_manage_default_branch_protection?: boolean
      group_runner_token_expiration_interval?: number | null
      hashed_storage_enabled?: boolean
      health_check_access_token?: string | null
      help_page_documentation_base_url?: string | null
      help_page_hide_commercial_content?: boolean
      help_page_support_url?: string | null
      help_page_text?: string | null
      help_text?: string | null
      hide_third_party_offers?: boolean
      home_page_url?: string | null
      housekeeping_bitmaps_enabled?: boolean
      housekeeping_enabled?: boolean
      housekeeping_full_repack_period?: number
      housekeeping_gc_period?: number
      housekeeping_incremental_repack_period?: number
      html_emails_enabled?: boolean
      import_sources?: string[]
      inactive_projects_delete_after_months?: number
      inactive_projects_min_size_mb?: number
      inactive_projects_send_warning_email_after_months?: number
      in_product_marketing_emails_enabled?: boolean
      invisible_captcha_enabled?: boolean
      issues_create_limit?: number
      jira_connect_application_key?: string | null
      keep_latest_artifact?: boolean
      kroki_enabled?: boolean
      kroki_url?: string | null
      local_markdown_version?: number
      mailgun_events_enabled?: boolean
      mailgun_signing_key?: string | null
      maintenance_mode?: boolean
      maintenance_mode_message?: string | null
      max_artifacts_size?: number
      max_attachment_size?: number
      max_export_size?: number
      max_import_size?: number
      max_number_of_repository_downloads?: number
      max_number_of_repository_downloads_within_time_period?: number
      max_pages_size?: number
      max_personal_access_token_lifetime?: number | null
      max_ssh_key_lifetime?: number | null
      max_yaml_depth?: number
      max_yaml_size_bytes?: number
      metrics_method_call_threshold?: number
      minimum_password_length?: number
      mirror_available?: boolean
      mirror_capacity_threshold?: number
      mirror_max_capacity?: number
      mirror_max_delay?: number
      notes_create_limit?: number
      notes_create_limit_allowlist?: string[]
      notify_on_unknown_sign_in?: boolean
      npm_package_requests_forwarding?: boolean
      outbound_local_requests_whitelist?: string[]
      outbound_local_requests_allowlist_raw?: string | null
      package_registry_cleanup_policies_worker_capacity?: number
      pages_domain_verification_enabled?: boolean
      password_authentication_enabled_for_git?: boolean
      password_authentication_enabled_for_web?: boolean
      password_lowercase_required?: boolean
      password_number_required?: boolean
      password_symbol_required?: boolean
      password_uppercase_required?: boolean
      performance_bar_allowed_group_path?: string | null
      personal_access_token_prefix?: string | null
      pipeline_limit_per_project_user_sha?: number
      plantuml_enabled?: boolean
      plantuml_url?: string | null
      polling_interval_multiplier?: string | null
      project_download_export_limit?: number
      project_export_enabled?: boolean
      project_export_limit?: number
      project_import_limit?: number
      project_runner_token_expiration_interval?: number | null
      prometheus_metrics_enabled?: boolean
      protected_ci_variables?: boolean
      push_event_activities_limit?: number
      push_event_hooks_limit?: number
      pypi_package_requests_forwarding?: boolean
      rate_limiting_response_text?: string | null
      raw_blob_request_limit?: number
      recaptcha_enabled?: boolean
      recaptcha_private_key?: string | null
      recaptcha_site_key?: string | null
      receive_max_input_size?: number | null
      repository_checks_enabled?: boolean
      repository_size_limit?: number
      repository_storages?: string[]
      repository_storages_weighted?: { [name: string]: number }
      require_admin_approval_after_user_signup?: boolean
      require_two_factor_authentication?: boolean
      restricted_visibility_levels?: ('private' | 'internal' | 'public')[]
      rsa_key_restriction?: number
      runner_token_expiration_interval?: number | null
      search_rate_limit?: number
      search_rate_limit_unauthenticated?: number
      send_user_confirmation_email?: boolean
      session_expire_delay?: number
      shared_runners_enabled?: boolean
      shared_runners_minutes?: number
      shared_runners_text?: string | null
      sidekiq_job_limiter_compression_threshold_bytes?: number
      sidekiq_job_limiter_limit_bytes?: number
      sidekiq_job_limiter_mode?: string | null
      sign_in_text?: string | null
      signup_enabled?: boolean
      slack_app_enabled?: boolean
      slack_app_id?: string | null
      slack_app_secret?: string | null
      slack_app_signing_secret?: string | null
      slack_app_verification_token?: string | null
      snippet_size_limit?: number
      snowplow_app_id?: string | null
      snowplow_collector_hostname?: string | null
      snowplow_cookie_domain?: string | null
      snowplow_enabled?: boolean
      sourcegraph_enabled?: boolean
      sourcegraph_public_only?: boolean
      sourcegraph_url?: string | null
      spam_check_api_key?: string | null
      spam_check_endpoint_enabled?: boolean
      spam_check_endpoint_url?: string | null
      static_objects_external_storage_auth_token?: string | null
      static_objects_external_storage_url?: string | null
      suggest_pipeline_enabled?: boolean
      terminal_max_session_time?: number
      terms?: string | null
      throttle_authenticated_api_enabled?: boolean
      throttle_authenticated_api_period_in_seconds?: number
      throttle_authenticated_api_requests_per_period?: number
      throttle_authenticated_deprecated_api_enabled?: boolean
      throttle_authenticated_deprecated_api_period_in_seconds?: number
      throttle_authenticated_deprecated_api_requests_per_period?: number
      throttle_authenticated_files_api_enabled?: boolean
      throttle_authenticated_files_api_period_in_seconds?: number
      throttle_authenticated_files_api_requests_per_period?: number
      throttle_authenticated_git_lfs_enabled?: boolean
      throttle_authenticated_git_lfs_period_in_seconds?: number
      throttle_authenticated_git_lfs_requests_per_period?: number
      throttle_authenticated_packages_api_enabled?: boolean
      throttle_authenticated_packages_api_period_in_seconds?: number
      throttle_authenticated_packages_api_requests_per_period?: number
      throttle_authenticated_web_enabled?: boolean
      throttle_authenticated_web_period_in_seconds?: number
      throttle_authenticated_web_requests_per_period?: number
      throttle_incident_management_notification_enabled?: boolean
      throttle_incident_management_notification_period_in_seconds?: number
      throttle_incident_management_notification_requests_per_period?: number
      throttle_protected_paths_enabled?: boolean
      throttle_protected_paths_period_in_seconds?: number
      throttle_protected_paths_requests_per_period?: number
      throttle_unauthenticated_api_enabled?: boolean
      throttle_unauthenticated_api_period_in_seconds?: number
      throttle_unauthenticated_api_requests_per_period?: number
      throttle_unauthenticated_deprecated_api_enabled?: boolean
      throttle_unauthenticated_deprecated_api_period_in_seconds?: number
      throttle_unauthenticated_deprecated_api_requests_per_period?: number
      throttle_unauthenticated_enabled?: boolean
      throttle_unauthenticated_files_api_enabled?: boolean
      throttle_unauthenticated_files_api_period_in_seconds?: number
      throttle_unauthenticated_files_api_requests_per_period?: number
      throttle_unauthenticated_packages_api_enabled?: boolean
      throttle_unauthenticated_packages_api_period_in_seconds?: number
      throttle_unauthenticated_packages_api_requests_per_period?: number
      throttle_unauthenticated_period_in_seconds?: number
      throttle_unauthenticated_requests_per_period?: number
      throttle_unauthenticated_web_enabled?: boolean
      throttle_unauthenticated_web_period_in_seconds?: number
      throttle_unauthenticated_web_requests_per_period?: number
      time_tracking_limit_to_hours?: boolean
      two_factor_grace_period?: number
      unique_ips_limit_enabled?: boolean
      unique_ips_limit_per_user?: number
      unique_ips_limit_time_window?: number
      usage_ping_enabled?: boolean
      user_deactivation_emails_enabled?: boolean
      user_default_external?: boolean
      user_default_internal_regex?: string | null
      user_oauth_applications?: boolean
      user_show_add_ssh_key_message?: boolean
      users_get_by_id_limit?: number
      users_get_by_id_limit_allowlist?: string[]
      version_check_enabled?: boolean
      web_ide_clientside_preview_enabled?: boolean
      whats_new_variant?: string | null
      wiki_page_max_content_bytes?: number
    }
    answer: Settings
  }
  /** List email addresses of yours. */
  'GET /user/emails': { input: { page?: number; per_page?: number }; answer: Email[] }
  /** Add an email address of yours. */
  'POST /user/emails': { input: { email: string }; answer: Email }
  /** Delete a secondary email address of yours. */
  'DELETE /user/emails/:email_id': { input: { email_id: number }; answer: void }
  /** List email addresses of a user. */
  'GET /users/:id/emails': {
    input: { id: number; page?: number; per_page?: number }
    answer: Email[]
  }
  /** Add an email address of a user. */
  'POST /users/:id/emails': {
    input: { id: number; email: string; skip_confirmation?: boolean }
    answer: Email
  }
  /** Delete a secondary email address of a user. */
  'DELETE /users/:id/emails/:email_id': { input: { id: number; email_id: number }; answer: void }
  /** Get one of your email addresses. */
  'GET /user/emails/:email_id': { input: { email_id: number }; answer: Email }
  /** Follow a user. */
  'POST /users/:id/follow': { input: { id: number }; answer: BasicUser | undefined }
  /** Unfollow a user. */
  'POST /users/:id/unfollow': { input: { id: number }; answer: BasicUser | undefined }
  /** List the followers of a user. */
  'GET /users/:id/followers': {
    input: { id: number; page?: number; per_page?: number }
    answer: BasicUser[]
  }
  /** List the users whom a user follows. */
  'GET /users/:id/following': {
    input: { id: number; page?: number; per_page?: number }
    answer: BasicUser[]
  }
  /** List GPG keys of yours. */
  'GET /user/gpg_keys': { input: { page?: number; per_page?: number }; answer: GpgKey[] }
  /** Get a GPG key of yours. */
  'GET /user/gpg_keys/:key_id': { input: { key_id: number }; answer: GpgKey }
  /** Add a GPG key of yours. */
  'POST /user/gpg_keys': { input: { key: string }; answer: GpgKey }
  /** Delete a GPG key of yours. */
  'DELETE /user/gpg_keys/:key_id': { input: { key_id: number }; answer: void }
  /** Revoke a GPG key of yours. */
  'POST /user/gpg_keys/:key_id/revoke': { input: { key_id: number }; answer: Message }
  /** List GPG keys of a user. */
  'GET /users/:id/gpg_keys': {
    input: { id: number; page?: number; per_page?: number }
    answer: GpgKey[]
  }
  /** Get a GPG key of a user. */
  'GET /users/:id/gpg_keys/:key_id': { input: { id: number; key_id: number }; answer: GpgKey }
  /** Add a GPG key of a user. */
  'POST /users/:id/gpg_keys': { input: { id: number; key: string }; answer: GpgKey }
  /** Delete a GPG key of a user. */
  'DELETE /users/:id/gpg_keys/:key_id': { input: { id: number; key_id: number }; answer: void }
  /** Revoke a GPG key of a user. */
  'POST /users/:id/gpg_keys/:key_id/revoke': {
    input: { id: number; key_id: number }
    answer: Message
  }
  /** List the members of a group. */
  'GET /groups/:id/members': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      query?: string
      user_ids?: number[]
      skip_users?: number[]
    }
    answer: Member[]
  }
  /** List all members of a group, including inherited and invited ones. */
  'GET /groups/:id/members/all': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      query?: string
      user_ids?: number[]
      skip_users?: number[]
    }
    answer: Member[]
  }
  /** Get a member of a group. */
  'GET /groups/:id/members/:user_id': {
    input: { id: number | string; user_id: number }
    answer: Member
  }
  /** Get a member of a group, including inherited and invited ones. */
  'GET /groups/:id/members/all/:user_id': {
    input: { id: number | string; user_id: number }
    answer: Member
  }
  /** Add members to a group. */
  'POST /groups/:id/members': {
    input: {
      id: number | string
      user_id: number[]
      access_level: number
      expires_at?: string | null
    }
    answer: Member | Invited
  }
  /** Change a member of a group. */
  'PUT /groups/:id/members/:user_id': {
    input: {
      id: number | string
      user_id: number
      access_level: number
      expires_at?: string | null
    }
    answer: Member
  }
  /** Remove a member of a group, or leave it. */
  'DELETE /groups/:id/members/:user_id': {
    input: {
      id: number | string
      user_id: number
      skip_subresources?: boolean
      unassign_issuables?: boolean
    }
    answer: void
  }
  /** List the members of a project. */
  'GET /projects/:id/members': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      query?: string
      user_ids?: number[]
      skip_users?: number[]
    }
    answer: Member[]
  }
  /** List all members of a project, including inherited and invited ones. */
  'GET /projects/:id/members/all': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      query?: string
      user_ids?: number[]
      skip_users?: number[]
    }
    answer: Member[]
  }
  /** Get a member of a project. */
  'GET /projects/:id/members/:user_id': {
    input: { id: number | string; user_id: number }
    answer: Member
  }
  /** Get a member of a project, including inherited and invited ones. */
  'GET /projects/:id/members/all/:user_id': {
    input: { id: number | string; user_id: number }
    answer: Member
  }
  /** Add members to a project. */
  'POST /projects/:id/members': {
    input: {
      id: number | string
      user_id: number[]
      access_level: number
      expires_at?: string | null
    }
    answer: Member | Invited
  }
  /** Change a member of a project. */
  'PUT /projects/:id/members/:user_id': {
    input: {
      id: number | string
      user_id: number
      access_level: number
      expires_at?: string | null
    }
    answer: Member
  }
  /** Remove a member of a project, or leave it. */
  'DELETE /projects/:id/members/:user_id': {
    input: {
      id: number | string
      user_id: number
      skip_subresources?: boolean
      unassign_issuables?: boolean
    }
    answer: void
  }
  /** List the memberships of a user. */
  'GET /users/:user_id/memberships': {
    input: { user_id: number; page?: number; per_page?: number; type?: 'Project' | 'Namespace' }
    answer: Membership[]
  }
  /** Count the memberships, issues and merge requests of a user. */
  'GET /users/:id/associations_count': {
    input: { id: number }
    answer: {
      groups_count: number
      projects_count: number
      issues_count: number
      merge_requests_count: number
    }
  }
  /** Invite users to a group by email address or id. */
  'POST /groups/:id/invitations': {
    input: {
      id: number | string
      email?: string[]
      user_id?: number[]
      access_level: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: Invited
  }
  /** List the pending invitations to a group. */
  'GET /groups/:id/invitations': {
    input: { id: number | string; page?: number; per_page?: number; query?: string }
    answer: Invitation[]
  }
  /** Change an invitation to a group. */
  'PUT /groups/:id/invitations/:email': {
    input: {
      id: number | string
      email: string
      access_level?: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: Invitation
  }
  /** Delete an invitation to a group. */
  'DELETE /groups/:id/invitations/:email': {
    input: { id: number | string; email: string }
    answer: void
  }
  /** Invite users to a project by email address or id. */
  'POST /projects/:id/invitations': {
    input: {
      id: number | string
      email?: string[]
      user_id?: number[]
      access_level: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: Invited
  }
  /** List the pending invitations to a project. */
  'GET /projects/:id/invitations': {
    input: { id: number | string; page?: number; per_page?: number; query?: string }
    answer: Invitation[]
  }
  /** Change an invitation to a project. */
  'PUT /projects/:id/invitations/:email': {
    input: {
      id: number | string
      email: string
      access_level?: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: Invitation
  }
  /** Delete an invitation to a project. */
  'DELETE /projects/:id/invitations/:email': {
    input: { id: number | string; email: string }
    answer: void
  }
  /** List the users of a project. */
  'GET /projects/:id/users': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      search?: string
      skip_users?: number[]
    }
    answer: BasicUser[]
  }
  /** List the parent groups and invited groups of a project. */
  'GET /projects/:id/groups': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      search?: string
      skip_groups?: number[]
      with_shared?: boolean
      shared_visible_only?: boolean
      shared_min_access_level?: 10 | 20 | 30 | 40 | 50
    }
    answer: GroupName[]
  }
  /** List the groups invited to a project. */
  'GET /projects/:id/invited_groups': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      search?: string
      skip_groups?: number[]
      min_access_level?: 10 | 20 | 30 | 40 | 50
    }
    answer: GroupName[]
  }
  /** List the access requests for a project. */
  'GET /projects/:id/access_requests': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: AccessRequester[]
  }
  /** Request access to a project. */
  'POST /projects/:id/access_requests': { input: { id: number | string }; answer: AccessRequester }
  /** Approve an access request for a project. */
  'PUT /projects/:id/access_requests/:user_id/approve': {
    input: { id: number | string; user_id: number; access_level?: number }
    answer: Member
  }
  /** Deny or withdraw an access request for a project. */
  'DELETE /projects/:id/access_requests/:user_id': {
    input: { id: number | string; user_id: number }
    answer: void
  }
  /** List the access requests for a group. */
  'GET /groups/:id/access_requests': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: AccessRequester[]
  }
  /** Request access to a group. */
  'POST /groups/:id/access_requests': { input: { id: number | string }; answer: AccessRequester }
  /** Approve an access request for a group. */
  'PUT /groups/:id/access_requests/:user_id/approve': {
    input: { id: number | string; user_id: number; access_level?: number }
    answer: Member
  }
  /** Deny or withdraw an access request for a group. */
  'DELETE /groups/:id/access_requests/:user_id': {
    input: { id: number | string; user_id: number }
    answer: void
  }
  /** Register an application that users may sign in to. */
  'POST /applications': {
    input: {
      name: string
      redirect_uri: string
      scopes: string[]
      confidential?: boolean
      trusted?: boolean
    }
    answer: NewApplication
  }
  /** List the OAuth applications of the instance. */
  'GET /applications': { input: { page?: number; per_page?: number }; answer: Application[] }
  /** Renew the secret of an application. */
  'POST /applications/:id/renew-secret': { input: { id: number }; answer: NewApplication }
  /** Delete an application and its tokens. */
  'DELETE /applications/:id': { input: { id: number }; answer: void }
  /** List the applications that you have authorized. */
  'GET /user/authorized_applications': {
    input: { page?: number; per_page?: number }
    answer: AllowedApplication[]
  }
  /** Revoke the authorization of an application. */
  'DELETE /user/authorized_applications/:id': { input: { id: number }; answer: void }
  /** List the applications that you have registered. */
  'GET /user/applications': {
    input: { page?: number; per_page?: number }
    answer: OwnApplication[]
  }
  /** Register an application of your own. */
  'POST /user/applications': {
    input: { name: string; redirect_uri: string; scopes: string[]; confidential?: boolean }
    answer: NewOwnApplication
  }
  /** Change an application of your own. */
  'PUT /user/applications/:id': {
    input: {
      id: number
      name?: string
      redirect_uri?: string
      scopes?: string[]
      confidential?: boolean
    }
    answer: OwnApplication
  }
  /** Renew the secret of your application. */
  'POST /user/applications/:id/renew-secret': { input: { id: number }; answer: NewOwnApplication }
  /** Delete your application and its tokens. */
  'DELETE /user/applications/:id': { input: { id: number }; answer: void }
  /** Get your status. */
  'GET /user/status': { input: Record<string, never>; answer: UserStatus }
  /** Get the status of a user. */
  'GET /users/:user_id/status': { input: { user_id: string }; answer: UserStatus }
  /** Set your status. */
  'PUT /user/status': {
    input: {
      emoji?: string | null
      message?: string | null
      availability?: 'not_set' | 'busy' | null
      clear_status_after?:
        | '30_minutes'
        | '3_hours'
        | '8_hours'
        | '1_day'
        | '3_days'
        | '7_days'
        | '30_days'
        | null
    }
    answer: UserStatus
  }
  /** Update parts of your status. */
  'PATCH /user/status': {
    input: {
      emoji?: string | null
      message?: string | null
      availability?: 'not_set' | 'busy' | null
      clear_status_after?:
        | '30_minutes'
        | '3_hours'
        | '8_hours'
        | '1_day'
        | '3_days'
        | '7_days'
        | '30_days'
        | null
    }
    answer: UserStatus
  }
  /** Get your preferences. */
  'GET /user/preferences': { input: Record<string, never>; answer: Preferences }
  /** Change your preferences. */
  'PUT /user/preferences': {
    input: {
      view_diffs_file_by_file?: boolean
      show_whitespace_in_diffs?: boolean
      language?: 'system' | 'en' | 'de'
      theme?: 'system' | 'light' | 'dark'
      density?: 'roomy' | 'compact'
      tab_width?: 1 | 2 | 3 | 4 | 8 | 16
      single_keys?: boolean
    }
    answer: Preferences
  }
  /** List where you are signed in. */
  'GET /user/sessions': { input: { page?: number; per_page?: number }; answer: Session[] }
  /** End another session. */
  'DELETE /user/sessions/:id': { input: { id: number }; answer: void }
  /** List where a user is signed in. */
  'GET /users/:id/sessions': {
    input: { id: number; page?: number; per_page?: number }
    answer: Session[]
  }
  /** End a session of a user. */
  'DELETE /users/:id/sessions/:session_id': {
    input: { id: number; session_id: number }
    answer: void
  }
  /** Sign in with a password. */
  'POST /session': {
    input: { login: string; password: string; otp?: string }
    answer: (AdminUser | CurrentUser) & SignIn
  }
  /** Get the session and its CSRF token. */
  'GET /session': { input: Record<string, never>; answer: (AdminUser | CurrentUser) & SignIn }
  /** Sign out. */
  'DELETE /session': { input: Record<string, never>; answer: void }
  /** Impersonate a user. */
  'POST /users/:id/impersonation': {
    input: { id: number }
    answer: (AdminUser | CurrentUser) & SignIn
  }
  /** Stop impersonating a user. */
  'DELETE /session/impersonation': {
    input: Record<string, never>
    answer: (AdminUser | CurrentUser) & SignIn
  }
  /** Change your password. */
  'PUT /user/password': { input: { current_password: string; password: string }; answer: void }
  /** Request an email to reset a password. */
  'POST /user/password_reset': { input: { email: string }; answer: Message }
  /** Set a password with the token from an email. */
  'PUT /user/password_reset': {
    input: { reset_password_token: string; password: string }
    answer: void
  }
  /** Start setting up two-factor authentication. */
  'POST /user/two_factor': {
    input: { password: string }
    answer: { secret: string; otpauth_uri: string }
  }
  /** Enable two-factor authentication with a first code. */
  'PUT /user/two_factor': { input: { code: string }; answer: RecoveryCodes }
  /** Replace your recovery codes. */
  'POST /user/two_factor/recovery_codes': {
    input: { password?: string; code?: string }
    answer: RecoveryCodes
  }
  /** Disable two-factor authentication. */
  'DELETE /user/two_factor': { input: { password?: string; code?: string }; answer: void }
  /** Disable two-factor authentication of a user. */
  'PATCH /users/:id/disable_two_factor': { input: { id: number }; answer: void }
  /** Add an SSH key of yours. */
  'POST /user/keys': {
    input: {
      title: string
      key: string
      expires_at?: string | null
      usage_type?: 'auth' | 'signing' | 'auth_and_signing'
    }
    answer: OwnSshKey
  }
  /** Delete an SSH key of yours. */
  'DELETE /user/keys/:key_id': { input: { key_id: number }; answer: void }
  /** Add an SSH key of a user. */
  'POST /users/:id/keys': {
    input: {
      id: number
      title: string
      key: string
      expires_at?: string | null
      usage_type?: 'auth' | 'signing' | 'auth_and_signing'
    }
    answer: OwnSshKey
  }
  /** Delete an SSH key of a user. */
  'DELETE /users/:id/keys/:key_id': { input: { id: number; key_id: number }; answer: void }
  /** List your SSH keys. */
  'GET /user/keys': { input: { page?: number; per_page?: number }; answer: OwnSshKey[] }
  /** Get one of your SSH keys. */
  'GET /user/keys/:key_id': { input: { key_id: number }; answer: OwnSshKey }
  /** List the SSH keys of a user. */
  'GET /users/:id/keys': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: (OwnSshKey | SshKey)[]
  }
  /** Get an SSH key of a user. */
  'GET /users/:id/keys/:key_id': {
    input: { id: number | string; key_id: number }
    answer: OwnSshKey | SshKey
  }
  /** Get any SSH key, with its user. */
  'GET /keys/:id': { input: { id: number }; answer: FoundSshKey }
  /** Find an SSH key and its user by the fingerprint. */
  'GET /keys': { input: { fingerprint: string }; answer: FoundSshKey }
  /** List personal access tokens. */
  'GET /personal_access_tokens': {
    input: {
      page?: number
      per_page?: number
      user_id?: number
      state?: 'active' | 'inactive'
      revoked?: boolean
      search?: string
      created_after?: string
      created_before?: string
      last_used_after?: string
      last_used_before?: string
    }
    answer: PersonalAccessToken[]
  }
  /** Get the token of this request. */
  'GET /personal_access_tokens/self': { input: Record<string, never>; answer: PersonalAccessToken }
  /** Get a personal access token. */
  'GET /personal_access_tokens/:id': { input: { id: number }; answer: PersonalAccessToken }
  /** Create a personal access token of your own. */
  'POST /user/personal_access_tokens': {
    input: {
      name: string
      scopes: (
        | 'api'
        | 'read_user'
        | 'read_api'
        | 'read_repository'
        | 'write_repository'
        | 'read_registry'
        | 'write_registry'
        | 'sudo'
      )[]
      expires_at?: string | null
    }
    answer: NewPersonalAccessToken
  }
  /** Create a personal access token for a user. */
  'POST /users/:user_id/personal_access_tokens': {
    input: {
      user_id: number
      name: string
      scopes: (
        | 'api'
        | 'read_user'
        | 'read_api'
        | 'read_repository'
        | 'write_repository'
        | 'read_registry'
        | 'write_registry'
        | 'sudo'
      )[]
      expires_at?: string | null
    }
    answer: NewPersonalAccessToken
  }
  /** Rotate the token of this request. */
  'POST /personal_access_tokens/self/rotate': {
    input: { expires_at?: string | null }
    answer: NewPersonalAccessToken
  }
  /** Rotate a personal access token. */
  'POST /personal_access_tokens/:id/rotate': {
    input: { id: number; expires_at?: string | null }
    answer: NewPersonalAccessToken
  }
  /** Revoke the token of this request. */
  'DELETE /personal_access_tokens/self': { input: Record<string, never>; answer: void }
  /** Revoke a personal access token. */
  'DELETE /personal_access_tokens/:id': { input: { id: number }; answer: void }
  /** List the impersonation tokens of a user. */
  'GET /users/:user_id/impersonation_tokens': {
    input: {
      user_id: number
      page?: number
      per_page?: number
      state?: 'all' | 'active' | 'inactive'
    }
    answer: ImpersonationToken[]
  }
  /** Create an impersonation token for a user. */
  'POST /users/:user_id/impersonation_tokens': {
    input: { user_id: number; name: string; expires_at?: string | null; scopes?: string[] }
    answer: NewImpersonationToken
  }
  /** Get an impersonation token of a user. */
  'GET /users/:user_id/impersonation_tokens/:impersonation_token_id': {
    input: { user_id: number; impersonation_token_id: number }
    answer: ImpersonationToken
  }
  /** Revoke an impersonation token of a user. */
  'DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id': {
    input: { user_id: number; impersonation_token_id: number }
    answer: void
  }
  /** Get the signed-in user. */
  'GET /user': {
    input: { with_abilities?: boolean }
    answer: (AdminUser | CurrentUser) & { abilities?: UserAbilities }
  }
  /** List the last activity of users. */
  'GET /user/activities': {
    input: { page?: number; per_page?: number; from?: string }
    answer: { username: string; last_activity_on: string; last_activity_at: string }[]
  }
  /** List users. */
  'GET /users': {
    input: {
      username?: string
      extern_uid?: string
      provider?: string
      search?: string
      active?: boolean
      external?: boolean
      exclude_external?: boolean
      blocked?: boolean
      blocked_pending_approval?: boolean
      created_after?: string
      created_before?: string
      without_projects?: boolean
      exclude_internal?: boolean
      admins?: boolean
      two_factor?: string
      saml_provider_id?: number
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
      order_by?: 'id' | 'name' | 'username' | 'created_at' | 'updated_at'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
    }
    answer: (AdminUser | BasicUser)[]
  }
  /** Get a user. */
  'GET /users/:id': {
    input: { id: number; with_custom_attributes?: boolean }
    answer: AdminUser | User
  }
  /** Create a user. */
  'POST /users': {
    input: {
      email: string
      password?: string
      reset_password?: boolean
      skip_confirmation?: boolean
      force_random_password?: boolean
      name: string
      username: string
      skype?: string | null
      linkedin?: string | null
      twitter?: string | null
      website_url?: string | null
      organization?: string | null
      job_title?: string | null
      pronouns?: string | null
      projects_limit?: number
      extern_uid?: string
      provider?: string
      bio?: string | null
      location?: string | null
      admin?: boolean
      can_create_group?: boolean
      external?: boolean
      avatar?: Blob | null
      theme_id?: number
      color_scheme_id?: number
      private_profile?: boolean | null
      note?: string | null
      view_diffs_file_by_file?: boolean
      group_id_for_saml?: number
      shared_runners_minutes_limit?: number | null
      extra_shared_runners_minutes_limit?: number | null
    }
    answer: AdminUser
  }
  /** Update a user. */
  'PUT /users/:id': {
    input: {
      id: number
      email?: string
      password?: string
      skip_reconfirmation?: boolean
      name?: string
      username?: string
      public_email?: string | null
      commit_email?: string | null
      skype?: string | null
      linkedin?: string | null
      twitter?: string | null
      website_url?: string | null
      organization?: string | null
      job_title?: string | null
      pronouns?: string | null
      projects_limit?: number
      extern_uid?: string
      provider?: string
      bio?: string | null
      location?: string | null
      admin?: boolean
      can_create_group?: boolean
      external?: boolean
      avatar?: Blob | null
      theme_id?: number
      color_scheme_id?: number
      private_profile?: boolean | null
      note?: string | null
      view_diffs_file_by_file?: boolean
      group_id_for_saml?: number
      shared_runners_minutes_limit?: number | null
      extra_shared_runners_minutes_limit?: number | null
    }
    answer: AdminUser
  }
  /** Change the signed-in user's own profile. */
  'PUT /user': {
    input: {
      name?: string
      username?: string
      public_email?: string | null
      commit_email?: string | null
      skype?: string | null
      linkedin?: string | null
      twitter?: string | null
      website_url?: string | null
      organization?: string | null
      job_title?: string | null
      pronouns?: string | null
      bio?: string | null
      location?: string | null
      private_profile?: boolean | null
    }
    answer: AdminUser | CurrentUser
  }
  /** Set your avatar. */
  'PUT /user/avatar': { input: { avatar: Blob | null }; answer: Avatar }
  /** Get the avatar of an email address. */
  'GET /avatar': { input: { email: string; size?: number }; answer: Avatar }
  /** Block a user. */
  'POST /users/:id/block': { input: { id: number }; answer: boolean | null }
  /** Unblock a user. */
  'POST /users/:id/unblock': { input: { id: number }; answer: boolean | null }
  /** Deactivate a user. */
  'POST /users/:id/deactivate': { input: { id: number }; answer: boolean | null }
  /** Activate a deactivated user. */
  'POST /users/:id/activate': { input: { id: number }; answer: boolean | null }
  /** Ban a user. */
  'POST /users/:id/ban': { input: { id: number }; answer: boolean | null }
  /** Unban a user. */
  'POST /users/:id/unban': { input: { id: number }; answer: boolean | null }
  /** Approve a user who waits for approval. */
  'POST /users/:id/approve': { input: { id: number }; answer: Message }
  /** Reject, and remove, a user who waits for approval. */
  'POST /users/:id/reject': { input: { id: number }; answer: Message }
  /** Delete a user. */
  'DELETE /users/:id': { input: { id: number; hard_delete?: boolean }; answer: void }
  /** Delete a user's identity with a provider. */
  'DELETE /users/:id/identities/:provider': {
    input: { id: number; provider: string }
    answer: void
  }
  /** Confirm an email address with the token from an email. */
  'POST /user/confirmation': { input: { confirmation_token: string }; answer: void }
  /** Resend the email to confirm an address. */
  'POST /user/confirmation/resend': { input: { email: string }; answer: Message }
  /** Get the sign-up settings. */
  'GET /user/registration': { input: Record<string, never>; answer: RegistrationRules }
  /** Sign up. */
  'POST /user/registration': {
    input: { name: string; username: string; email: string; password: string }
    answer: Registration
  }
  /** List the projects a user contributed to in the past year. */
  'GET /users/:user_id/contributed_projects': {
    input: {
      user_id: string
      page?: number
      per_page?: number
      archived?: boolean
      id_after?: number
      id_before?: number
      membership?: boolean
      min_access_level?: 10 | 20 | 30 | 40 | 50
      order_by?: 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** Fork a project. */
  'POST /projects/:id/fork': {
    input: {
      id: number | string
      namespace?: string
      namespace_id?: number
      namespace_path?: string
      name?: string
      path?: string
      description?: string | null
      visibility?: 'private' | 'internal' | 'public'
      mr_default_target_self?: boolean
    }
    answer: Project
  }
  /** Create a fork relation between projects. */
  'POST /projects/:id/fork/:forked_from_id': {
    input: { id: number | string; forked_from_id: number }
    answer: Project
  }
  /** Remove the fork relation of a project. */
  'DELETE /projects/:id/fork': { input: { id: number | string }; answer: undefined }
  /** List projects. */
  'GET /projects': {
    input: {
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      archived?: boolean
      id_after?: number
      id_before?: number
      last_activity_after?: string
      last_activity_before?: string
      membership?: boolean
      min_access_level?: 5 | 10 | 20 | 30 | 40 | 50
      order_by?:
        | 'id'
        | 'name'
        | 'path'
        | 'created_at'
        | 'updated_at'
        | 'last_activity_at'
        | 'repository_size'
        | 'storage_size'
        | 'packages_size'
        | 'wiki_size'
        | 'similarity'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
      with_programming_language?: string
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
      repository_checksum_failed?: boolean
      wiki_checksum_failed?: boolean
      repository_storage?: string
      search_namespaces?: boolean
      topic?: string[]
    }
    answer: (Project | SimpleProject)[]
  }
  /** List the projects in a user’s own namespace. */
  'GET /users/:user_id/projects': {
    input: {
      user_id: string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      archived?: boolean
      id_after?: number
      id_before?: number
      last_activity_after?: string
      last_activity_before?: string
      membership?: boolean
      min_access_level?: 5 | 10 | 20 | 30 | 40 | 50
      order_by?:
        | 'id'
        | 'name'
        | 'path'
        | 'created_at'
        | 'updated_at'
        | 'last_activity_at'
        | 'similarity'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
      with_programming_language?: string
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** List the projects of a group. */
  'GET /groups/:id/projects': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      archived?: boolean
      id_after?: number
      id_before?: number
      last_activity_after?: string
      last_activity_before?: string
      membership?: boolean
      min_access_level?: 5 | 10 | 20 | 30 | 40 | 50
      order_by?:
        | 'id'
        | 'name'
        | 'path'
        | 'created_at'
        | 'updated_at'
        | 'last_activity_at'
        | 'similarity'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
      with_programming_language?: string
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
      topic?: string[]
      with_shared?: boolean
      include_subgroups?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** List the projects to which a group is invited. */
  'GET /groups/:id/projects/shared': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      archived?: boolean
      id_after?: number
      id_before?: number
      last_activity_after?: string
      last_activity_before?: string
      membership?: boolean
      min_access_level?: 5 | 10 | 20 | 30 | 40 | 50
      order_by?: 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
      with_programming_language?: string
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** List the forks of a project. */
  'GET /projects/:id/forks': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      archived?: boolean
      id_after?: number
      id_before?: number
      last_activity_after?: string
      last_activity_before?: string
      membership?: boolean
      min_access_level?: 5 | 10 | 20 | 30 | 40 | 50
      order_by?: 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
      with_programming_language?: string
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** Create a project. */
  'POST /projects': {
    input: {
      name?: string
      path?: string
      namespace_id?: number
      initialize_with_readme?: boolean
      repository_storage?: string
      template_name?: string
      template_project_id?: number
      description?: string | null
      visibility?: 'private' | 'internal' | 'public'
      topics?: string[]
      tag_list?: string[]
      default_branch?: string
      issues_access_level?: 'disabled' | 'private' | 'enabled'
      repository_access_level?: 'disabled' | 'private' | 'enabled'
      merge_requests_access_level?: 'disabled' | 'private' | 'enabled'
      forking_access_level?: 'disabled' | 'private' | 'enabled'
      wiki_access_level?: 'disabled' | 'private' | 'enabled'
      builds_access_level?: 'disabled' | 'private' | 'enabled'
      snippets_access_level?: 'disabled' | 'private' | 'enabled'
      pages_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      operations_access_level?: 'disabled' | 'private' | 'enabled'
      analytics_access_level?: 'disabled' | 'private' | 'enabled'
      container_registry_access_level?: 'disabled' | 'private' | 'enabled'
      releases_access_level?: 'disabled' | 'private' | 'enabled'
      environments_access_level?: 'disabled' | 'private' | 'enabled'
      feature_flags_access_level?: 'disabled' | 'private' | 'enabled'
      infrastructure_access_level?: 'disabled' | 'private' | 'enabled'
      monitor_access_level?: 'disabled' | 'private' | 'enabled'
      requirements_access_level?: 'disabled' | 'private' | 'enabled'
      security_and_compliance_access_level?: 'disabled' | 'private' | 'enabled'
      model_experiments_access_level?: 'disabled' | 'private' | 'enabled'
      model_registry_access_level?: 'disabled' | 'private' | 'enabled'
      package_registry_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      container_expiration_policy_attributes?: ExpirationPolicyInput
      issues_enabled?: boolean
      merge_requests_enabled?: boolean
      wiki_enabled?: boolean
      jobs_enabled?: boolean
      snippets_enabled?: boolean
      container_registry_enabled?: boolean
      resolve_outdated_diff_discussions?: boolean
      shared_runners_enabled?: boolean
      lfs_enabled?: boolean
      emails_disabled?: boolean
      service_desk_enabled?: boolean
      packages_enabled?: boolean
      ci_config_path?: string | null
      ci_default_git_depth?: number
      ci_forward_deployment_enabled?: boolean
      ci_job_token_scope_enabled?: boolean
      public_jobs?: boolean
      public_builds?: boolean
      build_git_strategy?: 'fetch' | 'clone'
      build_timeout?: number
      build_coverage_regex?: string | null
      auto_cancel_pending_pipelines?: 'enabled' | 'disabled'
      auto_devops_enabled?: boolean
      auto_devops_deploy_strategy?: 'continuous' | 'manual' | 'timed_incremental'
      keep_latest_artifact?: boolean
      restrict_user_defined_variables?: boolean
      request_access_enabled?: boolean
      only_allow_merge_if_pipeline_succeeds?: boolean
      allow_merge_on_skipped_pipeline?: boolean
      only_allow_merge_if_all_discussions_are_resolved?: boolean
      only_allow_merge_if_all_status_checks_passed?: boolean
      remove_source_branch_after_merge?: boolean
      printing_merge_request_link_enabled?: boolean
      autoclose_referenced_issues?: boolean
      merge_method?: 'merge' | 'rebase_merge' | 'ff'
      squash_option?: 'never' | 'always' | 'default_on' | 'default_off'
      suggestion_commit_message?: string | null
      merge_commit_template?: string | null
      squash_commit_template?: string | null
      external_authorization_classification_label?: string | null
      approvals_before_merge?: number
      repository_size_limit?: number | null
      avatar?: Blob | null
      import_url?: string
      mirror?: boolean
      mirror_user_id?: number
      mirror_trigger_builds?: boolean
      mirror_overwrites_diverged_branches?: boolean
      mirror_branch_regex?: string
      only_mirror_protected_branches?: boolean
      use_custom_template?: boolean
      group_with_project_templates_id?: number
    }
    answer: Project
  }
  /** Create a project for a user. */
  'POST /projects/user/:user_id': {
    input: {
      user_id: number
      name: string
      path?: string
      namespace_id?: number
      initialize_with_readme?: boolean
      repository_storage?: string
      template_name?: string
      template_project_id?: number
      description?: string | null
      visibility?: 'private' | 'internal' | 'public'
      topics?: string[]
      tag_list?: string[]
      default_branch?: string
      issues_access_level?: 'disabled' | 'private' | 'enabled'
      repository_access_level?: 'disabled' | 'private' | 'enabled'
      merge_requests_access_level?: 'disabled' | 'private' | 'enabled'
      forking_access_level?: 'disabled' | 'private' | 'enabled'
      wiki_access_level?: 'disabled' | 'private' | 'enabled'
      builds_access_level?: 'disabled' | 'private' | 'enabled'
      snippets_access_level?: 'disabled' | 'private' | 'enabled'
      pages_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      operations_access_level?: 'disabled' | 'private' | 'enabled'
      analytics_access_level?: 'disabled' | 'private' | 'enabled'
      container_registry_access_level?: 'disabled' | 'private' | 'enabled'
      releases_access_level?: 'disabled' | 'private' | 'enabled'
      environments_access_level?: 'disabled' | 'private' | 'enabled'
      feature_flags_access_level?: 'disabled' | 'private' | 'enabled'
      infrastructure_access_level?: 'disabled' | 'private' | 'enabled'
      monitor_access_level?: 'disabled' | 'private' | 'enabled'
      requirements_access_level?: 'disabled' | 'private' | 'enabled'
      security_and_compliance_access_level?: 'disabled' | 'private' | 'enabled'
      model_experiments_access_level?: 'disabled' | 'private' | 'enabled'
      model_registry_access_level?: 'disabled' | 'private' | 'enabled'
      package_registry_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      container_expiration_policy_attributes?: ExpirationPolicyInput
      issues_enabled?: boolean
      merge_requests_enabled?: boolean
      wiki_enabled?: boolean
      jobs_enabled?: boolean
      snippets_enabled?: boolean
      container_registry_enabled?: boolean
      resolve_outdated_diff_discussions?: boolean
      shared_runners_enabled?: boolean
      lfs_enabled?: boolean
      emails_disabled?: boolean
      service_desk_enabled?: boolean
      packages_enabled?: boolean
      ci_config_path?: string | null
      ci_default_git_depth?: number
      ci_forward_deployment_enabled?: boolean
      ci_job_token_scope_enabled?: boolean
      public_jobs?: boolean
      public_builds?: boolean
      build_git_strategy?: 'fetch' | 'clone'
      build_timeout?: number
      build_coverage_regex?: string | null
      auto_cancel_pending_pipelines?: 'enabled' | 'disabled'
      auto_devops_enabled?: boolean
      auto_devops_deploy_strategy?: 'continuous' | 'manual' | 'timed_incremental'
      keep_latest_artifact?: boolean
      restrict_user_defined_variables?: boolean
      request_access_enabled?: boolean
      only_allow_merge_if_pipeline_succeeds?: boolean
      allow_merge_on_skipped_pipeline?: boolean
      only_allow_merge_if_all_discussions_are_resolved?: boolean
      only_allow_merge_if_all_status_checks_passed?: boolean
      remove_source_branch_after_merge?: boolean
      printing_merge_request_link_enabled?: boolean
      autoclose_referenced_issues?: boolean
      merge_method?: 'merge' | 'rebase_merge' | 'ff'
      squash_option?: 'never' | 'always' | 'default_on' | 'default_off'
      suggestion_commit_message?: string | null
      merge_commit_template?: string | null
      squash_commit_template?: string | null
      external_authorization_classification_label?: string | null
      approvals_before_merge?: number
      repository_size_limit?: number | null
      avatar?: Blob | null
      import_url?: string
      mirror?: boolean
      mirror_user_id?: number
      mirror_trigger_builds?: boolean
      mirror_overwrites_diverged_branches?: boolean
      mirror_branch_regex?: string
      only_mirror_protected_branches?: boolean
      use_custom_template?: boolean
      group_with_project_templates_id?: number
    }
    answer: Project
  }
  /** Get a project. */
  'GET /projects/:id': {
    input: {
      id: number | string
      statistics?: boolean
      render_html?: boolean
      with_custom_attributes?: boolean
      with_abilities?: boolean
    }
    answer: ProjectWithAbilities
  }
  /** Change a project. */
  'PUT /projects/:id': {
    input: {
      id: number | string
      name?: string
      path?: string
      description?: string | null
      visibility?: 'private' | 'internal' | 'public'
      topics?: string[]
      tag_list?: string[]
      default_branch?: string
      issues_access_level?: 'disabled' | 'private' | 'enabled'
      repository_access_level?: 'disabled' | 'private' | 'enabled'
      merge_requests_access_level?: 'disabled' | 'private' | 'enabled'
      forking_access_level?: 'disabled' | 'private' | 'enabled'
      wiki_access_level?: 'disabled' | 'private' | 'enabled'
      builds_access_level?: 'disabled' | 'private' | 'enabled'
      snippets_access_level?: 'disabled' | 'private' | 'enabled'
      pages_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      operations_access_level?: 'disabled' | 'private' | 'enabled'
      analytics_access_level?: 'disabled' | 'private' | 'enabled'
      container_registry_access_level?: 'disabled' | 'private' | 'enabled'
      releases_access_level?: 'disabled' | 'private' | 'enabled'
      environments_access_level?: 'disabled' | 'private' | 'enabled'
      feature_flags_access_level?: 'disabled' | 'private' | 'enabled'
      infrastructure_access_level?: 'disabled' | 'private' | 'enabled'
      monitor_access_level?: 'disabled' | 'private' | 'enabled'
      requirements_access_level?: 'disabled' | 'private' | 'enabled'
      security_and_compliance_access_level?: 'disabled' | 'private' | 'enabled'
      model_experiments_access_level?: 'disabled' | 'private' | 'enabled'
      model_registry_access_level?: 'disabled' | 'private' | 'enabled'
      package_registry_access_level?: 'disabled' | 'private' | 'enabled' | 'public'
      container_expiration_policy_attributes?: ExpirationPolicyInput
      issues_enabled?: boolean
      merge_requests_enabled?: boolean
      wiki_enabled?: boolean
      jobs_enabled?: boolean
      snippets_enabled?: boolean
      container_registry_enabled?: boolean
      resolve_outdated_diff_discussions?: boolean
      shared_runners_enabled?: boolean
      lfs_enabled?: boolean
      emails_disabled?: boolean
      service_desk_enabled?: boolean
      packages_enabled?: boolean
      ci_config_path?: string | null
      ci_default_git_depth?: number
      ci_forward_deployment_enabled?: boolean
      ci_job_token_scope_enabled?: boolean
      public_jobs?: boolean
      public_builds?: boolean
      build_git_strategy?: 'fetch' | 'clone'
      build_timeout?: number
      build_coverage_regex?: string | null
      auto_cancel_pending_pipelines?: 'enabled' | 'disabled'
      auto_devops_enabled?: boolean
      auto_devops_deploy_strategy?: 'continuous' | 'manual' | 'timed_incremental'
      keep_latest_artifact?: boolean
      restrict_user_defined_variables?: boolean
      request_access_enabled?: boolean
      only_allow_merge_if_pipeline_succeeds?: boolean
      allow_merge_on_skipped_pipeline?: boolean
      only_allow_merge_if_all_discussions_are_resolved?: boolean
      only_allow_merge_if_all_status_checks_passed?: boolean
      remove_source_branch_after_merge?: boolean
      printing_merge_request_link_enabled?: boolean
      autoclose_referenced_issues?: boolean
      merge_method?: 'merge' | 'rebase_merge' | 'ff'
      squash_option?: 'never' | 'always' | 'default_on' | 'default_off'
      suggestion_commit_message?: string | null
      merge_commit_template?: string | null
      squash_commit_template?: string | null
      external_authorization_classification_label?: string | null
      approvals_before_merge?: number
      repository_size_limit?: number | null
      avatar?: Blob | null
      import_url?: string
      mirror?: boolean
      mirror_user_id?: number
      mirror_trigger_builds?: boolean
      mirror_overwrites_diverged_branches?: boolean
      mirror_branch_regex?: string
      only_mirror_protected_branches?: boolean
      use_custom_template?: boolean
      group_with_project_templates_id?: number
    }
    answer: Project
  }
  /** Delete a project. */
  'DELETE /projects/:id': { input: { id: number | string }; answer: Message }
  /** Archive a project. */
  'POST /projects/:id/archive': { input: { id: number | string }; answer: Project }
  /** Unarchive a project. */
  'POST /projects/:id/unarchive': { input: { id: number | string }; answer: Project }
  /** Transfer a project to another namespace. */
  'PUT /projects/:id/transfer': {
    input: { id: number | string; namespace: string }
    answer: Project
  }
  /** List the groups to which a project can be transferred. */
  'GET /projects/:id/transfer_locations': {
    input: { id: number | string; page?: number; per_page?: number; search?: string }
    answer: GroupName[]
  }
  /** Star a project. */
  'POST /projects/:id/star': { input: { id: number | string }; answer: Project | undefined }
  /** Unstar a project. */
  'POST /projects/:id/unstar': { input: { id: number | string }; answer: Project | undefined }
  /** List the users who starred a project. */
  'GET /projects/:id/starrers': {
    input: { id: number | string; page?: number; per_page?: number; search?: string }
    answer: { starred_since: string; user: BasicUser }[]
  }
  /** List the projects a user starred. */
  'GET /users/:user_id/starred_projects': {
    input: {
      user_id: string
      page?: number
      per_page?: number
      archived?: boolean
      id_after?: number
      id_before?: number
      membership?: boolean
      min_access_level?: 10 | 20 | 30 | 40 | 50
      order_by?: 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at'
      owned?: boolean
      search?: string
      simple?: boolean
      sort?: 'asc' | 'desc'
      starred?: boolean
      statistics?: boolean
      visibility?: 'public' | 'internal' | 'private'
      with_issues_enabled?: boolean
      with_merge_requests_enabled?: boolean
    }
    answer: (Project | SimpleProject)[]
  }
  /** List topics. */
  'GET /topics': {
    input: { search?: string; without_projects?: boolean; page?: number; per_page?: number }
    answer: Topic[]
  }
  /** Get a topic. */
  'GET /topics/:topic_id': { input: { topic_id: number }; answer: Topic }
  /** Create a topic, as an administrator. */
  'POST /topics': {
    input: { name: string; title?: string; description?: string | null; avatar?: Blob | null }
    answer: Topic
  }
  /** Change a topic, as an administrator. */
  'PUT /topics/:topic_id': {
    input: {
      topic_id: number
      name?: string
      title?: string
      description?: string | null
      avatar?: Blob | null
    }
    answer: Topic
  }
  /** Delete a topic, as an administrator. */
  'DELETE /topics/:topic_id': { input: { topic_id: number }; answer: void }
  /** Merge two topics, as an administrator. */
  'POST /topics/merge': {
    input: { source_topic_id: number; target_topic_id: number }
    answer: Topic
  }
  /** List the access tokens of a project. */
  'GET /projects/:id/access_tokens': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: AccessToken[]
  }
  /** Get an access token of a project. */
  'GET /projects/:id/access_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: AccessToken
  }
  /** Create an access token of a project with its bot. */
  'POST /projects/:id/access_tokens': {
    input: {
      id: number | string
      name: string
      scopes: (
        | 'api'
        | 'read_api'
        | 'read_repository'
        | 'write_repository'
        | 'read_registry'
        | 'write_registry'
      )[]
      access_level?: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: NewAccessToken
  }
  /** Revoke an access token of a project, and remove its bot. */
  'DELETE /projects/:id/access_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: void
  }
  /** Rotate the access token of a project that makes this request. */
  'POST /projects/:id/access_tokens/self/rotate': {
    input: { id: number | string; expires_at?: string | null }
    answer: NewAccessToken
  }
  /** Rotate an access token of a project. */
  'POST /projects/:id/access_tokens/:token_id/rotate': {
    input: { id: number | string; token_id: number; expires_at?: string | null }
    answer: NewAccessToken
  }
  /** List the access tokens of a group. */
  'GET /groups/:id/access_tokens': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: AccessToken[]
  }
  /** Get an access token of a group. */
  'GET /groups/:id/access_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: AccessToken
  }
  /** Create an access token of a group with its bot. */
  'POST /groups/:id/access_tokens': {
    input: {
      id: number | string
      name: string
      scopes: (
        | 'api'
        | 'read_api'
        | 'read_repository'
        | 'write_repository'
        | 'read_registry'
        | 'write_registry'
      )[]
      access_level?: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: NewAccessToken
  }
  /** Revoke an access token of a group, and remove its bot. */
  'DELETE /groups/:id/access_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: void
  }
  /** Rotate the access token of a group that makes this request. */
  'POST /groups/:id/access_tokens/self/rotate': {
    input: { id: number | string; expires_at?: string | null }
    answer: NewAccessToken
  }
  /** Rotate an access token of a group. */
  'POST /groups/:id/access_tokens/:token_id/rotate': {
    input: { id: number | string; token_id: number; expires_at?: string | null }
    answer: NewAccessToken
  }
  /** List groups. */
  'GET /groups': {
    input: {
      page?: number
      per_page?: number
      skip_groups?: number[]
      all_available?: boolean
      search?: string
      owned?: boolean
      order_by?: 'name' | 'path' | 'id' | 'similarity'
      sort?: 'asc' | 'desc'
      min_access_level?: 10 | 20 | 30 | 40 | 50
      statistics?: boolean
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
      top_level_only?: boolean
    }
    answer: Group[]
  }
  /** List the subgroups of a group. */
  'GET /groups/:id/subgroups': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      skip_groups?: number[]
      all_available?: boolean
      search?: string
      owned?: boolean
      order_by?: 'name' | 'path' | 'id' | 'similarity'
      sort?: 'asc' | 'desc'
      min_access_level?: 10 | 20 | 30 | 40 | 50
      statistics?: boolean
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: Group[]
  }
  /** List the descendant groups of a group. */
  'GET /groups/:id/descendant_groups': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      skip_groups?: number[]
      all_available?: boolean
      search?: string
      owned?: boolean
      order_by?: 'name' | 'path' | 'id' | 'similarity'
      sort?: 'asc' | 'desc'
      min_access_level?: 10 | 20 | 30 | 40 | 50
      statistics?: boolean
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: Group[]
  }
  /** List the groups to which a group is invited. */
  'GET /groups/:id/groups/shared': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      skip_groups?: number[]
      all_available?: boolean
      search?: string
      owned?: boolean
      order_by?: 'name' | 'path' | 'id' | 'similarity'
      sort?: 'asc' | 'desc'
      min_access_level?: 10 | 20 | 30 | 40 | 50
      statistics?: boolean
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
    }
    answer: Group[]
  }
  /** List the groups invited to a group or its parent groups. */
  'GET /groups/:id/invited_groups': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      skip_groups?: number[]
      all_available?: boolean
      search?: string
      owned?: boolean
      order_by?: 'name' | 'path' | 'id' | 'similarity'
      sort?: 'asc' | 'desc'
      min_access_level?: 10 | 20 | 30 | 40 | 50
      statistics?: boolean
      custom_attributes?: { [name: string]: unknown }
      with_custom_attributes?: boolean
      relation?: ('direct' | 'inherited')[]
    }
    answer: Group[]
  }
  /** Create a group. */
  'POST /groups': {
    input: {
      name: string
      path: string
      parent_id?: number
      description?: string
      visibility?: 'private' | 'internal' | 'public'
      share_with_group_lock?: boolean
      require_two_factor_authentication?: boolean
      two_factor_grace_period?: number
      project_creation_level?: 'noone' | 'owner' | 'maintainer' | 'developer'
      auto_devops_enabled?: boolean | null
      subgroup_creation_level?: 'owner' | 'maintainer'
      emails_disabled?: boolean | null
      mentions_disabled?: boolean | null
      lfs_enabled?: boolean
      request_access_enabled?: boolean
      default_branch_protection?: 0 | 1 | 2 | 3
      prevent_sharing_groups_outside_hierarchy?: boolean
      repository_size_limit?: number | null
      storage_size_limit?: number | null
      avatar?: Blob | null
    }
    answer: GroupDetail
  }
  /** Get a group. */
  'GET /groups/:id': {
    input: {
      id: number | string
      with_projects?: boolean
      statistics?: boolean
      render_html?: boolean
      with_custom_attributes?: boolean
      with_abilities?: boolean
    }
    answer: GroupWithAbilities
  }
  /** Change a group. */
  'PUT /groups/:id': {
    input: {
      id: number | string
      name?: string
      path?: string
      description?: string | null
      visibility?: 'private' | 'internal' | 'public'
      share_with_group_lock?: boolean
      require_two_factor_authentication?: boolean
      two_factor_grace_period?: number
      project_creation_level?: 'noone' | 'owner' | 'maintainer' | 'developer'
      auto_devops_enabled?: boolean | null
      subgroup_creation_level?: 'owner' | 'maintainer'
      emails_disabled?: boolean | null
      mentions_disabled?: boolean | null
      lfs_enabled?: boolean
      request_access_enabled?: boolean
      default_branch_protection?: 0 | 1 | 2 | 3
      prevent_sharing_groups_outside_hierarchy?: boolean
      repository_size_limit?: number | null
      storage_size_limit?: number | null
      file_template_project_id?: number | null
      avatar?: Blob | null
    }
    answer: GroupDetail
  }
  /** Delete a group with everything in it. */
  'DELETE /groups/:id': { input: { id: number | string }; answer: Message }
  /** Transfer a group to another group or to the top level. */
  'POST /groups/:id/transfer': {
    input: { id: number | string; group_id?: number }
    answer: GroupDetail
  }
  /** Transfer a project to a group. */
  'POST /groups/:id/projects/:project_id': {
    input: { id: number | string; project_id: string }
    answer: GroupDetail
  }
  /** List the groups to which a group can be transferred. */
  'GET /groups/:id/transfer_locations': {
    input: { id: number | string; page?: number; per_page?: number; search?: string }
    answer: GroupName[]
  }
  /** Invite a group to a group. */
  'POST /groups/:id/share': {
    input: {
      id: number | string
      group_id: number
      group_access: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: GroupDetail
  }
  /** Remove an invited group from a group. */
  'DELETE /groups/:id/share/:group_id': {
    input: { id: number | string; group_id: number }
    answer: void
  }
  /** Invite a group to a project. */
  'POST /projects/:id/share': {
    input: {
      id: number | string
      group_id: number
      group_access: 10 | 20 | 30 | 40 | 50
      expires_at?: string | null
    }
    answer: {
      id: number
      project_id: number
      group_id: number
      group_access: number
      expires_at: string | null
    }
  }
  /** Remove an invited group from a project. */
  'DELETE /projects/:id/share/:group_id': {
    input: { id: number | string; group_id: number }
    answer: void
  }
  /** Resolve an address of the web interface. */
  'GET /resolve': { input: { path: string; with_record?: boolean }; answer: ResolvedAddress }
  /** Get an archive of the files of a commit. */
  'GET /projects/:id/repository/archive': {
    input: { id: number | string; sha?: string; path?: string; format?: string }
    answer: unknown
  }
  /** Get an archive of the files of a commit in a format. */
  'GET /projects/:id/repository/archive.:format': {
    input: { id: number | string; format: string; sha?: string; path?: string }
    answer: unknown
  }
  /** Download the bare repository of a project, or of its wiki, as an uncompressed tar archive. */
  'GET /projects/:id/snapshot': { input: { id: number | string; wiki?: boolean }; answer: unknown }
  /** Get a blob with its content in Base64. */
  'GET /projects/:id/repository/blobs/:sha': {
    input: { id: number | string; sha: string }
    answer: GitBlob
  }
  /** Get the raw content of a blob. */
  'GET /projects/:id/repository/blobs/:sha/raw': {
    input: { id: number | string; sha: string }
    answer: unknown
  }
  /** List the branches of a project. */
  'GET /projects/:id/repository/branches': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      page_token?: string
      search?: string
      regex?: string
      sort?: 'name_asc' | 'updated_asc' | 'updated_desc'
    }
    answer: Branch[]
  }
  /** Get a branch. */
  'GET /projects/:id/repository/branches/:branch': {
    input: { id: number | string; branch: string }
    answer: Branch | undefined
  }
  /** Create a branch. */
  'POST /projects/:id/repository/branches': {
    input: { id: number | string; branch: string; ref: string }
    answer: Branch
  }
  /** Delete a branch. */
  'DELETE /projects/:id/repository/branches/:branch': {
    input: { id: number | string; branch: string }
    answer: void
  }
  /** Protect a branch, or change what Developers may do with it. */
  'PUT /projects/:id/repository/branches/:branch/protect': {
    input: {
      id: number | string
      branch: string
      developers_can_push?: boolean
      developers_can_merge?: boolean
    }
    answer: Branch
  }
  /** Unprotect a branch. */
  'PUT /projects/:id/repository/branches/:branch/unprotect': {
    input: { id: number | string; branch: string }
    answer: Branch
  }
  /** Delete the branches merged into the default branch, in the background. */
  'DELETE /projects/:id/repository/merged_branches': {
    input: { id: number | string }
    answer: Message
  }
  /** List commits. */
  'GET /projects/:id/repository/commits': {
    input: {
      id: number | string
      ref_name?: string
      since?: string
      until?: string
      path?: string
      author?: string
      search?: string
      all?: boolean
      with_stats?: boolean
      first_parent?: boolean
      order?: 'default' | 'topo'
      trailers?: boolean
      page?: number
      per_page?: number
    }
    answer: ListedCommit[]
  }
  /** Get a commit. */
  'GET /projects/:id/repository/commits/:sha': {
    input: { id: number | string; sha: string; stats?: boolean }
    answer: CommitDetail
  }
  /** Count the ancestors of a commit. */
  'GET /projects/:id/repository/commits/:sha/sequence': {
    input: { id: number | string; sha: string }
    answer: { count: number }
  }
  /** List the branches and tags that contain a commit. */
  'GET /projects/:id/repository/commits/:sha/refs': {
    input: {
      id: number | string
      sha: string
      type?: 'branch' | 'tag' | 'all'
      page?: number
      per_page?: number
    }
    answer: CommitRef[]
  }
  /** Get the diff of a commit. */
  'GET /projects/:id/repository/commits/:sha/diff': {
    input: {
      id: number | string
      sha: string
      text?: boolean
      whitespace?: 'show' | 'ignore'
      expanded?: boolean
      page?: number
      per_page?: number
    }
    answer: (FileDiff | ChangedFile)[]
  }
  /** Create a commit with several file actions. */
  'POST /projects/:id/repository/commits': {
    input: {
      id: number | string
      branch: string
      commit_message: string
      actions: {
        action: 'create' | 'update' | 'move' | 'delete' | 'chmod'
        file_path: string
        previous_path?: string
        content?: string
        encoding?: 'text' | 'base64'
        last_commit_id?: string
        execute_filemode?: boolean
      }[]
      start_branch?: string
      start_sha?: string
      start_project?: string
      author_email?: string
      author_name?: string
      stats?: boolean
      force?: boolean
    }
    answer: CommitDetail
  }
  /** Cherry-pick a commit. */
  'POST /projects/:id/repository/commits/:sha/cherry_pick': {
    input: { id: number | string; sha: string; branch: string; dry_run?: boolean; message?: string }
    answer: DryRun | Commit
  }
  /** Revert a commit. */
  'POST /projects/:id/repository/commits/:sha/revert': {
    input: { id: number | string; sha: string; branch: string; dry_run?: boolean }
    answer: DryRun | Commit
  }
  /** List the comments on a commit. */
  'GET /projects/:id/repository/commits/:sha/comments': {
    input: { id: number | string; sha: string; page?: number; per_page?: number }
    answer: CommitComment[]
  }
  /** Comment on a commit or on a line of it. */
  'POST /projects/:id/repository/commits/:sha/comments': {
    input: {
      id: number | string
      sha: string
      note: string
      path?: string
      line?: number
      line_type?: 'new' | 'old'
    }
    answer: CommitComment
  }
  /** Compare branches, tags or commits. */
  'GET /projects/:id/repository/compare': {
    input: {
      id: number | string
      from: string
      to: string
      from_project_id?: number
      straight?: boolean
    }
    answer: Comparison
  }
  /** List the changed files of a comparison. */
  'GET /projects/:id/repository/compare/diffs': {
    input: {
      id: number | string
      from: string
      to: string
      from_project_id?: number
      straight?: boolean
      text?: boolean
      whitespace?: 'show' | 'ignore'
      expanded?: boolean
      page?: number
      per_page?: number
    }
    answer: ChangedFile[]
  }
  /** Get the common ancestor of branches, tags or commits. */
  'GET /projects/:id/repository/merge_base': {
    input: { id: number | string; refs: string[] }
    answer: Commit
  }
  /** List the contributors of a repository. */
  'GET /projects/:id/repository/contributors': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      order_by?: 'email' | 'name' | 'commits'
      sort?: 'asc' | 'desc'
    }
    answer: Contributor[]
  }
  /** List all deploy keys. */
  'GET /deploy_keys': {
    input: { page?: number; per_page?: number; public?: boolean }
    answer: DeployKey[]
  }
  /** Add a public deploy key. */
  'POST /deploy_keys': {
    input: { key: string; title: string; expires_at?: string | null }
    answer: DeployKey
  }
  /** List the deploy keys of a project. */
  'GET /projects/:id/deploy_keys': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: EnabledKey[]
  }
  /** Get a deploy key of a project. */
  'GET /projects/:id/deploy_keys/:key_id': {
    input: { id: number | string; key_id: number }
    answer: EnabledKey
  }
  /** Add a deploy key to a project. */
  'POST /projects/:id/deploy_keys': {
    input: {
      id: number | string
      key: string
      title: string
      expires_at?: string | null
      can_push?: boolean
    }
    answer: EnabledKey
  }
  /** Change a deploy key of a project. */
  'PUT /projects/:id/deploy_keys/:key_id': {
    input: { id: number | string; key_id: number; title?: string; can_push?: boolean }
    answer: EnabledKey
  }
  /** Enable a deploy key that exists for a project. */
  'POST /projects/:id/deploy_keys/:key_id/enable': {
    input: { id: number | string; key_id: number }
    answer: EnabledKey
  }
  /** Remove a deploy key from a project. */
  'DELETE /projects/:id/deploy_keys/:key_id': {
    input: { id: number | string; key_id: number }
    answer: void
  }
  /** List all deploy tokens. */
  'GET /deploy_tokens': {
    input: { page?: number; per_page?: number; active?: boolean }
    answer: DeployToken[]
  }
  /** List the deploy tokens of a project. */
  'GET /projects/:id/deploy_tokens': {
    input: { id: number | string; page?: number; per_page?: number; active?: boolean }
    answer: DeployToken[]
  }
  /** Get a deploy token of a project. */
  'GET /projects/:id/deploy_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: DeployToken
  }
  /** Create a deploy token of a project. */
  'POST /projects/:id/deploy_tokens': {
    input: {
      id: number | string
      name: string
      scopes: (
        | 'read_repository'
        | 'read_registry'
        | 'write_registry'
        | 'read_package_registry'
        | 'write_package_registry'
      )[]
      expires_at?: string | null
      username?: string
    }
    answer: NewDeployToken
  }
  /** Revoke a deploy token of a project. */
  'DELETE /projects/:id/deploy_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: void
  }
  /** List the deploy tokens of a group. */
  'GET /groups/:id/deploy_tokens': {
    input: { id: number | string; page?: number; per_page?: number; active?: boolean }
    answer: DeployToken[]
  }
  /** Get a deploy token of a group. */
  'GET /groups/:id/deploy_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: DeployToken
  }
  /** Create a deploy token of a group. */
  'POST /groups/:id/deploy_tokens': {
    input: {
      id: number | string
      name: string
      scopes: (
        | 'read_repository'
        | 'read_registry'
        | 'write_registry'
        | 'read_package_registry'
        | 'write_package_registry'
      )[]
      expires_at?: string | null
      username?: string
    }
    answer: NewDeployToken
  }
  /** Revoke a deploy token of a group. */
  'DELETE /groups/:id/deploy_tokens/:token_id': {
    input: { id: number | string; token_id: number }
    answer: void
  }
  /** Get a file with its content in Base64. */
  'GET /projects/:id/repository/files/:file_path': {
    input: { id: number | string; file_path: string; ref: string }
    answer: RepositoryFile
  }
  /** Get the blame of a file. */
  'GET /projects/:id/repository/files/:file_path/blame': {
    input: { id: number | string; file_path: string; ref: string; range?: BlameRange }
    answer: {
      commit: {
        id: string
        parent_ids: string[]
        message: string
        authored_date: string
        author_name: string
        author_email: string
        committed_date: string
        committer_name: string
        committer_email: string
      }
      lines: string[]
    }[]
  }
  /** Get a file as HTML. */
  'GET /projects/:id/repository/files/:file_path/rendered': {
    input: { id: number | string; file_path: string; ref?: string }
    answer: RenderedFile
  }
  /** Get the raw content of a file. */
  'GET /projects/:id/repository/files/:file_path/raw': {
    input: { id: number | string; file_path: string; ref?: string; lfs?: boolean }
    answer: unknown
  }
  /** Create a file. */
  'POST /projects/:id/repository/files/:file_path': {
    input: {
      id: number | string
      file_path: string
      branch: string
      commit_message: string
      start_branch?: string
      author_email?: string
      author_name?: string
      content: string
      encoding?: 'base64' | 'text'
      execute_filemode?: boolean
    }
    answer: FileWrite
  }
  /** Change a file. */
  'PUT /projects/:id/repository/files/:file_path': {
    input: {
      id: number | string
      file_path: string
      branch: string
      commit_message: string
      start_branch?: string
      author_email?: string
      author_name?: string
      content: string
      encoding?: 'base64' | 'text'
      last_commit_id?: string
      execute_filemode?: boolean
    }
    answer: FileWrite
  }
  /** Delete a file. */
  'DELETE /projects/:id/repository/files/:file_path': {
    input: {
      id: number | string
      file_path: string
      branch: string
      commit_message: string
      start_branch?: string
      author_email?: string
      author_name?: string
      last_commit_id?: string
    }
    answer: void
  }
  /** List the code owners of a file. */
  'GET /projects/:id/repository/files/:file_path/code_owners': {
    input: { id: number | string; file_path: string; ref?: string }
    answer: CodeOwners[]
  }
  /** Get the languages of a project. */
  'GET /projects/:id/languages': {
    input: { id: number | string }
    answer: { [name: string]: number }
  }
  /** Start housekeeping of a repository. */
  'POST /projects/:id/housekeeping': {
    input: { id: number | string; task?: 'eager' | 'prune' }
    answer: null
  }
  /** Get the storage of a project's repository. */
  'GET /projects/:id/storage': {
    input: { id: number | string }
    answer: {
      project_id: number
      disk_path: string
      created_at: string
      repository_storage: string
    }
  }
  /** List the protected branches and wildcards of a project. */
  'GET /projects/:id/protected_branches': {
    input: { id: number | string; page?: number; per_page?: number; search?: string }
    answer: ProtectedBranch[]
  }
  /** Get a protected branch or wildcard by its exact name. */
  'GET /projects/:id/protected_branches/:name': {
    input: { id: number | string; name: string }
    answer: ProtectedBranch
  }
  /** Protect a branch or all that match a wildcard. */
  'POST /projects/:id/protected_branches': {
    input: {
      id: number | string
      name: string
      push_access_level?: 0 | 30 | 40 | 60
      merge_access_level?: 0 | 30 | 40 | 60
      unprotect_access_level?: 30 | 40 | 60
      allow_force_push?: boolean
      allowed_to_push?: AllowedInput[]
      allowed_to_merge?: AllowedInput[]
      allowed_to_unprotect?: AllowedToUnprotectInput[]
      code_owner_approval_required?: boolean
    }
    answer: ProtectedBranch
  }
  /** Change the protection of a branch. */
  'PATCH /projects/:id/protected_branches/:name': {
    input: {
      id: number | string
      name: string
      allow_force_push?: boolean
      code_owner_approval_required?: boolean
      allowed_to_push?: ChangedInput[]
      allowed_to_merge?: ChangedInput[]
      allowed_to_unprotect?: ChangedToUnprotectInput[]
    }
    answer: ProtectedBranch
  }
  /** Unprotect a branch or wildcard. */
  'DELETE /projects/:id/protected_branches/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** List the branches and wildcards protected for all projects of a group. */
  'GET /groups/:id/protected_branches': {
    input: { id: number | string; page?: number; per_page?: number; search?: string }
    answer: ProtectedBranch[]
  }
  /** Get a protected branch or wildcard of a group by its exact name. */
  'GET /groups/:id/protected_branches/:name': {
    input: { id: number | string; name: string }
    answer: ProtectedBranch
  }
  /** Protect a branch or wildcard for all projects of a group. */
  'POST /groups/:id/protected_branches': {
    input: {
      id: number | string
      name: string
      push_access_level?: 0 | 30 | 40 | 60
      merge_access_level?: 0 | 30 | 40 | 60
      unprotect_access_level?: 30 | 40 | 60
      allow_force_push?: boolean
      allowed_to_push?: AllowedInput[]
      allowed_to_merge?: AllowedInput[]
      allowed_to_unprotect?: AllowedToUnprotectInput[]
      code_owner_approval_required?: boolean
    }
    answer: ProtectedBranch
  }
  /** Change a protected branch or wildcard of a group. */
  'PATCH /groups/:id/protected_branches/:name': {
    input: {
      id: number | string
      name: string
      allow_force_push?: boolean
      code_owner_approval_required?: boolean
      allowed_to_push?: ChangedInput[]
      allowed_to_merge?: ChangedInput[]
      allowed_to_unprotect?: ChangedToUnprotectInput[]
    }
    answer: ProtectedBranch
  }
  /** Unprotect a branch or wildcard for all projects of a group. */
  'DELETE /groups/:id/protected_branches/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** List the protected tags and wildcards of a project. */
  'GET /projects/:id/protected_tags': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProtectedTag[]
  }
  /** Get a protected tag or wildcard. */
  'GET /projects/:id/protected_tags/:name': {
    input: { id: number | string; name: string }
    answer: ProtectedTag
  }
  /** Protect a tag, or all tags that a wildcard matches. */
  'POST /projects/:id/protected_tags': {
    input: {
      id: number | string
      name: string
      create_access_level?: 0 | 30 | 40
      allowed_to_create?: { user_id?: number; group_id?: number; access_level?: 0 | 30 | 40 }[]
    }
    answer: ProtectedTag
  }
  /** Unprotect a tag or wildcard. */
  'DELETE /projects/:id/protected_tags/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** List the push mirrors of a project. */
  'GET /projects/:id/remote_mirrors': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: RemoteMirror[]
  }
  /** Get a push mirror of a project. */
  'GET /projects/:id/remote_mirrors/:mirror_id': {
    input: { id: number | string; mirror_id: number }
    answer: RemoteMirror
  }
  /** Add a push mirror to a project. */
  'POST /projects/:id/remote_mirrors': {
    input: {
      id: number | string
      url: string
      enabled?: boolean
      only_protected_branches?: boolean
      keep_divergent_refs?: boolean
    }
    answer: RemoteMirror
  }
  /** Change a push mirror of a project. */
  'PUT /projects/:id/remote_mirrors/:mirror_id': {
    input: {
      id: number | string
      mirror_id: number
      enabled?: boolean
      only_protected_branches?: boolean
      keep_divergent_refs?: boolean
    }
    answer: RemoteMirror
  }
  /** Push to a mirror of a project now. */
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': {
    input: { id: number | string; mirror_id: number }
    answer: void
  }
  /** Remove a push mirror of a project. */
  'DELETE /projects/:id/remote_mirrors/:mirror_id': {
    input: { id: number | string; mirror_id: number }
    answer: void
  }
  /** Get the signature of a commit. */
  'GET /projects/:id/repository/commits/:sha/signature': {
    input: { id: number | string; sha: string }
    answer: PgpSignature | X509Signature | SshSignature
  }
  /** Get the signatures of several commits. */
  'GET /projects/:id/repository/signatures': {
    input: { id: number | string; shas: string[] }
    answer: { sha: string; signature: PgpSignature | X509Signature | SshSignature | null }[]
  }
  /** Get the signature of a tag. */
  'GET /projects/:id/repository/tags/:tag_name/signature': {
    input: { id: number | string; tag_name: string }
    answer: PgpSignature | X509Signature | SshSignature
  }
  /** List the tags of a project. */
  'GET /projects/:id/repository/tags': {
    input: {
      id: number | string
      order_by?: 'name' | 'updated' | 'version'
      sort?: 'asc' | 'desc'
      search?: string
      page?: number
      per_page?: number
      pagination?: 'keyset' | 'legacy'
      page_token?: string
    }
    answer: Tag[]
  }
  /** Get a tag. */
  'GET /projects/:id/repository/tags/:tag_name': {
    input: { id: number | string; tag_name: string }
    answer: Tag
  }
  /** Create a tag. */
  'POST /projects/:id/repository/tags': {
    input: { id: number | string; tag_name: string; ref: string; message?: string }
    answer: Tag
  }
  /** Delete a tag. */
  'DELETE /projects/:id/repository/tags/:tag_name': {
    input: { id: number | string; tag_name: string }
    answer: void
  }
  /** List the templates: Dockerfile. */
  'GET /templates/dockerfiles': {
    input: { page?: number; per_page?: number }
    answer: ListedTemplate[]
  }
  /** Get a template: Dockerfile. */
  'GET /templates/dockerfiles/:name': { input: { name: string }; answer: Template }
  /** List the templates: Gitignore. */
  'GET /templates/gitignores': {
    input: { page?: number; per_page?: number }
    answer: ListedTemplate[]
  }
  /** Get a template: Gitignore. */
  'GET /templates/gitignores/:name': { input: { name: string }; answer: Template }
  /** List the templates: Gitlab ci yml. */
  'GET /templates/gitlab_ci_ymls': {
    input: { page?: number; per_page?: number }
    answer: ListedTemplate[]
  }
  /** Get a template: Gitlab ci yml. */
  'GET /templates/gitlab_ci_ymls/:name': { input: { name: string }; answer: Template }
  /** List license templates. */
  'GET /templates/licenses': {
    input: { popular?: boolean; page?: number; per_page?: number }
    answer: LicenseTemplate[]
  }
  /** Get a license template. */
  'GET /templates/licenses/:name': {
    input: { name: string; project?: string; fullname?: string }
    answer: LicenseTemplate
  }
  /** List the templates of a kind for a project. */
  'GET /projects/:id/templates/:type': {
    input: {
      id: number | string
      type:
        | 'dockerfiles'
        | 'gitignores'
        | 'gitlab_ci_ymls'
        | 'licenses'
        | 'issues'
        | 'merge_requests'
      page?: number
      per_page?: number
    }
    answer: ListedTemplate[]
  }
  /** Get a template for a project. */
  'GET /projects/:id/templates/:type/:name': {
    input: {
      id: number | string
      type:
        | 'dockerfiles'
        | 'gitignores'
        | 'gitlab_ci_ymls'
        | 'licenses'
        | 'issues'
        | 'merge_requests'
      name: string
      source_template_project_id?: number
      project?: string
      fullname?: string
    }
    answer: Template | LicenseTemplate
  }
  /** List files and folders. */
  'GET /projects/:id/repository/tree': {
    input: {
      id: number | string
      ref?: string
      path?: string
      recursive?: boolean
      page?: number
      per_page?: number
      pagination?: 'legacy' | 'keyset' | 'none'
      page_token?: string
      with_last_commit?: boolean
    }
    answer: TreeEntry[]
  }
  /** List the paths of all files, one a line. */
  'GET /projects/:id/repository/paths': {
    input: { id: number | string; ref?: string }
    answer: string
  }
  /** Get the archive of a job. */
  'GET /projects/:id/jobs/:job_id/artifacts': {
    input: { id: number | string; job_id: number }
    answer: unknown
  }
  /** Get the archive of a job of the latest successful pipeline. */
  'GET /projects/:id/jobs/artifacts/:ref_name/download': {
    input: { id: number | string; ref_name: string; job: string }
    answer: unknown
  }
  /** List a folder of the archive of a job. */
  'GET /projects/:id/jobs/:job_id/artifacts/tree': {
    input: { id: number | string; job_id: number; path?: string; page?: number; per_page?: number }
    answer: ArtifactEntry[]
  }
  /** Get a file of the archive of a job. */
  'GET /projects/:id/jobs/:job_id/artifacts/:artifact_path': {
    input: { id: number | string; job_id: number; artifact_path: string }
    answer: unknown
  }
  /** Get a file of the archive of a job of the latest successful pipeline. */
  'GET /projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path': {
    input: { id: number | string; ref_name: string; artifact_path: string; job: string }
    answer: unknown
  }
  /** Keep the artifacts of a job. */
  'POST /projects/:id/jobs/:job_id/artifacts/keep': {
    input: { id: number | string; job_id: number }
    answer: KeptJob
  }
  /** Delete the artifacts of a job. */
  'DELETE /projects/:id/jobs/:job_id/artifacts': {
    input: { id: number | string; job_id: number }
    answer: void
  }
  /** Delete the artifacts of a project, except the latest of each reference. */
  'DELETE /projects/:id/artifacts': { input: { id: number | string }; answer: Message }
  /** List the statuses of a commit. */
  'GET /projects/:id/repository/commits/:sha/statuses': {
    input: {
      id: number | string
      sha: string
      ref?: string
      stage?: string
      name?: string
      all?: boolean
      pipeline_id?: number
      page?: number
      per_page?: number
    }
    answer: CommitStatus[]
  }
  /** Report the status of a commit. */
  'POST /projects/:id/statuses/:sha': {
    input: {
      id: number | string
      sha: string
      state: 'pending' | 'running' | 'success' | 'failed' | 'canceled'
      ref?: string
      name?: string
      context?: string
      target_url?: string
      description?: string
      coverage?: number
      pipeline_id?: number
    }
    answer: CommitStatus
  }
  /** List the protected environments of a project. */
  'GET /projects/:id/protected_environments': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProtectedEnvironment[]
  }
  /** Get a protected environment of a project. */
  'GET /projects/:id/protected_environments/:name': {
    input: { id: number | string; name: string }
    answer: ProtectedEnvironment
  }
  /** Protect an environment of a project. */
  'POST /projects/:id/protected_environments': {
    input: {
      id: number | string
      name: string
      deploy_access_levels: DeployAccessLevelInput[]
      required_approval_count?: number
      approval_rules?: ApprovalRuleInput[]
    }
    answer: ProtectedEnvironment
  }
  /** Update a protected environment of a project. */
  'PUT /projects/:id/protected_environments/:name': {
    input: {
      id: number | string
      name: string
      deploy_access_levels?: DeployAccessLevelInput[]
      required_approval_count?: number
      approval_rules?: ApprovalRuleInput[]
    }
    answer: ProtectedEnvironment
  }
  /** Unprotect an environment of a project. */
  'DELETE /projects/:id/protected_environments/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** List the protected environments of a group. */
  'GET /groups/:id/protected_environments': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProtectedEnvironment[]
  }
  /** Get a protected environment of a group. */
  'GET /groups/:id/protected_environments/:name': {
    input: { id: number | string; name: string }
    answer: ProtectedEnvironment
  }
  /** Protect an environment of a group. */
  'POST /groups/:id/protected_environments': {
    input: {
      id: number | string
      name: string
      deploy_access_levels: DeployAccessLevelInput[]
      required_approval_count?: number
      approval_rules?: ApprovalRuleInput[]
    }
    answer: ProtectedEnvironment
  }
  /** Update a protected environment of a group. */
  'PUT /groups/:id/protected_environments/:name': {
    input: {
      id: number | string
      name: string
      deploy_access_levels?: DeployAccessLevelInput[]
      required_approval_count?: number
      approval_rules?: ApprovalRuleInput[]
    }
    answer: ProtectedEnvironment
  }
  /** Unprotect an environment of a group. */
  'DELETE /groups/:id/protected_environments/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** List the environments of a project. */
  'GET /projects/:id/environments': {
    input: {
      id: number | string
      name?: string
      search?: string
      states?: 'available' | 'stopping' | 'stopped'
      page?: number
      per_page?: number
    }
    answer: Environment[]
  }
  /** Get an environment. */
  'GET /projects/:id/environments/:environment_id': {
    input: { id: number | string; environment_id: number }
    answer: EnvironmentDetail
  }
  /** Create an environment. */
  'POST /projects/:id/environments': {
    input: {
      id: number | string
      name: string
      description?: string
      external_url?: string
      tier?: 'production' | 'staging' | 'testing' | 'development' | 'other'
      slug?: unknown
    }
    answer: Environment
  }
  /** Change an environment. */
  'PUT /projects/:id/environments/:environment_id': {
    input: {
      id: number | string
      environment_id: number
      description?: string | null
      external_url?: string | null
      tier?: 'production' | 'staging' | 'testing' | 'development' | 'other'
      slug?: unknown
    }
    answer: Environment
  }
  /** Stop an environment. */
  'POST /projects/:id/environments/:environment_id/stop': {
    input: { id: number | string; environment_id: number; force?: boolean }
    answer: Environment
  }
  /** Delete a stopped environment. */
  'DELETE /projects/:id/environments/:environment_id': {
    input: { id: number | string; environment_id: number }
    answer: void
  }
  /** List the deployments of a project. */
  'GET /projects/:id/deployments': {
    input: {
      id: number | string
      order_by?: 'id' | 'iid' | 'created_at' | 'updated_at' | 'ref'
      sort?: 'asc' | 'desc'
      environment?: string
      status?: 'created' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | 'blocked'
      updated_after?: string
      updated_before?: string
      page?: number
      per_page?: number
    }
    answer: Deployment[]
  }
  /** Get a deployment. */
  'GET /projects/:id/deployments/:deployment_id': {
    input: { id: number | string; deployment_id: number }
    answer: DeploymentDetail
  }
  /** Approve or reject a deployment that waits for approvals. */
  'POST /projects/:id/deployments/:deployment_id/approval': {
    input: {
      id: number | string
      deployment_id: number
      status: 'approved' | 'rejected'
      comment?: string
    }
    answer: DeploymentApproval
  }
  /** List the jobs of all projects, the newest first. */
  'GET /admin/jobs': {
    input: {
      scope?: (
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      )[]
      page?: number
      per_page?: number
    }
    answer: Job[]
  }
  /** List the jobs of a project. */
  'GET /projects/:id/jobs': {
    input: {
      id: number | string
      scope?: (
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      )[]
      include_retried?: boolean
      with_artifacts?: boolean
      page?: number
      per_page?: number
    }
    answer: Job[]
  }
  /** List the jobs of a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id/jobs': {
    input: {
      id: number | string
      pipeline_id: number
      scope?: (
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      )[]
      include_retried?: boolean
      with_needs?: boolean
      page?: number
      per_page?: number
    }
    answer: (Job & JobNeeds)[]
  }
  /** List the trigger jobs of a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id/bridges': {
    input: {
      id: number | string
      pipeline_id: number
      scope?: (
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      )[]
      include_retried?: boolean
      with_needs?: boolean
      page?: number
      per_page?: number
    }
    answer: (Bridge & JobNeeds)[]
  }
  /** Get a job. */
  'GET /projects/:id/jobs/:job_id': {
    input: { id: number | string; job_id: number; with_abilities?: boolean }
    answer: Job & JobAbilities
  }
  /** Get the log of a job. */
  'GET /projects/:id/jobs/:job_id/trace': {
    input: { id: number | string; job_id: number; index?: boolean }
    answer: string | LogIndex | string
  }
  /** Cancel a job. */
  'POST /projects/:id/jobs/:job_id/cancel': {
    input: { id: number | string; job_id: number }
    answer: Job
  }
  /** Retry a job. */
  'POST /projects/:id/jobs/:job_id/retry': {
    input: { id: number | string; job_id: number }
    answer: Job
  }
  /** Erase the log and the artifacts of a job. */
  'POST /projects/:id/jobs/:job_id/erase': {
    input: { id: number | string; job_id: number }
    answer: Job
  }
  /** Run a manual or delayed job. */
  'POST /projects/:id/jobs/:job_id/play': {
    input: { id: number | string; job_id: number; job_variables_attributes?: JobVariableInput[] }
    answer: Job | Bridge
  }
  /** Get the job of a job token. */
  'GET /job': { input: Record<string, never>; answer: Job }
  /** Update the state of a job. */
  'PUT /jobs/:id': {
    input: {
      id: number
      token: string
      state?: 'pending' | 'running' | 'success' | 'failed'
      failure_reason?: string
      checksum?: string
      output?: { checksum?: string; bytesize?: number }
      exit_code?: number
    }
    answer: number
  }
  /** Check a project's pipeline configuration. */
  'GET /projects/:id/ci/lint': {
    input: {
      id: number | string
      dry_run?: boolean
      include_jobs?: boolean
      ref?: string
      sha?: string
    }
    answer: LintResult
  }
  /** Check a pipeline configuration as one of a project. */
  'POST /projects/:id/ci/lint': {
    input: {
      id: number | string
      content: string
      dry_run?: boolean
      include_jobs?: boolean
      ref?: string
      sha?: string
    }
    answer: LintResult
  }
  /** Check a pipeline configuration. */
  'POST /ci/lint': {
    input: { content: string; include_merged_yaml?: boolean; include_jobs?: boolean }
    answer: {
      status: string
      errors: string[]
      warnings: string[]
      merged_yaml?: string | null
      jobs?: LintedJob[]
    }
  }
  /** List the secure files of a project. */
  'GET /projects/:id/secure_files': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: SecureFile[]
  }
  /** Get the details of a secure file. */
  'GET /projects/:id/secure_files/:secure_file_id': {
    input: { id: number | string; secure_file_id: number }
    answer: SecureFile
  }
  /** Download a secure file. */
  'GET /projects/:id/secure_files/:secure_file_id/download': {
    input: { id: number | string; secure_file_id: number }
    answer: unknown
  }
  /** Add a secure file to a project. */
  'POST /projects/:id/secure_files': {
    input: { id: number | string; name: string; file: Blob }
    answer: SecureFile
  }
  /** Remove a secure file. */
  'DELETE /projects/:id/secure_files/:secure_file_id': {
    input: { id: number | string; secure_file_id: number }
    answer: void
  }
  /** Get the job token scope of a project. */
  'GET /projects/:id/job_token_scope': { input: { id: number | string }; answer: JobTokenAccess }
  /** Update the job token scope of a project. */
  'PATCH /projects/:id/job_token_scope': {
    input: { id: number | string; enabled: boolean }
    answer: void
  }
  /** List the projects on the job token allowlist. */
  'GET /projects/:id/job_token_scope/allowlist': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: SimpleProject[]
  }
  /** Add a project to the job token allowlist. */
  'POST /projects/:id/job_token_scope/allowlist': {
    input: { id: number | string; target_project_id: number }
    answer: JobTokenProject
  }
  /** Remove a project from the job token allowlist. */
  'DELETE /projects/:id/job_token_scope/allowlist/:target_project_id': {
    input: { id: number | string; target_project_id: number }
    answer: void
  }
  /** List the groups on the job token allowlist. */
  'GET /projects/:id/job_token_scope/groups_allowlist': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: JobTokenGroup[]
  }
  /** Add a group to the job token allowlist. */
  'POST /projects/:id/job_token_scope/groups_allowlist': {
    input: { id: number | string; target_group_id: number }
    answer: JobTokenGroupLink
  }
  /** Remove a group from the job token allowlist. */
  'DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id': {
    input: { id: number | string; target_group_id: number }
    answer: void
  }
  /** List the pipelines of a project. */
  'GET /projects/:id/pipelines': {
    input: {
      id: number | string
      scope?: 'running' | 'pending' | 'finished' | 'branches' | 'tags'
      status?:
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      ref?: string
      sha?: string
      source?:
        | 'push'
        | 'web'
        | 'trigger'
        | 'schedule'
        | 'api'
        | 'external'
        | 'pipeline'
        | 'chat'
        | 'merge_request_event'
        | 'external_pull_request_event'
        | 'parent_pipeline'
        | 'ondemand_dast_scan'
      yaml_errors?: boolean
      username?: string
      name?: string
      updated_after?: string
      updated_before?: string
      created_after?: string
      created_before?: string
      order_by?: 'id' | 'status' | 'ref' | 'updated_at' | 'user_id'
      sort?: 'asc' | 'desc'
      with_details?: boolean
      page?: number
      per_page?: number
    }
    answer: (BasicPipeline & PipelineDetails)[]
  }
  /** Get the newest pipeline of the head of a branch or tag. */
  'GET /projects/:id/pipelines/latest': {
    input: { id: number | string; ref?: string }
    answer: Pipeline
  }
  /** Get a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id': {
    input: {
      id: number | string
      pipeline_id: number
      with_abilities?: boolean
      with_details?: boolean
    }
    answer: Pipeline & PipelineDetails & PipelineAbilities
  }
  /** List the variables of a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id/variables': {
    input: { id: number | string; pipeline_id: number }
    answer: { variable_type: 'env_var' | 'file'; key: string; value: string; raw: boolean }[]
  }
  /** Retry the failed and canceled jobs of a pipeline. */
  'POST /projects/:id/pipelines/:pipeline_id/retry': {
    input: { id: number | string; pipeline_id: number }
    answer: Pipeline
  }
  /** Cancel the jobs of a pipeline. */
  'POST /projects/:id/pipelines/:pipeline_id/cancel': {
    input: { id: number | string; pipeline_id: number }
    answer: Pipeline
  }
  /** Delete a pipeline with its jobs, logs and artifacts. */
  'DELETE /projects/:id/pipelines/:pipeline_id': {
    input: { id: number | string; pipeline_id: number }
    answer: void
  }
  /** Start a pipeline. */
  'POST /projects/:id/pipeline': {
    input: {
      id: number | string
      ref: string
      variables?: {
        key: string
        value: string
        variable_type?: 'env_var' | 'file'
        raw?: boolean
      }[]
    }
    answer: Pipeline
  }
  /** List the pipeline schedules of a project. */
  'GET /projects/:id/pipeline_schedules': {
    input: { id: number | string; scope?: 'active' | 'inactive'; page?: number; per_page?: number }
    answer: PipelineSchedule[]
  }
  /** Preview the next runs of a pipeline schedule. */
  'GET /projects/:id/pipeline_schedules/preview': {
    input: { id: number | string; cron: string; cron_timezone?: string }
    answer: PipelineSchedulePreview
  }
  /** Get a pipeline schedule. */
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id': {
    input: { id: number | string; pipeline_schedule_id: number }
    answer: PipelineScheduleDetails
  }
  /** List the pipelines of a pipeline schedule. */
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines': {
    input: { id: number | string; pipeline_schedule_id: number; page?: number; per_page?: number }
    answer: BasicPipeline[]
  }
  /** Create a pipeline schedule. */
  'POST /projects/:id/pipeline_schedules': {
    input: {
      id: number | string
      description: string
      ref: string
      cron: string
      cron_timezone?: string
      active?: boolean
    }
    answer: PipelineScheduleDetails
  }
  /** Update a pipeline schedule (only its owner). */
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': {
    input: {
      id: number | string
      pipeline_schedule_id: number
      description?: string
      ref?: string
      cron?: string
      cron_timezone?: string
      active?: boolean
    }
    answer: PipelineScheduleDetails
  }
  /** Take ownership of a pipeline schedule. */
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership': {
    input: { id: number | string; pipeline_schedule_id: number }
    answer: PipelineScheduleDetails
  }
  /** Delete a pipeline schedule. */
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id': {
    input: { id: number | string; pipeline_schedule_id: number }
    answer: PipelineScheduleDetails
  }
  /** Run a pipeline schedule now. */
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': {
    input: { id: number | string; pipeline_schedule_id: number }
    answer: Message
  }
  /** Create a variable of a pipeline schedule. */
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': {
    input: {
      id: number | string
      pipeline_schedule_id: number
      key: string
      value: string
      variable_type?: 'env_var' | 'file'
      raw?: boolean
    }
    answer: PipelineScheduleVariable
  }
  /** Change a variable of a pipeline schedule. */
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': {
    input: {
      id: number | string
      pipeline_schedule_id: number
      key: string
      value: string
      variable_type?: 'env_var' | 'file'
      raw?: boolean
    }
    answer: PipelineScheduleVariable
  }
  /** Delete a variable of a pipeline schedule. */
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': {
    input: { id: number | string; pipeline_schedule_id: number; key: string }
    answer: PipelineScheduleVariable
  }
  /** List the resource groups of a project. */
  'GET /projects/:id/resource_groups': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ResourceGroup[]
  }
  /** Get a resource group. */
  'GET /projects/:id/resource_groups/:key': {
    input: { id: number | string; key: string }
    answer: ResourceGroup
  }
  /** Get the current job of a resource group. */
  'GET /projects/:id/resource_groups/:key/current_job': {
    input: { id: number | string; key: string }
    answer: Job
  }
  /** List the upcoming jobs of a resource group. */
  'GET /projects/:id/resource_groups/:key/upcoming_jobs': {
    input: { id: number | string; key: string; page?: number; per_page?: number }
    answer: Job[]
  }
  /** Update a resource group. */
  'PUT /projects/:id/resource_groups/:key': {
    input: {
      id: number | string
      key: string
      process_mode?: 'unordered' | 'oldest_first' | 'newest_first' | 'newest_ready_first'
    }
    answer: ResourceGroup
  }
  /** Register a runner. */
  'POST /runners': {
    input: {
      token: string
      description?: string
      maintenance_note?: string | null
      maintainer_note?: string | null
      tag_list?: string[]
      run_untagged?: boolean
      locked?: boolean
      paused?: boolean
      active?: boolean
      access_level?: 'not_protected' | 'ref_protected'
      maximum_timeout?: number | null
      info?: { [name: string]: unknown }
    }
    answer: RunnerToken
  }
  /** Verify the token of a runner. */
  'POST /runners/verify': {
    input: { token?: string; system_id?: string; info?: { [name: string]: unknown } }
    answer: RunnerToken
  }
  /** Remove a runner by its token. */
  'DELETE /runners': { input: { token?: string; system_id?: string }; answer: void }
  /** Delete a runner manager. */
  'DELETE /runners/managers': { input: { token?: string; system_id: string }; answer: void }
  /** Reset the token of a runner. */
  'POST /runners/reset_authentication_token': {
    input: { token?: string; system_id?: string }
    answer: ResetRunnerToken
  }
  /** Request a job. */
  'POST /jobs/request': {
    input: {
      token?: string
      system_id?: string
      info?: { [name: string]: unknown }
      last_update?: string
      job_age?: number
      session?: { [name: string]: unknown }
    }
    answer: { [name: string]: unknown } | undefined
  }
  /** List the runners that you manage. */
  'GET /runners': {
    input: {
      type?: 'instance_type' | 'group_type' | 'project_type'
      status?: 'online' | 'offline' | 'stale' | 'never_contacted' | 'active' | 'paused'
      paused?: boolean
      tag_list?: string[]
      scope?:
        | 'online'
        | 'offline'
        | 'stale'
        | 'never_contacted'
        | 'active'
        | 'paused'
        | 'specific'
        | 'shared'
        | 'instance_type'
        | 'group_type'
        | 'project_type'
      page?: number
      per_page?: number
    }
    answer: JobRunner[]
  }
  /** List all runners. */
  'GET /runners/all': {
    input: {
      type?: 'instance_type' | 'group_type' | 'project_type'
      status?: 'online' | 'offline' | 'stale' | 'never_contacted' | 'active' | 'paused'
      paused?: boolean
      tag_list?: string[]
      scope?:
        | 'online'
        | 'offline'
        | 'stale'
        | 'never_contacted'
        | 'active'
        | 'paused'
        | 'specific'
        | 'shared'
        | 'instance_type'
        | 'group_type'
        | 'project_type'
      page?: number
      per_page?: number
    }
    answer: JobRunner[]
  }
  /** Get a runner. */
  'GET /runners/:runner_id': { input: { runner_id: number }; answer: RunnerDetail }
  /** Change a runner. */
  'PUT /runners/:runner_id': {
    input: {
      runner_id: number
      description?: string
      maintenance_note?: string | null
      maintainer_note?: string | null
      tag_list?: string[]
      run_untagged?: boolean
      locked?: boolean
      paused?: boolean
      active?: boolean
      access_level?: 'not_protected' | 'ref_protected'
      maximum_timeout?: number | null
    }
    answer: RunnerDetail
  }
  /** Remove a runner. */
  'DELETE /runners/:runner_id': { input: { runner_id: number }; answer: void }
  /** List the jobs of a runner. */
  'GET /runners/:runner_id/jobs': {
    input: {
      runner_id: number
      status?:
        | 'created'
        | 'waiting_for_resource'
        | 'preparing'
        | 'pending'
        | 'running'
        | 'success'
        | 'failed'
        | 'canceled'
        | 'skipped'
        | 'manual'
        | 'scheduled'
      order_by?: 'id'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
    }
    answer: Job[]
  }
  /** Reset the token of a runner. */
  'POST /runners/:runner_id/reset_authentication_token': {
    input: { runner_id: number }
    answer: RunnerRegistration
  }
  /** Reset the registration token of the instance. */
  'POST /runners/reset_registration_token': {
    input: Record<string, never>
    answer: RunnerRegistration
  }
  /** Create a runner. */
  'POST /user/runners': {
    input: {
      runner_type: 'instance_type' | 'group_type' | 'project_type'
      group_id?: number
      project_id?: number
      description?: string
      maintenance_note?: string | null
      maintainer_note?: string | null
      tag_list?: string[]
      run_untagged?: boolean
      locked?: boolean
      paused?: boolean
      active?: boolean
      access_level?: 'not_protected' | 'ref_protected'
      maximum_timeout?: number | null
    }
    answer: RunnerToken
  }
  /** List the runners that serve a project. */
  'GET /projects/:id/runners': {
    input: {
      id: number | string
      type?: 'instance_type' | 'group_type' | 'project_type'
      status?: 'online' | 'offline' | 'stale' | 'never_contacted' | 'active' | 'paused'
      paused?: boolean
      tag_list?: string[]
      scope?:
        | 'online'
        | 'offline'
        | 'stale'
        | 'never_contacted'
        | 'active'
        | 'paused'
        | 'specific'
        | 'shared'
        | 'instance_type'
        | 'group_type'
        | 'project_type'
      page?: number
      per_page?: number
    }
    answer: JobRunner[]
  }
  /** Enable a project runner for a project. */
  'POST /projects/:id/runners': {
    input: { id: number | string; runner_id: number }
    answer: JobRunner
  }
  /** Disable a project runner for a project. */
  'DELETE /projects/:id/runners/:runner_id': {
    input: { id: number | string; runner_id: number }
    answer: void
  }
  /** Reset the registration token of a project. */
  'POST /projects/:id/runners/reset_registration_token': {
    input: { id: number | string }
    answer: RunnerRegistration
  }
  /** List the runners that serve a group. */
  'GET /groups/:id/runners': {
    input: {
      id: number | string
      type?: 'instance_type' | 'group_type' | 'project_type'
      status?: 'online' | 'offline' | 'stale' | 'never_contacted' | 'active' | 'paused'
      paused?: boolean
      tag_list?: string[]
      scope?:
        | 'online'
        | 'offline'
        | 'stale'
        | 'never_contacted'
        | 'active'
        | 'paused'
        | 'specific'
        | 'shared'
        | 'instance_type'
        | 'group_type'
        | 'project_type'
      page?: number
      per_page?: number
    }
    answer: JobRunner[]
  }
  /** Reset the registration token of a group. */
  'POST /groups/:id/runners/reset_registration_token': {
    input: { id: number | string }
    answer: RunnerRegistration
  }
  /** Get the tests that the jobs of a pipeline have reported. */
  'GET /projects/:id/pipelines/:pipeline_id/test_report': {
    input: { id: number | string; pipeline_id: number }
    answer: TestReport
  }
  /** Count the tests that the jobs of a pipeline have reported. */
  'GET /projects/:id/pipelines/:pipeline_id/test_report_summary': {
    input: { id: number | string; pipeline_id: number }
    answer: TestReportSummary
  }
  /** List the triggers of a project. */
  'GET /projects/:id/triggers': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Trigger[]
  }
  /** Get a trigger. */
  'GET /projects/:id/triggers/:trigger_id': {
    input: { id: number | string; trigger_id: number }
    answer: Trigger
  }
  /** Create a trigger. */
  'POST /projects/:id/triggers': {
    input: { id: number | string; description: string }
    answer: Trigger
  }
  /** Update a trigger (only its owner). */
  'PUT /projects/:id/triggers/:trigger_id': {
    input: { id: number | string; trigger_id: number; description?: string }
    answer: Trigger
  }
  /** Delete a trigger. */
  'DELETE /projects/:id/triggers/:trigger_id': {
    input: { id: number | string; trigger_id: number }
    answer: void
  }
  /** Trigger a pipeline with a token. */
  'POST /projects/:id/trigger/pipeline': {
    input: {
      id: number | string
      ref: string
      token: string
      variables?: { [name: string]: unknown }
    }
    answer: Pipeline
  }
  /** Trigger a pipeline for a branch or tag with a token. */
  'POST /projects/:id/ref/:ref/trigger/pipeline': {
    input: {
      id: number | string
      ref: string
      token: string
      variables?: { [name: string]: unknown }
    }
    answer: Pipeline
  }
  /** List the variables of a project. */
  'GET /projects/:id/variables': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Variable[]
  }
  /** Get a variable of a project. */
  'GET /projects/:id/variables/:key': {
    input: { id: number | string; key: string; filter?: VariableFilter }
    answer: Variable
  }
  /** Create a variable of a project. */
  'POST /projects/:id/variables': {
    input: {
      id: number | string
      key: string
      value: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      masked_and_hidden?: boolean
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Change a variable of a project. */
  'PUT /projects/:id/variables/:key': {
    input: {
      id: number | string
      key: string
      filter?: VariableFilter
      value?: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Delete a variable of a project. */
  'DELETE /projects/:id/variables/:key': {
    input: { id: number | string; key: string; filter?: VariableFilter }
    answer: void
  }
  /** List the variables of a group. */
  'GET /groups/:id/variables': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Variable[]
  }
  /** Get a variable of a group. */
  'GET /groups/:id/variables/:key': {
    input: { id: number | string; key: string; filter?: VariableFilter }
    answer: Variable
  }
  /** Create a variable of a group. */
  'POST /groups/:id/variables': {
    input: {
      id: number | string
      key: string
      value: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      masked_and_hidden?: boolean
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Change a variable of a group. */
  'PUT /groups/:id/variables/:key': {
    input: {
      id: number | string
      key: string
      filter?: VariableFilter
      value?: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Delete a variable of a group. */
  'DELETE /groups/:id/variables/:key': {
    input: { id: number | string; key: string; filter?: VariableFilter }
    answer: void
  }
  /** List the variables of the instance. */
  'GET /admin/ci/variables': { input: { page?: number; per_page?: number }; answer: Variable[] }
  /** Get a variable of the instance. */
  'GET /admin/ci/variables/:key': {
    input: { key: string; filter?: VariableFilter }
    answer: Variable
  }
  /** Create a variable of the instance. */
  'POST /admin/ci/variables': {
    input: {
      key: string
      value: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      masked_and_hidden?: boolean
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Change a variable of the instance. */
  'PUT /admin/ci/variables/:key': {
    input: {
      key: string
      filter?: VariableFilter
      value?: string
      protected?: boolean
      masked?: boolean
      raw?: boolean
      environment_scope?: string
      description?: string | null
      variable_type?: 'env_var' | 'file'
    }
    answer: Variable
  }
  /** Delete a variable of the instance. */
  'DELETE /admin/ci/variables/:key': {
    input: { key: string; filter?: VariableFilter }
    answer: void
  }
  /** List the boards of a project. */
  'GET /projects/:id/boards': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Board[]
  }
  /** Get a board of a project. */
  'GET /projects/:id/boards/:board_id': {
    input: { id: number | string; board_id: number }
    answer: Board
  }
  /** Create a board of a project. */
  'POST /projects/:id/boards': { input: { id: number | string; name: string }; answer: Board }
  /** Change a board of a project. */
  'PUT /projects/:id/boards/:board_id': {
    input: {
      id: number | string
      board_id: number
      name?: string
      hide_backlog_list?: boolean
      hide_closed_list?: boolean
      assignee_id?: number | null
      milestone_id?: number | null
      labels?: string | null
      weight?: number | null
    }
    answer: Board
  }
  /** Delete a board of a project. */
  'DELETE /projects/:id/boards/:board_id': {
    input: { id: number | string; board_id: number }
    answer: void
  }
  /** List the lists of a board of a project. */
  'GET /projects/:id/boards/:board_id/lists': {
    input: { id: number | string; board_id: number; page?: number; per_page?: number }
    answer: BoardList[]
  }
  /** Get a list of a board of a project. */
  'GET /projects/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number }
    answer: BoardList
  }
  /** Add a list to a board of a project. */
  'POST /projects/:id/boards/:board_id/lists': {
    input: {
      id: number | string
      board_id: number
      label_id?: number
      assignee_id?: number
      milestone_id?: number
    }
    answer: BoardList
  }
  /** Move a list of a board of a project. */
  'PUT /projects/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number; position: number }
    answer: BoardList
  }
  /** Remove a list from a board of a project. */
  'DELETE /projects/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number }
    answer: void
  }
  /** List the boards of a group. */
  'GET /groups/:id/boards': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Board[]
  }
  /** Get a board of a group. */
  'GET /groups/:id/boards/:board_id': {
    input: { id: number | string; board_id: number }
    answer: Board
  }
  /** Create a board of a group. */
  'POST /groups/:id/boards': { input: { id: number | string; name: string }; answer: Board }
  /** Change a board of a group. */
  'PUT /groups/:id/boards/:board_id': {
    input: {
      id: number | string
      board_id: number
      name?: string
      hide_backlog_list?: boolean
      hide_closed_list?: boolean
      assignee_id?: number | null
      milestone_id?: number | null
      labels?: string | null
      weight?: number | null
    }
    answer: Board
  }
  /** Delete a board of a group. */
  'DELETE /groups/:id/boards/:board_id': {
    input: { id: number | string; board_id: number }
    answer: void
  }
  /** List the lists of a board of a group. */
  'GET /groups/:id/boards/:board_id/lists': {
    input: { id: number | string; board_id: number; page?: number; per_page?: number }
    answer: BoardList[]
  }
  /** Get a list of a board of a group. */
  'GET /groups/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number }
    answer: BoardList
  }
  /** Add a list to a board of a group. */
  'POST /groups/:id/boards/:board_id/lists': {
    input: {
      id: number | string
      board_id: number
      label_id?: number
      assignee_id?: number
      milestone_id?: number
    }
    answer: BoardList
  }
  /** Move a list of a board of a group. */
  'PUT /groups/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number; position: number }
    answer: BoardList
  }
  /** Remove a list from a board of a group. */
  'DELETE /groups/:id/boards/:board_id/lists/:list_id': {
    input: { id: number | string; board_id: number; list_id: number }
    answer: void
  }
  /** Generate the changelog of a version without committing it. */
  'GET /projects/:id/repository/changelog': {
    input: {
      id: number | string
      version: string
      from?: string
      to?: string
      date?: string
      trailer?: string
      config_file?: string
      config_file_ref?: string
    }
    answer: Changelog
  }
  /** Commit the changelog of a version to a file. */
  'POST /projects/:id/repository/changelog': {
    input: {
      id: number | string
      version: string
      from?: string
      to?: string
      date?: string
      trailer?: string
      config_file?: string
      config_file_ref?: string
      branch?: string
      file?: string
      message?: string
    }
    answer: number
  }
  /** List the award emoji of an issue. */
  'GET /projects/:id/issues/:issue_iid/award_emoji': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: Award[]
  }
  /** Get an award emoji of an issue. */
  'GET /projects/:id/issues/:issue_iid/award_emoji/:award_id': {
    input: { id: number | string; issue_iid: number; award_id: number }
    answer: Award
  }
  /** Award an emoji to an issue. */
  'POST /projects/:id/issues/:issue_iid/award_emoji': {
    input: { id: number | string; issue_iid: number; name: string }
    answer: Award
  }
  /** Remove an award emoji from an issue. */
  'DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id': {
    input: { id: number | string; issue_iid: number; award_id: number }
    answer: void
  }
  /** List the award emoji of a note on an issue. */
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': {
    input: {
      id: number | string
      issue_iid: number
      note_id: number
      page?: number
      per_page?: number
    }
    answer: Award[]
  }
  /** Get an award emoji of a note on an issue. */
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id': {
    input: { id: number | string; issue_iid: number; note_id: number; award_id: number }
    answer: Award
  }
  /** Award an emoji to a note on an issue. */
  'POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': {
    input: { id: number | string; issue_iid: number; note_id: number; name: string }
    answer: Award
  }
  /** Remove an award emoji from a note on an issue. */
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id': {
    input: { id: number | string; issue_iid: number; note_id: number; award_id: number }
    answer: void
  }
  /** List the award emoji of all notes on an issue. */
  'GET /projects/:id/issues/:issue_iid/note_award_emoji': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: Award[]
  }
  /** List the award emoji of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: Award[]
  }
  /** Get an award emoji of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id': {
    input: { id: number | string; merge_request_iid: number; award_id: number }
    answer: Award
  }
  /** Award an emoji to a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/award_emoji': {
    input: { id: number | string; merge_request_iid: number; name: string }
    answer: Award
  }
  /** Remove an award emoji from a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id': {
    input: { id: number | string; merge_request_iid: number; award_id: number }
    answer: void
  }
  /** List the award emoji of all notes on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/note_award_emoji': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: Award[]
  }
  /** List the award emoji of a note on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': {
    input: {
      id: number | string
      merge_request_iid: number
      note_id: number
      page?: number
      per_page?: number
    }
    answer: Award[]
  }
  /** Get an award emoji of a note on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id': {
    input: { id: number | string; merge_request_iid: number; note_id: number; award_id: number }
    answer: Award
  }
  /** Award an emoji to a note on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': {
    input: { id: number | string; merge_request_iid: number; note_id: number; name: string }
    answer: Award
  }
  /** Remove an award emoji from a note on a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id': {
    input: { id: number | string; merge_request_iid: number; note_id: number; award_id: number }
    answer: void
  }
  /** List the webhooks of a project. */
  'GET /projects/:id/hooks': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProjectWebhook[]
  }
  /** Get a webhook of a project. */
  'GET /projects/:id/hooks/:hook_id': {
    input: { id: number | string; hook_id: number }
    answer: ProjectWebhook
  }
  /** Create a webhook of a project. */
  'POST /projects/:id/hooks': {
    input: {
      id: number | string
      url: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
      issues_events?: boolean
      confidential_issues_events?: boolean
      note_events?: boolean
      confidential_note_events?: boolean
      pipeline_events?: boolean
      wiki_page_events?: boolean
      deployment_events?: boolean
      job_events?: boolean
      releases_events?: boolean
    }
    answer: ProjectWebhook
  }
  /** Change a webhook of a project. */
  'PUT /projects/:id/hooks/:hook_id': {
    input: {
      id: number | string
      hook_id: number
      url?: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
      issues_events?: boolean
      confidential_issues_events?: boolean
      note_events?: boolean
      confidential_note_events?: boolean
      pipeline_events?: boolean
      wiki_page_events?: boolean
      deployment_events?: boolean
      job_events?: boolean
      releases_events?: boolean
    }
    answer: ProjectWebhook
  }
  /** Delete a webhook of a project. */
  'DELETE /projects/:id/hooks/:hook_id': {
    input: { id: number | string; hook_id: number }
    answer: void
  }
  /** List the recent deliveries of a webhook of a project. */
  'GET /projects/:id/hooks/:hook_id/events': {
    input: {
      id: number | string
      hook_id: number
      status?: string[]
      page?: number
      per_page?: number
    }
    answer: WebhookDelivery[]
  }
  /** Resend a delivery of a webhook of a project. */
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': {
    input: { id: number | string; hook_id: number; hook_event_id: number }
    answer: ResentDelivery
  }
  /** Test a webhook of a project. */
  'POST /projects/:id/hooks/:hook_id/test/:trigger': {
    input: {
      id: number | string
      hook_id: number
      trigger:
        | 'push_events'
        | 'tag_push_events'
        | 'merge_requests_events'
        | 'repository_update_events'
        | 'issues_events'
        | 'confidential_issues_events'
        | 'note_events'
        | 'confidential_note_events'
        | 'pipeline_events'
        | 'wiki_page_events'
        | 'deployment_events'
        | 'job_events'
        | 'releases_events'
    }
    answer: Message
  }
  /** List the webhooks of a group. */
  'GET /groups/:id/hooks': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: GroupWebhook[]
  }
  /** Get a webhook of a group. */
  'GET /groups/:id/hooks/:hook_id': {
    input: { id: number | string; hook_id: number }
    answer: GroupWebhook
  }
  /** Create a webhook of a group. */
  'POST /groups/:id/hooks': {
    input: {
      id: number | string
      url: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
      issues_events?: boolean
      confidential_issues_events?: boolean
      note_events?: boolean
      confidential_note_events?: boolean
      pipeline_events?: boolean
      wiki_page_events?: boolean
      deployment_events?: boolean
      job_events?: boolean
      releases_events?: boolean
      subgroup_events?: boolean
      member_events?: boolean
    }
    answer: GroupWebhook
  }
  /** Change a webhook of a group. */
  'PUT /groups/:id/hooks/:hook_id': {
    input: {
      id: number | string
      hook_id: number
      url?: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
      issues_events?: boolean
      confidential_issues_events?: boolean
      note_events?: boolean
      confidential_note_events?: boolean
      pipeline_events?: boolean
      wiki_page_events?: boolean
      deployment_events?: boolean
      job_events?: boolean
      releases_events?: boolean
      subgroup_events?: boolean
      member_events?: boolean
    }
    answer: GroupWebhook
  }
  /** Delete a webhook of a group. */
  'DELETE /groups/:id/hooks/:hook_id': {
    input: { id: number | string; hook_id: number }
    answer: void
  }
  /** List the recent deliveries of a webhook of a group. */
  'GET /groups/:id/hooks/:hook_id/events': {
    input: {
      id: number | string
      hook_id: number
      status?: string[]
      page?: number
      per_page?: number
    }
    answer: WebhookDelivery[]
  }
  /** Resend a delivery of a webhook of a group. */
  'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': {
    input: { id: number | string; hook_id: number; hook_event_id: number }
    answer: ResentDelivery
  }
  /** Test a webhook of a group. */
  'POST /groups/:id/hooks/:hook_id/test/:trigger': {
    input: {
      id: number | string
      hook_id: number
      trigger:
        | 'push_events'
        | 'tag_push_events'
        | 'merge_requests_events'
        | 'repository_update_events'
        | 'issues_events'
        | 'confidential_issues_events'
        | 'note_events'
        | 'confidential_note_events'
        | 'pipeline_events'
        | 'wiki_page_events'
        | 'deployment_events'
        | 'job_events'
        | 'releases_events'
        | 'subgroup_events'
        | 'member_events'
    }
    answer: Message
  }
  /** List the webhooks of the instance. */
  'GET /hooks': { input: { page?: number; per_page?: number }; answer: SystemWebhook[] }
  /** Get a webhook of the instance. */
  'GET /hooks/:hook_id': { input: { hook_id: number }; answer: SystemWebhook }
  /** Create a webhook of the instance. */
  'POST /hooks': {
    input: {
      url: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
    }
    answer: SystemWebhook
  }
  /** Change a webhook of the instance. */
  'PUT /hooks/:hook_id': {
    input: {
      hook_id: number
      url?: string
      token?: string | null
      enable_ssl_verification?: boolean
      push_events_branch_filter?: string | null
      name?: string | null
      description?: string | null
      push_events?: boolean
      tag_push_events?: boolean
      merge_requests_events?: boolean
      repository_update_events?: boolean
    }
    answer: SystemWebhook
  }
  /** Delete a webhook of the instance. */
  'DELETE /hooks/:hook_id': { input: { hook_id: number }; answer: void }
  /** List the recent deliveries of a webhook of the instance. */
  'GET /hooks/:hook_id/events': {
    input: { hook_id: number; status?: string[]; page?: number; per_page?: number }
    answer: WebhookDelivery[]
  }
  /** Resend a delivery of a webhook of the instance. */
  'POST /hooks/:hook_id/events/:hook_event_id/resend': {
    input: { hook_id: number; hook_event_id: number }
    answer: ResentDelivery
  }
  /** Test a system hook. */
  'POST /hooks/:hook_id': {
    input: { hook_id: number }
    answer: {
      event_name: string
      name: string
      path: string
      project_id: number
      owner_name: string
      owner_email: string
    }
  }
  /** List your events, or those of your projects. */
  'GET /events': {
    input: {
      scope?: string
      action?:
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
      target_type?:
        | 'issue'
        | 'milestone'
        | 'merge_request'
        | 'note'
        | 'project'
        | 'snippet'
        | 'user'
        | 'wiki'
        | 'design'
      before?: string
      after?: string
      sort?: 'asc' | 'desc'
      with_project?: boolean
      page?: number
      per_page?: number
    }
    answer: ActivityEvent[]
  }
  /** List the events of a user. */
  'GET /users/:user_id/events': {
    input: {
      user_id: string
      action?:
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
      target_type?:
        | 'issue'
        | 'milestone'
        | 'merge_request'
        | 'note'
        | 'project'
        | 'snippet'
        | 'user'
        | 'wiki'
        | 'design'
      before?: string
      after?: string
      sort?: 'asc' | 'desc'
      with_project?: boolean
      page?: number
      per_page?: number
    }
    answer: ActivityEvent[]
  }
  /** Count the events of a user on each day of the past year. */
  'GET /users/:user_id/calendar': { input: { user_id: string }; answer: ActivityCalendar }
  /** List the events of a project. */
  'GET /projects/:id/events': {
    input: {
      id: number | string
      action?:
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
      target_type?:
        | 'issue'
        | 'milestone'
        | 'merge_request'
        | 'note'
        | 'project'
        | 'snippet'
        | 'user'
        | 'wiki'
        | 'design'
      before?: string
      after?: string
      sort?: 'asc' | 'desc'
      with_project?: boolean
      page?: number
      per_page?: number
    }
    answer: ActivityEvent[]
  }
  /** Follow changes as server-sent events. */
  'GET /events/stream': { input: { topics: string[]; follow?: boolean }; answer: unknown }
  /** List issues of all projects, by default those you created. */
  'GET /issues': {
    input: {
      state?: 'opened' | 'closed' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'priority'
        | 'due_date'
        | 'relative_position'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
        | 'title'
        | 'weight'
      sort?: 'asc' | 'desc'
      non_archived?: boolean
      page?: number
      per_page?: number
    }
    answer: Issue[]
  }
  /** List the issues of a group and its subgroups. */
  'GET /groups/:id/issues': {
    input: {
      id: number | string
      state?: 'opened' | 'closed' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'priority'
        | 'due_date'
        | 'relative_position'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
        | 'title'
        | 'weight'
      sort?: 'asc' | 'desc'
      non_archived?: boolean
      page?: number
      per_page?: number
    }
    answer: Issue[]
  }
  /** List the issues of a project. */
  'GET /projects/:id/issues': {
    input: {
      id: number | string
      state?: 'opened' | 'closed' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'priority'
        | 'due_date'
        | 'relative_position'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
        | 'title'
        | 'weight'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
    }
    answer: Issue[]
  }
  /** Count issues of all projects, by default those you created. */
  'GET /issues_statistics': {
    input: {
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
    }
    answer: IssueStatistics
  }
  /** Count the issues of a group and its subgroups. */
  'GET /groups/:id/issues_statistics': {
    input: {
      id: number | string
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
    }
    answer: IssueStatistics
  }
  /** Count the issues of a project. */
  'GET /projects/:id/issues_statistics': {
    input: {
      id: number | string
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      confidential?: boolean
      due_date?: string
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: string
    }
    answer: IssueStatistics
  }
  /** Get an issue by its id, as an administrator. */
  'GET /issues/:issue_id': { input: { issue_id: number }; answer: Issue }
  /** Get an issue. */
  'GET /projects/:id/issues/:issue_iid': {
    input: {
      id: number | string
      issue_iid: number
      render_html?: boolean
      with_abilities?: boolean
      with_labels_details?: boolean
    }
    answer: {
      id: number
      iid: number
      project_id: number
      title: string
      description: string | null
      state: 'opened' | 'closed' | 'locked' | 'merged'
      created_at: string
      updated_at: string
      closed_at: string | null
      closed_by: BasicUser | null
      labels: (string | BasicLabel)[]
      milestone: Milestone | null
      assignees: BasicUser[]
      author: BasicUser
      assignee: BasicUser | null
      user_notes_count: number
      upvotes: number
      downvotes: number
      discussion_locked: boolean | null
      web_url: string
      time_stats: TimeStats
      task_completion_status: TaskCompletion
      type: string
      merge_requests_count: number
      due_date: string | null
      confidential: boolean
      issue_type: string
      weight?: number | null
      has_tasks: boolean
      task_status?: string
      _links: IssueLinks
      references: References
      severity: string
      subscribed?: boolean
      moved_to_id: number | null
      service_desk_reply_to: null
      title_html?: string
      description_html?: string
      abilities?: IssuableAbilities
      change_version?: string
    }
  }
  /** Create an issue. */
  'POST /projects/:id/issues': {
    input: {
      id: number | string
      title: string
      created_at?: string
      iid?: number
      description?: string | null
      assignee_ids?: number[] | null
      assignee_id?: number | null
      milestone_id?: number | null
      labels?: string[] | null
      due_date?: string | null
      confidential?: boolean
      discussion_locked?: boolean | null
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: number | null
    }
    answer: Issue
  }
  /** Change, close or reopen an issue. */
  'PUT /projects/:id/issues/:issue_iid': {
    input: {
      id: number | string
      issue_iid: number
      title?: string | null
      description?: string | null
      assignee_ids?: number[] | null
      assignee_id?: number | null
      milestone_id?: number | null
      labels?: string[] | null
      due_date?: string | null
      confidential?: boolean
      discussion_locked?: boolean | null
      issue_type?: 'issue' | 'incident' | 'test_case' | 'task'
      weight?: number | null
      add_labels?: string[] | null
      remove_labels?: string[] | null
      state_event?: 'close' | 'reopen'
      created_at?: string
      updated_at?: string
    }
    answer: Issue
  }
  /** Delete an issue. */
  'DELETE /projects/:id/issues/:issue_iid': {
    input: { id: number | string; issue_iid: number }
    answer: void
  }
  /** List the participants of an issue. */
  'GET /projects/:id/issues/:issue_iid/participants': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: BasicUser[]
  }
  /** Subscribe to an issue. */
  'POST /projects/:id/issues/:issue_iid/subscribe': {
    input: { id: number | string; issue_iid: number }
    answer: Issue | undefined
  }
  /** Unsubscribe from an issue. */
  'POST /projects/:id/issues/:issue_iid/unsubscribe': {
    input: { id: number | string; issue_iid: number }
    answer: Issue | undefined
  }
  /** Get the time tracking of an issue. */
  'GET /projects/:id/issues/:issue_iid/time_stats': {
    input: { id: number | string; issue_iid: number }
    answer: TimeStats
  }
  /** Set the time estimate of an issue. */
  'POST /projects/:id/issues/:issue_iid/time_estimate': {
    input: { id: number | string; issue_iid: number; duration: string }
    answer: TimeStats
  }
  /** Reset the time estimate of an issue. */
  'POST /projects/:id/issues/:issue_iid/reset_time_estimate': {
    input: { id: number | string; issue_iid: number }
    answer: TimeStats
  }
  /** Add time spent on an issue. */
  'POST /projects/:id/issues/:issue_iid/add_spent_time': {
    input: { id: number | string; issue_iid: number; duration: string; summary?: string }
    answer: TimeStats
  }
  /** Reset the time spent on an issue. */
  'POST /projects/:id/issues/:issue_iid/reset_spent_time': {
    input: { id: number | string; issue_iid: number }
    answer: TimeStats
  }
  /** Move an issue to another project. */
  'POST /projects/:id/issues/:issue_iid/move': {
    input: { id: number | string; issue_iid: number; to_project_id: number }
    answer: Issue
  }
  /** Copy an issue, also to another project. */
  'POST /projects/:id/issues/:issue_iid/clone': {
    input: { id: number | string; issue_iid: number; to_project_id: number; with_notes?: boolean }
    answer: Issue
  }
  /** Reorder an issue. */
  'PUT /projects/:id/issues/:issue_iid/reorder': {
    input: {
      id: number | string
      issue_iid: number
      move_after_id?: number
      move_before_id?: number
    }
    answer: Issue
  }
  /** List the issues of a milestone of a project. */
  'GET /projects/:id/milestones/:milestone_id/issues': {
    input: { id: number | string; milestone_id: number; page?: number; per_page?: number }
    answer: BasicIssue[]
  }
  /** List the burndown events of a milestone of a project. */
  'GET /projects/:id/milestones/:milestone_id/burndown_events': {
    input: { id: number | string; milestone_id: number }
    answer: BurndownEvent[]
  }
  /** List the issues of a milestone of a group. */
  'GET /groups/:id/milestones/:milestone_id/issues': {
    input: { id: number | string; milestone_id: number; page?: number; per_page?: number }
    answer: BasicIssue[]
  }
  /** List the burndown events of a milestone of a group. */
  'GET /groups/:id/milestones/:milestone_id/burndown_events': {
    input: { id: number | string; milestone_id: number }
    answer: BurndownEvent[]
  }
  /** List the linked issues of an issue. */
  'GET /projects/:id/issues/:issue_iid/links': {
    input: { id: number | string; issue_iid: number }
    answer: LinkedIssue[]
  }
  /** Get a link between two issues. */
  'GET /projects/:id/issues/:issue_iid/links/:issue_link_id': {
    input: { id: number | string; issue_iid: number; issue_link_id: number }
    answer: IssueLink
  }
  /** Link two issues. */
  'POST /projects/:id/issues/:issue_iid/links': {
    input: {
      id: number | string
      issue_iid: number
      target_project_id: string
      target_issue_iid: number
      link_type?: 'relates_to' | 'blocks' | 'is_blocked_by'
    }
    answer: IssueLink
  }
  /** Remove a link between two issues. */
  'DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id': {
    input: { id: number | string; issue_iid: number; issue_link_id: number }
    answer: IssueLink
  }
  /** List the badges of a project. */
  'GET /projects/:id/badges': {
    input: { id: number | string; page?: number; per_page?: number; name?: string }
    answer: Badge[]
  }
  /** Preview a badge of a project. */
  'GET /projects/:id/badges/render': {
    input: { id: number | string; link_url: string; image_url: string; name?: string | null }
    answer: RenderedBadge
  }
  /** Get a badge of a project. */
  'GET /projects/:id/badges/:badge_id': {
    input: { id: number | string; badge_id: number }
    answer: Badge
  }
  /** Add a badge to a project. */
  'POST /projects/:id/badges': {
    input: { id: number | string; link_url: string; image_url: string; name?: string | null }
    answer: Badge
  }
  /** Change a badge of a project. */
  'PUT /projects/:id/badges/:badge_id': {
    input: {
      id: number | string
      badge_id: number
      link_url?: string
      image_url?: string
      name?: string | null
    }
    answer: Badge
  }
  /** Remove a badge from a project. */
  'DELETE /projects/:id/badges/:badge_id': {
    input: { id: number | string; badge_id: number }
    answer: void
  }
  /** List the badges of a group. */
  'GET /groups/:id/badges': {
    input: { id: number | string; page?: number; per_page?: number; name?: string }
    answer: Badge[]
  }
  /** Preview a badge of a group. */
  'GET /groups/:id/badges/render': {
    input: { id: number | string; link_url: string; image_url: string; name?: string | null }
    answer: RenderedBadge
  }
  /** Get a badge of a group. */
  'GET /groups/:id/badges/:badge_id': {
    input: { id: number | string; badge_id: number }
    answer: Badge
  }
  /** Add a badge to a group. */
  'POST /groups/:id/badges': {
    input: { id: number | string; link_url: string; image_url: string; name?: string | null }
    answer: Badge
  }
  /** Change a badge of a group. */
  'PUT /groups/:id/badges/:badge_id': {
    input: {
      id: number | string
      badge_id: number
      link_url?: string
      image_url?: string
      name?: string | null
    }
    answer: Badge
  }
  /** Remove a badge from a group. */
  'DELETE /groups/:id/badges/:badge_id': {
    input: { id: number | string; badge_id: number }
    answer: void
  }
  /** List the releases of a project. */
  'GET /projects/:id/releases': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      order_by?: 'released_at' | 'created_at'
      sort?: 'asc' | 'desc'
      include_html_description?: boolean
      updated_before?: string
      updated_after?: string
    }
    answer: Release[]
  }
  /** Redirect to the latest release. */
  'GET /projects/:id/releases/permalink/latest': { input: { id: number | string }; answer: unknown }
  /** Redirect to a file of the latest release. */
  'GET /projects/:id/releases/permalink/latest/:suffix_path': {
    input: { id: number | string; suffix_path: string }
    answer: unknown
  }
  /** Get the release of a tag. */
  'GET /projects/:id/releases/:tag_name': {
    input: { id: number | string; tag_name: string; include_html_description?: boolean }
    answer: Release
  }
  /** Redirect to a file of a release. */
  'GET /projects/:id/releases/:tag_name/downloads/:direct_asset_path': {
    input: { id: number | string; tag_name: string; direct_asset_path: string }
    answer: unknown
  }
  /** Create a release, and its tag if needed. */
  'POST /projects/:id/releases': {
    input: {
      id: number | string
      tag_name: string
      tag_message?: string
      name?: string
      description?: string
      ref?: string
      assets?: {
        links?: {
          name: string
          url: string
          filepath?: string
          direct_asset_path?: string
          link_type?: 'other' | 'runbook' | 'image' | 'package' | ''
        }[]
      }
      milestones?: string[] | null
      milestone_ids?: number[] | null
      released_at?: string
    }
    answer: Release
  }
  /** Change a release. */
  'PUT /projects/:id/releases/:tag_name': {
    input: {
      id: number | string
      tag_name: string
      name?: string
      description?: string
      released_at?: string
      milestones?: string[] | null
      milestone_ids?: number[] | null
    }
    answer: Release
  }
  /** Delete a release, but not its tag. */
  'DELETE /projects/:id/releases/:tag_name': {
    input: { id: number | string; tag_name: string }
    answer: Release
  }
  /** List the releases of the projects of a group. */
  'GET /groups/:id/releases': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      sort?: 'asc' | 'desc'
      simple?: boolean
    }
    answer: (Release | SimpleRelease)[]
  }
  /** List the links of a release. */
  'GET /projects/:id/releases/:tag_name/assets/links': {
    input: { id: number | string; tag_name: string; page?: number; per_page?: number }
    answer: ReleaseLink[]
  }
  /** Get a link of a release. */
  'GET /projects/:id/releases/:tag_name/assets/links/:link_id': {
    input: { id: number | string; tag_name: string; link_id: number }
    answer: ReleaseLink
  }
  /** Add a link to a release. */
  'POST /projects/:id/releases/:tag_name/assets/links': {
    input: {
      id: number | string
      tag_name: string
      name: string
      url: string
      filepath?: string
      direct_asset_path?: string
      link_type?: 'other' | 'runbook' | 'image' | 'package' | ''
    }
    answer: ReleaseLink
  }
  /** Change a link of a release. */
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': {
    input: {
      id: number | string
      tag_name: string
      link_id: number
      name?: string
      url?: string
      filepath?: string
      direct_asset_path?: string
      link_type?: 'other' | 'runbook' | 'image' | 'package' | ''
    }
    answer: ReleaseLink
  }
  /** Remove a link from a release. */
  'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id': {
    input: { id: number | string; tag_name: string; link_id: number }
    answer: ReleaseLink
  }
  /** Upload a file to a project. */
  'POST /projects/:id/uploads': { input: { id: number | string; file: Blob }; answer: NewUpload }
  /** List the files uploaded to a project. */
  'GET /projects/:id/uploads': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: Upload[]
  }
  /** Get an uploaded file by its id. */
  'GET /projects/:id/uploads/:upload_id': {
    input: { id: number | string; upload_id: number }
    answer: unknown
  }
  /** Get an uploaded file by its secret and name. */
  'GET /projects/:id/uploads/:secret/:filename': {
    input: { id: number | string; secret: string; filename: string }
    answer: unknown
  }
  /** Delete an uploaded file by its id. */
  'DELETE /projects/:id/uploads/:upload_id': {
    input: { id: number | string; upload_id: number }
    answer: void
  }
  /** Delete an uploaded file by its secret and name. */
  'DELETE /projects/:id/uploads/:secret/:filename': {
    input: { id: number | string; secret: string; filename: string }
    answer: void
  }
  /** List the labels of a project. */
  'GET /projects/:id/labels': {
    input: {
      id: number | string
      with_counts?: boolean
      include_ancestor_groups?: boolean
      search?: string
      page?: number
      per_page?: number
    }
    answer: Label[]
  }
  /** Get a label of a project. */
  'GET /projects/:id/labels/:name': {
    input: { id: number | string; name: string; include_ancestor_groups?: boolean }
    answer: Label
  }
  /** Create a label of a project. */
  'POST /projects/:id/labels': {
    input: {
      id: number | string
      name: string
      color: string
      description?: string | null
      priority?: number | null
    }
    answer: Label
  }
  /** Change a label of a project. */
  'PUT /projects/:id/labels/:name': {
    input: {
      id: number | string
      name: string
      new_name?: string
      color?: string
      description?: string | null
      priority?: number | null
    }
    answer: Label
  }
  /** Update a label of a project, named in the body. */
  'PUT /projects/:id/labels': {
    input: {
      id: number | string
      label_id?: number
      name?: string
      new_name?: string
      color?: string
      description?: string | null
      priority?: number | null
    }
    answer: Label
  }
  /** Delete a label of a project. */
  'DELETE /projects/:id/labels/:name': {
    input: { id: number | string; name: string }
    answer: void
  }
  /** Delete a label of a project, named in the request. */
  'DELETE /projects/:id/labels': {
    input: { id: number | string; label_id?: number; name?: string }
    answer: void
  }
  /** Subscribe to a label of a project. */
  'POST /projects/:id/labels/:name/subscribe': {
    input: { id: number | string; name: string }
    answer: Label | undefined
  }
  /** Unsubscribe from a label of a project. */
  'POST /projects/:id/labels/:name/unsubscribe': {
    input: { id: number | string; name: string }
    answer: Label | undefined
  }
  /** Promote a project label, named in the body, to a group label. */
  'PUT /projects/:id/labels/promote': {
    input: { id: number | string; name: string }
    answer: Label
  }
  /** Promote a project label to a group label. */
  'PUT /projects/:id/labels/:name/promote': {
    input: { id: number | string; name: string }
    answer: Label
  }
  /** List the labels of a group. */
  'GET /groups/:id/labels': {
    input: {
      id: number | string
      with_counts?: boolean
      include_ancestor_groups?: boolean
      search?: string
      include_descendant_groups?: boolean
      only_group_labels?: boolean
      page?: number
      per_page?: number
    }
    answer: Label[]
  }
  /** Get a label of a group. */
  'GET /groups/:id/labels/:name': {
    input: { id: number | string; name: string; include_ancestor_groups?: boolean }
    answer: Label
  }
  /** Create a label of a group. */
  'POST /groups/:id/labels': {
    input: { id: number | string; name: string; color: string; description?: string | null }
    answer: Label
  }
  /** Change a label of a group. */
  'PUT /groups/:id/labels/:name': {
    input: {
      id: number | string
      name: string
      new_name?: string
      color?: string
      description?: string | null
    }
    answer: Label
  }
  /** Update a label of a group, named in the body. */
  'PUT /groups/:id/labels': {
    input: {
      id: number | string
      label_id?: number
      name?: string
      new_name?: string
      color?: string
      description?: string | null
    }
    answer: Label
  }
  /** Delete a label of a group. */
  'DELETE /groups/:id/labels/:name': { input: { id: number | string; name: string }; answer: void }
  /** Delete a label of a group, named in the request. */
  'DELETE /groups/:id/labels': {
    input: { id: number | string; label_id?: number; name?: string }
    answer: void
  }
  /** Subscribe to a label of a group. */
  'POST /groups/:id/labels/:name/subscribe': {
    input: { id: number | string; name: string }
    answer: Label | undefined
  }
  /** Unsubscribe from a label of a group. */
  'POST /groups/:id/labels/:name/unsubscribe': {
    input: { id: number | string; name: string }
    answer: Label | undefined
  }
  /** Render Markdown. */
  'POST /markdown': {
    input: { text: string; gfm?: boolean; project?: string }
    answer: { html: string }
  }
  /** Get the targets of references in a text. */
  'GET /projects/:id/references': {
    input: { id: number | string; names: string[] }
    answer: Reference[]
  }
  /** List merge requests of all projects, by default those you created. */
  'GET /merge_requests': {
    input: {
      state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      source_branch?: string
      target_branch?: string
      source_project_id?: number
      reviewer_id?: string
      reviewer_username?: string
      wip?: 'yes' | 'no'
      view?: 'simple'
      with_merge_status_recheck?: boolean
      with_changes_requested?: boolean
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'merged_at'
        | 'title'
        | 'priority'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
      non_archived?: boolean
    }
    answer: (BasicMergeRequest | SimpleMergeRequest)[]
  }
  /** List the merge requests of a group and its subgroups. */
  'GET /groups/:id/merge_requests': {
    input: {
      id: number | string
      state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      source_branch?: string
      target_branch?: string
      source_project_id?: number
      reviewer_id?: string
      reviewer_username?: string
      wip?: 'yes' | 'no'
      view?: 'simple'
      with_merge_status_recheck?: boolean
      with_changes_requested?: boolean
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'merged_at'
        | 'title'
        | 'priority'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
      non_archived?: boolean
    }
    answer: (BasicMergeRequest | SimpleMergeRequest)[]
  }
  /** List the merge requests of a project. */
  'GET /projects/:id/merge_requests': {
    input: {
      id: number | string
      state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all'
      labels?: string[]
      milestone?: string
      scope?: 'created_by_me' | 'created-by-me' | 'assigned_to_me' | 'assigned-to-me' | 'all'
      author_id?: number
      author_username?: string
      assignee_id?: string
      assignee_username?: string[]
      search?: string
      in?: string
      iids?: number[]
      my_reaction_emoji?: string
      created_after?: string
      created_before?: string
      updated_after?: string
      updated_before?: string
      with_labels_details?: boolean
      not?: NegatedFilter
      source_branch?: string
      target_branch?: string
      source_project_id?: number
      reviewer_id?: string
      reviewer_username?: string
      wip?: 'yes' | 'no'
      view?: 'simple'
      with_merge_status_recheck?: boolean
      with_changes_requested?: boolean
      order_by?:
        | 'created_at'
        | 'updated_at'
        | 'merged_at'
        | 'title'
        | 'priority'
        | 'label_priority'
        | 'milestone_due'
        | 'popularity'
      sort?: 'asc' | 'desc'
      page?: number
      per_page?: number
    }
    answer: (BasicMergeRequest | SimpleMergeRequest)[]
  }
  /** List the merge requests that contain a commit. */
  'GET /projects/:id/repository/commits/:sha/merge_requests': {
    input: { id: number | string; sha: string; page?: number; per_page?: number }
    answer: BasicMergeRequest[]
  }
  /** List the merge requests of a milestone of a project. */
  'GET /projects/:id/milestones/:milestone_id/merge_requests': {
    input: { id: number | string; milestone_id: number; page?: number; per_page?: number }
    answer: BasicMergeRequest[]
  }
  /** List the merge requests of a milestone of a group. */
  'GET /groups/:id/milestones/:milestone_id/merge_requests': {
    input: { id: number | string; milestone_id: number; page?: number; per_page?: number }
    answer: BasicMergeRequest[]
  }
  /** List the merge requests that would close an issue. */
  'GET /projects/:id/issues/:issue_iid/closed_by': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: BasicMergeRequest[]
  }
  /** List the merge requests that mention an issue or would close it. */
  'GET /projects/:id/issues/:issue_iid/related_merge_requests': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: BasicMergeRequest[]
  }
  /** Get a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid': {
    input: {
      id: number | string
      merge_request_iid: number
      render_html?: boolean
      include_diverged_commits_count?: boolean
      include_rebase_in_progress?: boolean
      with_abilities?: boolean
      with_labels_details?: boolean
      with_changes_requested?: boolean
    }
    answer: MergeRequest
  }
  /** Create a merge request from a branch of the project. */
  'POST /projects/:id/merge_requests': {
    input: {
      id: number | string
      title: string
      source_branch: string
      target_branch: string
      target_project_id?: number | null
      approvals_before_merge?: number
      description?: string | null
      assignee_id?: number | null
      assignee_ids?: number[] | null
      reviewer_ids?: number[] | null
      labels?: string[] | null
      milestone_id?: number | null
      remove_source_branch?: boolean
      allow_collaboration?: boolean
      allow_maintainer_to_push?: boolean
      squash?: boolean
    }
    answer: MergeRequest
  }
  /** Change, close or reopen a merge request. */
  'PUT /projects/:id/merge_requests/:merge_request_iid': {
    input: {
      id: number | string
      merge_request_iid: number
      description?: string | null
      assignee_id?: number | null
      assignee_ids?: number[] | null
      reviewer_ids?: number[] | null
      labels?: string[] | null
      milestone_id?: number | null
      remove_source_branch?: boolean
      allow_collaboration?: boolean
      allow_maintainer_to_push?: boolean
      squash?: boolean
      add_labels?: string[] | null
      remove_labels?: string[] | null
      target_branch?: string | null
      title?: string | null
      state_event?: 'close' | 'reopen'
      discussion_locked?: boolean | null
    }
    answer: MergeRequest
  }
  /** Delete a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid': {
    input: { id: number | string; merge_request_iid: number }
    answer: void
  }
  /** List the participants of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/participants': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: BasicUser[]
  }
  /** Subscribe to a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/subscribe': {
    input: { id: number | string; merge_request_iid: number }
    answer: MergeRequest | undefined
  }
  /** Unsubscribe from a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe': {
    input: { id: number | string; merge_request_iid: number }
    answer: MergeRequest | undefined
  }
  /** Get the time tracking of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/time_stats': {
    input: { id: number | string; merge_request_iid: number }
    answer: TimeStats
  }
  /** Set the time estimate of a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/time_estimate': {
    input: { id: number | string; merge_request_iid: number; duration: string }
    answer: TimeStats
  }
  /** Reset the time estimate of a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate': {
    input: { id: number | string; merge_request_iid: number }
    answer: TimeStats
  }
  /** Add time spent on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time': {
    input: { id: number | string; merge_request_iid: number; duration: string; summary?: string }
    answer: TimeStats
  }
  /** Reset the time spent on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time': {
    input: { id: number | string; merge_request_iid: number }
    answer: TimeStats
  }
  /** List the commits of a merge request, newest first. */
  'GET /projects/:id/merge_requests/:merge_request_iid/commits': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: Commit[]
  }
  /** Get a merge request with the files it changes. */
  'GET /projects/:id/merge_requests/:merge_request_iid/changes': {
    input: {
      id: number | string
      merge_request_iid: number
      access_raw_diffs?: boolean
      unidiff?: boolean
    }
    answer: {
      id: number
      iid: number
      project_id: number
      title: string
      description: string | null
      state: 'opened' | 'closed' | 'locked' | 'merged'
      created_at: string
      updated_at: string
      closed_at: string | null
      closed_by: BasicUser | null
      labels: (string | BasicLabel)[]
      milestone: Milestone | null
      assignees: BasicUser[]
      author: BasicUser
      assignee: BasicUser | null
      user_notes_count: number
      upvotes: number
      downvotes: number
      discussion_locked: boolean | null
      web_url: string
      time_stats: TimeStats
      task_completion_status: TaskCompletion
      merged_by: BasicUser | null
      merge_user: BasicUser | null
      merged_at: string | null
      title_html?: string
      description_html?: string
      target_branch: string
      source_branch: string
      reviewers: BasicUser[]
      changes_requested_by?: BasicUser[]
      source_project_id: number | null
      target_project_id: number
      draft: boolean
      work_in_progress: boolean
      merge_when_pipeline_succeeds: boolean
      merge_status: string
      detailed_merge_status: string
      sha: string | null
      merge_commit_sha: string | null
      squash_commit_sha: string | null
      should_remove_source_branch: boolean | null
      force_remove_source_branch: boolean | null
      allow_collaboration?: boolean
      allow_maintainer_to_push?: boolean
      reference: string
      references: References
      squash: boolean
      approvals_before_merge?: number | null
      has_conflicts: boolean
      blocking_discussions_resolved: boolean
      subscribed: boolean
      changes_count: string | null
      latest_build_started_at?: string | null
      latest_build_finished_at?: string | null
      first_deployed_to_production_at?: null
      pipeline?: BasicPipeline | null
      head_pipeline?: Pipeline | null
      diff_refs: DiffRefs | null
      merge_error: string | null
      rebase_in_progress?: boolean
      diverged_commits_count?: number
      first_contribution?: boolean
      user: MergeAbility
      abilities?: MergeRequestAbilities
      change_version?: string
      changes: ComparedFile[]
      overflow: boolean
    }
  }
  /** List the files a merge request changes. */
  'GET /projects/:id/merge_requests/:merge_request_iid/diffs': {
    input: {
      id: number | string
      merge_request_iid: number
      page?: number
      per_page?: number
      text?: boolean
      whitespace?: 'show' | 'ignore'
      expanded?: boolean
      unidiff?: boolean
    }
    answer: (ComparedFile | ChangedFile)[]
  }
  /** Get the raw diff of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs': {
    input: { id: number | string; merge_request_iid: number }
    answer: string
  }
  /** List the versions of a merge request, newest first. */
  'GET /projects/:id/merge_requests/:merge_request_iid/versions': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: MergeRequestVersion[]
  }
  /** Get a version of a merge request with its commits and files. */
  'GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id': {
    input: { id: number | string; merge_request_iid: number; version_id: number; unidiff?: boolean }
    answer: {
      id: number
      head_commit_sha: string
      base_commit_sha: string | null
      start_commit_sha: string
      created_at: string
      merge_request_id: number
      state: string
      real_size: string
      patch_id_sha: string | null
      commits: Commit[]
      diffs: ComparedFile[]
    }
  }
  /** List the issues that a merge request closes. */
  'GET /projects/:id/merge_requests/:merge_request_iid/closes_issues': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: BasicIssue[]
  }
  /** List the pipelines of a merge request, newest first. */
  'GET /projects/:id/merge_requests/:merge_request_iid/pipelines': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: BasicPipeline[]
  }
  /** Start a pipeline for a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': {
    input: { id: number | string; merge_request_iid: number }
    answer: Pipeline | null
  }
  /** Get the approvals of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/approvals': {
    input: { id: number | string; merge_request_iid: number }
    answer: Approvals
  }
  /** Approve a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': {
    input: {
      id: number | string
      merge_request_iid: number
      sha?: string
      approval_password?: string
    }
    answer: Approvals
  }
  /** Revoke your approval of a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': {
    input: { id: number | string; merge_request_iid: number }
    answer: Approvals
  }
  /** Get the approval settings of a project. */
  'GET /projects/:id/approvals': { input: { id: number | string }; answer: ApprovalSettings }
  /** Change the approval settings of a project. */
  'POST /projects/:id/approvals': {
    input: {
      id: number | string
      approvals_before_merge?: number
      reset_approvals_on_push?: boolean
      selective_code_owner_removals?: boolean
      disable_overriding_approvers_per_merge_request?: boolean
      merge_requests_author_approval?: boolean
      merge_requests_disable_committers_approval?: boolean
      require_password_to_approve?: boolean
    }
    answer: ApprovalSettings
  }
  /** List the approval rules of a project. */
  'GET /projects/:id/approval_rules': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProjectApprovalRule[]
  }
  /** Get an approval rule of a project. */
  'GET /projects/:id/approval_rules/:approval_rule_id': {
    input: { id: number | string; approval_rule_id: number }
    answer: ProjectApprovalRule
  }
  /** Add an approval rule to a project. */
  'POST /projects/:id/approval_rules': {
    input: {
      id: number | string
      name: string
      approvals_required: number
      rule_type?: 'regular' | 'any_approver'
      user_ids?: number[]
      usernames?: string[]
      group_ids?: number[]
      protected_branch_ids?: number[]
      applies_to_all_protected_branches?: boolean
    }
    answer: ProjectApprovalRule
  }
  /** Change an approval rule of a project. */
  'PUT /projects/:id/approval_rules/:approval_rule_id': {
    input: {
      id: number | string
      approval_rule_id: number
      name?: string
      approvals_required?: number
      rule_type?: 'regular' | 'any_approver'
      user_ids?: number[]
      usernames?: string[]
      group_ids?: number[]
      protected_branch_ids?: number[]
      applies_to_all_protected_branches?: boolean
      remove_hidden_groups?: boolean
    }
    answer: ProjectApprovalRule
  }
  /** Delete an approval rule of a project. */
  'DELETE /projects/:id/approval_rules/:approval_rule_id': {
    input: { id: number | string; approval_rule_id: number }
    answer: void
  }
  /** Set the number of required approvals of a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/approvals': {
    input: { id: number | string; merge_request_iid: number; approvals_required: number }
    answer: Approvals
  }
  /** Revoke all approvals of a merge request, for the users of project and group tokens. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals': {
    input: { id: number | string; merge_request_iid: number }
    answer: { [name: string]: unknown }
  }
  /** Get the approval state of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/approval_state': {
    input: { id: number | string; merge_request_iid: number }
    answer: ApprovalState
  }
  /** List the approval rules of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/approval_rules': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: MergeRequestApprovalRule[]
  }
  /** Get an approval rule of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id': {
    input: { id: number | string; merge_request_iid: number; approval_rule_id: number }
    answer: MergeRequestApprovalRule
  }
  /** Add an approval rule to a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/approval_rules': {
    input: {
      id: number | string
      merge_request_iid: number
      name: string
      approvals_required: number
      approval_project_rule_id?: number
      rule_type?: 'regular' | 'any_approver'
      user_ids?: number[]
      usernames?: string[]
      group_ids?: number[]
    }
    answer: MergeRequestApprovalRule
  }
  /** Change an approval rule of a merge request. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id': {
    input: {
      id: number | string
      merge_request_iid: number
      approval_rule_id: number
      name?: string
      approvals_required?: number
      rule_type?: 'regular' | 'any_approver'
      user_ids?: number[]
      usernames?: string[]
      group_ids?: number[]
      remove_hidden_groups?: boolean
    }
    answer: MergeRequestApprovalRule
  }
  /** Delete an approval rule of a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id': {
    input: { id: number | string; merge_request_iid: number; approval_rule_id: number }
    answer: void
  }
  /** List the reviewers of a merge request with their last action. */
  'GET /projects/:id/merge_requests/:merge_request_iid/reviewers': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: Reviewer[]
  }
  /** Merge a merge request, at once or when its pipeline succeeds. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': {
    input: {
      id: number | string
      merge_request_iid: number
      merge_commit_message?: string
      squash_commit_message?: string
      squash?: boolean
      should_remove_source_branch?: boolean
      merge_when_pipeline_succeeds?: boolean
      auto_merge?: boolean
      sha?: string
    }
    answer: MergeRequest
  }
  /** Cancel auto-merge. */
  'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds': {
    input: { id: number | string; merge_request_iid: number }
    answer: CancelledMerge
  }
  /** Rebase the source branch of a merge request onto its target. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': {
    input: { id: number | string; merge_request_iid: number; skip_ci?: boolean }
    answer: { rebase_in_progress: boolean }
  }
  /** Get the commit that a merge would create. */
  'GET /projects/:id/merge_requests/:merge_request_iid/merge_ref': {
    input: { id: number | string; merge_request_iid: number }
    answer: CommitId
  }
  /** Get the conflicts of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/conflicts': {
    input: { id: number | string; merge_request_iid: number }
    answer: MergeConflicts
  }
  /** Resolve the conflicts of a merge request by a commit on its source branch. */
  'POST /projects/:id/merge_requests/:merge_request_iid/conflicts': {
    input: {
      id: number | string
      merge_request_iid: number
      source_sha: string
      target_sha: string
      commit_message?: string
      files: ConflictResolution[]
    }
    answer: CommitId
  }
  /** List the milestones of a project. */
  'GET /projects/:id/milestones': {
    input: {
      id: number | string
      state?: 'active' | 'closed' | 'all'
      iids?: number[]
      title?: string
      search?: string
      include_parent_milestones?: boolean
      include_ancestors?: boolean
      include_descendants?: boolean
      updated_before?: string
      updated_after?: string
      page?: number
      per_page?: number
    }
    answer: Milestone[]
  }
  /** Get a milestone of a project. */
  'GET /projects/:id/milestones/:milestone_id': {
    input: { id: number | string; milestone_id: number; render_html?: boolean }
    answer: RenderedMilestone
  }
  /** Create a milestone of a project. */
  'POST /projects/:id/milestones': {
    input: {
      id: number | string
      title: string
      description?: string | null
      start_date?: string | null
      due_date?: string | null
    }
    answer: Milestone
  }
  /** Change, close or open a milestone of a project. */
  'PUT /projects/:id/milestones/:milestone_id': {
    input: {
      id: number | string
      milestone_id: number
      title?: string
      description?: string | null
      start_date?: string | null
      due_date?: string | null
      state_event?: 'close' | 'activate'
    }
    answer: Milestone
  }
  /** Delete a milestone of a project. */
  'DELETE /projects/:id/milestones/:milestone_id': {
    input: { id: number | string; milestone_id: number }
    answer: void
  }
  /** Promote a project milestone to a group milestone. */
  'POST /projects/:id/milestones/:milestone_id/promote': {
    input: { id: number | string; milestone_id: number }
    answer: Milestone
  }
  /** List the milestones of a group. */
  'GET /groups/:id/milestones': {
    input: {
      id: number | string
      state?: 'active' | 'closed' | 'all'
      iids?: number[]
      title?: string
      search?: string
      include_parent_milestones?: boolean
      include_ancestors?: boolean
      include_descendants?: boolean
      updated_before?: string
      updated_after?: string
      page?: number
      per_page?: number
    }
    answer: Milestone[]
  }
  /** Get a milestone of a group. */
  'GET /groups/:id/milestones/:milestone_id': {
    input: { id: number | string; milestone_id: number; render_html?: boolean }
    answer: RenderedMilestone
  }
  /** Create a milestone of a group. */
  'POST /groups/:id/milestones': {
    input: {
      id: number | string
      title: string
      description?: string | null
      start_date?: string | null
      due_date?: string | null
    }
    answer: Milestone
  }
  /** Change, close or open a milestone of a group. */
  'PUT /groups/:id/milestones/:milestone_id': {
    input: {
      id: number | string
      milestone_id: number
      title?: string
      description?: string | null
      start_date?: string | null
      due_date?: string | null
      state_event?: 'close' | 'activate'
    }
    answer: Milestone
  }
  /** Delete a milestone of a group. */
  'DELETE /groups/:id/milestones/:milestone_id': {
    input: { id: number | string; milestone_id: number }
    answer: void
  }
  /** List the notes on an issue. */
  'GET /projects/:id/issues/:issue_iid/notes': {
    input: {
      id: number | string
      issue_iid: number
      order_by?: 'created_at' | 'updated_at'
      sort?: 'asc' | 'desc'
      activity_filter?: 'all_notes' | 'only_comments' | 'only_activity'
      render_html?: boolean
      page?: number
      per_page?: number
    }
    answer: Note[]
  }
  /** Get a note on an issue. */
  'GET /projects/:id/issues/:issue_iid/notes/:note_id': {
    input: { id: number | string; issue_iid: number; note_id: number; render_html?: boolean }
    answer: Note
  }
  /** Create a note on an issue. */
  'POST /projects/:id/issues/:issue_iid/notes': {
    input: {
      id: number | string
      issue_iid: number
      body: string
      confidential?: boolean
      internal?: boolean
      created_at?: string
      merge_request_diff_head_sha?: string
    }
    answer: Note | CommandsResult
  }
  /** Change a note on an issue. */
  'PUT /projects/:id/issues/:issue_iid/notes/:note_id': {
    input: { id: number | string; issue_iid: number; note_id: number; body: string }
    answer: Note
  }
  /** Delete a note on an issue. */
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id': {
    input: { id: number | string; issue_iid: number; note_id: number }
    answer: void
  }
  /** List the threads on an issue. */
  'GET /projects/:id/issues/:issue_iid/discussions': {
    input: {
      id: number | string
      issue_iid: number
      render_html?: boolean
      page?: number
      per_page?: number
    }
    answer: Discussion[]
  }
  /** Get a thread on an issue. */
  'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id': {
    input: { id: number | string; issue_iid: number; discussion_id: string; render_html?: boolean }
    answer: Discussion
  }
  /** Create a thread on an issue. */
  'POST /projects/:id/issues/:issue_iid/discussions': {
    input: { id: number | string; issue_iid: number; body: string; created_at?: string }
    answer: Discussion
  }
  /** List the notes of a thread on an issue. */
  'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes': {
    input: { id: number | string; issue_iid: number; discussion_id: string; render_html?: boolean }
    answer: Note[]
  }
  /** Reply to a thread on an issue. */
  'POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes': {
    input: {
      id: number | string
      issue_iid: number
      discussion_id: string
      body: string
      created_at?: string
    }
    answer: Note
  }
  /** Get a note of a thread on an issue. */
  'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      issue_iid: number
      discussion_id: string
      note_id: number
      render_html?: boolean
    }
    answer: Note
  }
  /** Change or resolve a note of a thread on an issue. */
  'PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      issue_iid: number
      discussion_id: string
      note_id: number
      body?: string
      resolved?: boolean
    }
    answer: Note
  }
  /** Delete a note of a thread on an issue. */
  'DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': {
    input: { id: number | string; issue_iid: number; discussion_id: string; note_id: number }
    answer: void
  }
  /** List the threads on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/discussions': {
    input: {
      id: number | string
      merge_request_iid: number
      render_html?: boolean
      page?: number
      per_page?: number
    }
    answer: Discussion[]
  }
  /** Get a thread on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      render_html?: boolean
    }
    answer: Discussion
  }
  /** Create a thread on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/discussions': {
    input: {
      id: number | string
      merge_request_iid: number
      body: string
      created_at?: string
      commit_id?: string
      position?: PositionInput
    }
    answer: Discussion
  }
  /** List the notes of a thread on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      render_html?: boolean
    }
    answer: Note[]
  }
  /** Reply to a thread on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      body: string
      created_at?: string
    }
    answer: Note
  }
  /** Get a note of a thread on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      note_id: number
      render_html?: boolean
    }
    answer: Note
  }
  /** Change or resolve a note of a thread on a merge request. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      note_id: number
      body?: string
      resolved?: boolean
    }
    answer: Note
  }
  /** Delete a note of a thread on a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      note_id: number
    }
    answer: void
  }
  /** Resolve or reopen a thread on a merge request. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id': {
    input: {
      id: number | string
      merge_request_iid: number
      discussion_id: string
      resolved: boolean
    }
    answer: Discussion
  }
  /** List the notes on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/notes': {
    input: {
      id: number | string
      merge_request_iid: number
      order_by?: 'created_at' | 'updated_at'
      sort?: 'asc' | 'desc'
      activity_filter?: 'all_notes' | 'only_comments' | 'only_activity'
      render_html?: boolean
      page?: number
      per_page?: number
    }
    answer: Note[]
  }
  /** Get a note on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': {
    input: {
      id: number | string
      merge_request_iid: number
      note_id: number
      render_html?: boolean
    }
    answer: Note
  }
  /** Create a note on a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/notes': {
    input: {
      id: number | string
      merge_request_iid: number
      body: string
      confidential?: boolean
      internal?: boolean
      created_at?: string
      merge_request_diff_head_sha?: string
    }
    answer: Note | CommandsResult
  }
  /** Change a note on a merge request. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': {
    input: { id: number | string; merge_request_iid: number; note_id: number; body: string }
    answer: Note
  }
  /** Delete a note on a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': {
    input: { id: number | string; merge_request_iid: number; note_id: number }
    answer: void
  }
  /** List the label events of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_label_events': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: LabelEvent[]
  }
  /** Get a label event of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id': {
    input: { id: number | string; issue_iid: number; event_id: number }
    answer: LabelEvent
  }
  /** List the milestone events of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_milestone_events': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: MilestoneEvent[]
  }
  /** Get a milestone event of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id': {
    input: { id: number | string; issue_iid: number; event_id: number }
    answer: MilestoneEvent
  }
  /** List the state events of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_state_events': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: StateEvent[]
  }
  /** Get a state event of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id': {
    input: { id: number | string; issue_iid: number; event_id: number }
    answer: StateEvent
  }
  /** List the weight events of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_weight_events': {
    input: { id: number | string; issue_iid: number; page?: number; per_page?: number }
    answer: WeightEvent[]
  }
  /** Get a weight event of an issue. */
  'GET /projects/:id/issues/:issue_iid/resource_weight_events/:event_id': {
    input: { id: number | string; issue_iid: number; event_id: number }
    answer: WeightEvent
  }
  /** List the label events of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: LabelEvent[]
  }
  /** Get a label event of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id': {
    input: { id: number | string; merge_request_iid: number; event_id: number }
    answer: LabelEvent
  }
  /** List the milestone events of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: MilestoneEvent[]
  }
  /** Get a milestone event of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events/:event_id': {
    input: { id: number | string; merge_request_iid: number; event_id: number }
    answer: MilestoneEvent
  }
  /** List the state events of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: StateEvent[]
  }
  /** Get a state event of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events/:event_id': {
    input: { id: number | string; merge_request_iid: number; event_id: number }
    answer: StateEvent
  }
  /** Search for projects and users. */
  'GET /search': {
    input: {
      search: string
      scope:
        | 'snippet_titles'
        | 'projects'
        | 'issues'
        | 'merge_requests'
        | 'milestones'
        | 'users'
        | 'notes'
        | 'wiki_blobs'
        | 'commits'
        | 'blobs'
      state?: 'all' | 'opened' | 'closed' | 'merged'
      confidential?: boolean
      page?: number
      per_page?: number
    }
    answer: (Project | SimpleProject)[] | BasicUser[] | Issue[] | BasicMergeRequest[] | Milestone[]
  }
  /** Search a group for projects and users. */
  'GET /groups/:id/search': {
    input: {
      id: number | string
      search: string
      scope:
        | 'projects'
        | 'issues'
        | 'merge_requests'
        | 'milestones'
        | 'users'
        | 'notes'
        | 'wiki_blobs'
        | 'commits'
        | 'blobs'
      state?: 'all' | 'opened' | 'closed' | 'merged'
      confidential?: boolean
      page?: number
      per_page?: number
    }
    answer: (Project | SimpleProject)[] | BasicUser[] | Issue[] | BasicMergeRequest[] | Milestone[]
  }
  /** Search a project for code, commits and users. */
  'GET /projects/:id/search': {
    input: {
      id: number | string
      search: string
      scope:
        | 'issues'
        | 'merge_requests'
        | 'milestones'
        | 'notes'
        | 'wiki_blobs'
        | 'commits'
        | 'blobs'
        | 'users'
      state?: 'all' | 'opened' | 'closed' | 'merged'
      confidential?: boolean
      page?: number
      per_page?: number
      ref?: string
    }
    answer:
      | BlobHit[]
      | CommitHit[]
      | BasicUser[]
      | Note[]
      | Issue[]
      | BasicMergeRequest[]
      | Milestone[]
  }
  /** Search a group for projects and users. */
  'GET /groups/:id/-/search': {
    input: {
      id: number | string
      search: string
      scope:
        | 'projects'
        | 'issues'
        | 'merge_requests'
        | 'milestones'
        | 'users'
        | 'notes'
        | 'wiki_blobs'
        | 'commits'
        | 'blobs'
      state?: 'all' | 'opened' | 'closed' | 'merged'
      confidential?: boolean
      page?: number
      per_page?: number
    }
    answer: (Project | SimpleProject)[] | BasicUser[] | Issue[] | BasicMergeRequest[] | Milestone[]
  }
  /** Search a project for code, commits and users. */
  'GET /projects/:id/-/search': {
    input: {
      id: number | string
      search: string
      scope:
        | 'issues'
        | 'merge_requests'
        | 'milestones'
        | 'notes'
        | 'wiki_blobs'
        | 'commits'
        | 'blobs'
        | 'users'
      state?: 'all' | 'opened' | 'closed' | 'merged'
      confidential?: boolean
      page?: number
      per_page?: number
      ref?: string
    }
    answer:
      | BlobHit[]
      | CommitHit[]
      | BasicUser[]
      | Note[]
      | Issue[]
      | BasicMergeRequest[]
      | Milestone[]
  }
  /** Find projects, groups, users, and your issues and merge requests by name. */
  'GET /search/quick': { input: { q: string }; answer: QuickHit[] }
  /** List your to-do items. */
  'GET /todos': {
    input: {
      action?:
        | 'assigned'
        | 'review_requested'
        | 'mentioned'
        | 'build_failed'
        | 'marked'
        | 'unmergeable'
        | 'directly_addressed'
        | 'approval_required'
        | 'merge_train_removed'
      author_id?: number
      project_id?: number
      group_id?: number
      state?: 'pending' | 'done'
      type?:
        | 'Issue'
        | 'MergeRequest'
        | 'Commit'
        | 'Epic'
        | 'DesignManagement::Design'
        | 'AlertManagement::Alert'
      page?: number
      per_page?: number
    }
    answer: Todo[]
  }
  /** Mark a to-do item as done. */
  'POST /todos/:todo_id/mark_as_done': { input: { todo_id: number }; answer: Todo }
  /** Mark all to-do items as done. */
  'POST /todos/mark_as_done': { input: Record<string, never>; answer: void }
  /** Create a to-do item for an issue. */
  'POST /projects/:id/issues/:issue_iid/todo': {
    input: { id: number | string; issue_iid: number }
    answer: Todo | undefined
  }
  /** Create a to-do item for a merge request. */
  'POST /projects/:id/merge_requests/:merge_request_iid/todo': {
    input: { id: number | string; merge_request_iid: number }
    answer: Todo | undefined
  }
  /** Count your assigned issues, merge requests, review requests and to-do items. */
  'GET /user_counts': {
    input: Record<string, never>
    answer: {
      merge_requests: number
      assigned_issues: number
      assigned_merge_requests: number
      review_requested_merge_requests: number
      todos: number
      attention_requests: number
    }
  }
  /** Get your default notification settings. */
  'GET /notification_settings': { input: Record<string, never>; answer: GlobalNotificationSetting }
  /** Update your default notification settings. */
  'PUT /notification_settings': {
    input: {
      level?: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
      new_note?: boolean
      new_issue?: boolean
      reopen_issue?: boolean
      close_issue?: boolean
      reassign_issue?: boolean
      issue_due?: boolean
      new_merge_request?: boolean
      push_to_merge_request?: boolean
      reopen_merge_request?: boolean
      close_merge_request?: boolean
      reassign_merge_request?: boolean
      merge_merge_request?: boolean
      failed_pipeline?: boolean
      fixed_pipeline?: boolean
      success_pipeline?: boolean
      moved_project?: boolean
      merge_when_pipeline_succeeds?: boolean
      new_epic?: boolean
      notification_email?: string
    }
    answer: GlobalNotificationSetting
  }
  /** List the projects and groups with a notification level of their own. */
  'GET /notification_settings/places': {
    input: { page?: number; per_page?: number }
    answer: PlaceNotificationSetting[]
  }
  /** Get your notification settings for a group. */
  'GET /groups/:id/notification_settings': {
    input: { id: number | string }
    answer: NotificationSetting
  }
  /** Update your notification settings for a group. */
  'PUT /groups/:id/notification_settings': {
    input: {
      id: number | string
      level?: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
      new_note?: boolean
      new_issue?: boolean
      reopen_issue?: boolean
      close_issue?: boolean
      reassign_issue?: boolean
      issue_due?: boolean
      new_merge_request?: boolean
      push_to_merge_request?: boolean
      reopen_merge_request?: boolean
      close_merge_request?: boolean
      reassign_merge_request?: boolean
      merge_merge_request?: boolean
      failed_pipeline?: boolean
      fixed_pipeline?: boolean
      success_pipeline?: boolean
      moved_project?: boolean
      merge_when_pipeline_succeeds?: boolean
      new_epic?: boolean
    }
    answer: NotificationSetting
  }
  /** Get your notification settings for a project. */
  'GET /projects/:id/notification_settings': {
    input: { id: number | string }
    answer: NotificationSetting
  }
  /** Update your notification settings for a project. */
  'PUT /projects/:id/notification_settings': {
    input: {
      id: number | string
      level?: 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'
      new_note?: boolean
      new_issue?: boolean
      reopen_issue?: boolean
      close_issue?: boolean
      reassign_issue?: boolean
      issue_due?: boolean
      new_merge_request?: boolean
      push_to_merge_request?: boolean
      reopen_merge_request?: boolean
      close_merge_request?: boolean
      reassign_merge_request?: boolean
      merge_merge_request?: boolean
      failed_pipeline?: boolean
      fixed_pipeline?: boolean
      success_pipeline?: boolean
      moved_project?: boolean
      merge_when_pipeline_succeeds?: boolean
      new_epic?: boolean
    }
    answer: NotificationSetting
  }
  /** List your draft notes on a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/draft_notes': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: DraftNote[]
  }
  /** Get a draft note. */
  'GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': {
    input: { id: number | string; merge_request_iid: number; draft_note_id: number }
    answer: DraftNote
  }
  /** Create a draft note. */
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes': {
    input: {
      id: number | string
      merge_request_iid: number
      note: string
      in_reply_to_discussion_id?: string
      commit_id?: string
      resolve_discussion?: boolean
      position?: PositionInput
    }
    answer: DraftNote
  }
  /** Update a draft note. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': {
    input: {
      id: number | string
      merge_request_iid: number
      draft_note_id: number
      note?: string
      position?: PositionInput
    }
    answer: DraftNote
  }
  /** Delete a draft note. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': {
    input: { id: number | string; merge_request_iid: number; draft_note_id: number }
    answer: void
  }
  /** Publish a draft note. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish': {
    input: { id: number | string; merge_request_iid: number; draft_note_id: number }
    answer: void
  }
  /** Publish all draft notes on a merge request and submit the review. */
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish': {
    input: {
      id: number | string
      merge_request_iid: number
      note?: string
      internal?: boolean
      reviewer_state?: 'reviewed' | 'requested_changes'
    }
    answer: void
  }
  /** Get a description version of an issue. */
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/description_version': {
    input: { id: number | string; issue_iid: number; note_id: number }
    answer: DescriptionVersion
  }
  /** Delete a description version of an issue. */
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id/description_version': {
    input: { id: number | string; issue_iid: number; note_id: number }
    answer: void
  }
  /** Get a description version of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/description_version': {
    input: { id: number | string; merge_request_iid: number; note_id: number }
    answer: DescriptionVersion
  }
  /** Delete a description version of a merge request. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/description_version': {
    input: { id: number | string; merge_request_iid: number; note_id: number }
    answer: void
  }
  /** List the files of a merge request that you have viewed. */
  'GET /projects/:id/merge_requests/:merge_request_iid/viewed_files': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: ViewedFile[]
  }
  /** Mark a file of a merge request as viewed. */
  'PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files': {
    input: { id: number | string; merge_request_iid: number; path: string; head_sha: string }
    answer: ViewedFile
  }
  /** Mark a file of a merge request as not viewed. */
  'DELETE /projects/:id/merge_requests/:merge_request_iid/viewed_files': {
    input: { id: number | string; merge_request_iid: number; path: string }
    answer: void
  }
  /** List the threads on a commit. */
  'GET /projects/:id/repository/commits/:sha/discussions': {
    input: { id: number | string; sha: string; page?: number; per_page?: number }
    answer: Discussion[]
  }
  /** Get a thread on a commit. */
  'GET /projects/:id/repository/commits/:sha/discussions/:discussion_id': {
    input: { id: number | string; sha: string; discussion_id: string }
    answer: Discussion
  }
  /** Create a thread on a commit. */
  'POST /projects/:id/repository/commits/:sha/discussions': {
    input: {
      id: number | string
      sha: string
      body: string
      created_at?: string
      position?: PositionInput
    }
    answer: Discussion
  }
  /** Reply to a thread on a commit. */
  'POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes': {
    input: {
      id: number | string
      sha: string
      discussion_id: string
      body: string
      created_at?: string
    }
    answer: Note
  }
  /** Get a note of a thread on a commit. */
  'GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id': {
    input: { id: number | string; sha: string; discussion_id: string; note_id: number }
    answer: Note
  }
  /** Change a note of a thread on a commit. */
  'PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id': {
    input: {
      id: number | string
      sha: string
      discussion_id: string
      note_id: number
      body: string
    }
    answer: Note
  }
  /** Delete a note of a thread on a commit. */
  'DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id': {
    input: { id: number | string; sha: string; discussion_id: string; note_id: number }
    answer: void
  }
  /** List the external status checks of a project. */
  'GET /projects/:id/external_status_checks': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ExternalStatusCheck[]
  }
  /** Add an external status check to a project. */
  'POST /projects/:id/external_status_checks': {
    input: {
      id: number | string
      name: string
      external_url: string
      shared_secret?: string
      protected_branch_ids?: number[]
    }
    answer: ExternalStatusCheck
  }
  /** Change an external status check of a project. */
  'PUT /projects/:id/external_status_checks/:check_id': {
    input: {
      id: number | string
      check_id: number
      name?: string
      external_url?: string
      shared_secret?: string
      protected_branch_ids?: number[]
    }
    answer: ExternalStatusCheck
  }
  /** Delete an external status check of a project. */
  'DELETE /projects/:id/external_status_checks/:check_id': {
    input: { id: number | string; check_id: number }
    answer: void
  }
  /** List the external status checks of a merge request. */
  'GET /projects/:id/merge_requests/:merge_request_iid/status_checks': {
    input: { id: number | string; merge_request_iid: number; page?: number; per_page?: number }
    answer: MergeRequestStatusCheck[]
  }
  /** Set the result of an external status check. */
  'POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses': {
    input: {
      id: number | string
      merge_request_iid: number
      sha: string
      external_status_check_id: number
      status?: 'pending' | 'passed' | 'failed'
    }
    answer: StatusCheckResponse
  }
  /** Retry a failed external status check. */
  'POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry': {
    input: { id: number | string; merge_request_iid: number; external_status_check_id: number }
    answer: Message
  }
  /** List the wiki pages of a group. */
  'GET /groups/:id/wikis': {
    input: { id: number | string; with_content?: boolean }
    answer: ListedWikiPage[]
  }
  /** Get a wiki page of a group. */
  'GET /groups/:id/wikis/:slug': {
    input: { id: number | string; slug: string; version?: string; render_html?: boolean }
    answer: WikiPage
  }
  /** List the versions of a wiki page of a group. */
  'GET /groups/:id/wikis/:slug/versions': {
    input: { id: number | string; slug: string; page?: number; per_page?: number }
    answer: WikiPageVersion[]
  }
  /** Compare two versions of a wiki page of a group. */
  'GET /groups/:id/wikis/:slug/diffs': {
    input: {
      id: number | string
      slug: string
      from?: string
      to?: string
      text?: boolean
      whitespace?: 'show' | 'ignore'
      expanded?: boolean
      page?: number
      per_page?: number
    }
    answer: ChangedFile[]
  }
  /** Create a wiki page of a group. */
  'POST /groups/:id/wikis': {
    input: {
      id: number | string
      title: string
      content: string
      format?: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
    }
    answer: WikiPage
  }
  /** Add a file to the wiki of a group. */
  'POST /groups/:id/wikis/attachments': {
    input: { id: number | string; file: Blob; branch?: string }
    answer: WikiAttachment
  }
  /** Change a wiki page of a group. */
  'PUT /groups/:id/wikis/:slug': {
    input: {
      id: number | string
      slug: string
      content?: string
      title?: string
      format?: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
    }
    answer: WikiPage
  }
  /** Delete a wiki page of a group. */
  'DELETE /groups/:id/wikis/:slug': { input: { id: number | string; slug: string }; answer: void }
  /** List the wiki pages of a project. */
  'GET /projects/:id/wikis': {
    input: { id: number | string; with_content?: boolean }
    answer: ListedWikiPage[]
  }
  /** Get a wiki page of a project. */
  'GET /projects/:id/wikis/:slug': {
    input: { id: number | string; slug: string; version?: string; render_html?: boolean }
    answer: WikiPage
  }
  /** List the versions of a wiki page of a project. */
  'GET /projects/:id/wikis/:slug/versions': {
    input: { id: number | string; slug: string; page?: number; per_page?: number }
    answer: WikiPageVersion[]
  }
  /** Compare two versions of a wiki page of a project. */
  'GET /projects/:id/wikis/:slug/diffs': {
    input: {
      id: number | string
      slug: string
      from?: string
      to?: string
      text?: boolean
      whitespace?: 'show' | 'ignore'
      expanded?: boolean
      page?: number
      per_page?: number
    }
    answer: ChangedFile[]
  }
  /** Create a wiki page of a project. */
  'POST /projects/:id/wikis': {
    input: {
      id: number | string
      title: string
      content: string
      format?: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
    }
    answer: WikiPage
  }
  /** Add a file to the wiki of a project. */
  'POST /projects/:id/wikis/attachments': {
    input: { id: number | string; file: Blob; branch?: string }
    answer: WikiAttachment
  }
  /** Change a wiki page of a project. */
  'PUT /projects/:id/wikis/:slug': {
    input: {
      id: number | string
      slug: string
      content?: string
      title?: string
      format?: 'markdown' | 'rdoc' | 'asciidoc' | 'org'
    }
    answer: WikiPage
  }
  /** Delete a wiki page of a project. */
  'DELETE /projects/:id/wikis/:slug': { input: { id: number | string; slug: string }; answer: void }
  /** List the dependencies of a project. */
  'GET /projects/:id/dependencies': {
    input: {
      id: number | string
      package_manager?: (
        | 'bundler'
        | 'composer'
        | 'conan'
        | 'go'
        | 'gradle'
        | 'maven'
        | 'npm'
        | 'nuget'
        | 'pip'
        | 'pipenv'
        | 'yarn'
        | 'sbt'
        | 'setuptools'
      )[]
      search?: string
      order_by?: 'name' | 'severity'
      page?: number
      per_page?: number
    }
    answer: Dependency[]
  }
  /** List the dependencies of a group and its subgroups. */
  'GET /groups/:id/dependencies': {
    input: {
      id: number | string
      package_manager?: (
        | 'bundler'
        | 'composer'
        | 'conan'
        | 'go'
        | 'gradle'
        | 'maven'
        | 'npm'
        | 'nuget'
        | 'pip'
        | 'pipenv'
        | 'yarn'
        | 'sbt'
        | 'setuptools'
      )[]
      search?: string
      order_by?: 'name' | 'severity'
      page?: number
      per_page?: number
    }
    answer: GroupDependency[]
  }
  /** List the managed licenses of a project. */
  'GET /projects/:id/managed_licenses': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ManagedLicense[]
  }
  /** Get a managed license. */
  'GET /projects/:id/managed_licenses/:managed_license_id': {
    input: { id: number | string; managed_license_id: string }
    answer: ManagedLicense
  }
  /** Create a managed license. */
  'POST /projects/:id/managed_licenses': {
    input: {
      id: number | string
      name: string
      approval_status: 'approved' | 'blacklisted' | 'allowed' | 'denied'
    }
    answer: ManagedLicense
  }
  /** Update a managed license. */
  'PATCH /projects/:id/managed_licenses/:managed_license_id': {
    input: {
      id: number | string
      managed_license_id: string
      approval_status: 'approved' | 'blacklisted' | 'allowed' | 'denied'
    }
    answer: ManagedLicense
  }
  /** Delete a managed license. */
  'DELETE /projects/:id/managed_licenses/:managed_license_id': {
    input: { id: number | string; managed_license_id: string }
    answer: void
  }
  /** List the licenses of a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id/licenses': {
    input: {
      id: number | string
      pipeline_id: number
      approval_status?: 'allowed' | 'denied' | 'unclassified'
      page?: number
      per_page?: number
    }
    answer: PipelineLicense[]
  }
  /** Count the licenses of a pipeline by approval status. */
  'GET /projects/:id/pipelines/:pipeline_id/licenses/summary': {
    input: { id: number | string; pipeline_id: number }
    answer: { allowed: number; denied: number; unclassified: number }
  }
  /** List the projects on your security dashboard. */
  'GET /security/projects': { input: { page?: number; per_page?: number }; answer: SimpleProject[] }
  /** Add a project to your security dashboard. */
  'POST /security/projects': { input: { project_id: string }; answer: SimpleProject }
  /** Remove a project from your security dashboard. */
  'DELETE /security/projects/:project_id': { input: { project_id: number }; answer: void }
  /** List the vulnerability exports of all users, newest first. */
  'GET /admin/vulnerability_exports': {
    input: { page?: number; per_page?: number }
    answer: ListedVulnerabilityExport[]
  }
  /** Export the vulnerabilities of a project. */
  'POST /security/projects/:id/vulnerability_exports': {
    input: { id: number | string }
    answer: VulnerabilityExport
  }
  /** Export the vulnerabilities of a group and its subgroups. */
  'POST /security/groups/:id/vulnerability_exports': {
    input: { id: number | string }
    answer: VulnerabilityExport
  }
  /** Export the vulnerabilities of the projects on your security dashboard. */
  'POST /security/vulnerability_exports': {
    input: Record<string, never>
    answer: VulnerabilityExport
  }
  /** Get a vulnerability export of yours. */
  'GET /security/vulnerability_exports/:id': { input: { id: number }; answer: VulnerabilityExport }
  /** Download a vulnerability export of yours. */
  'GET /security/vulnerability_exports/:id/download': { input: { id: number }; answer: string }
  /** List the security scans of a pipeline. */
  'GET /projects/:id/pipelines/:pipeline_id/security_scans': {
    input: { id: number | string; pipeline_id: number; page?: number; per_page?: number }
    answer: SecurityScan[]
  }
  /** List the vulnerabilities found on the default branch of a project. */
  'GET /projects/:id/vulnerabilities': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      severity?: ('info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical')[]
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
      order_by?: 'id' | 'severity'
    }
    answer: Vulnerability[]
  }
  /** Count the vulnerabilities of a project by severity. */
  'GET /projects/:id/vulnerabilities/summary': {
    input: {
      id: number | string
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
    }
    answer: VulnerabilityCounts
  }
  /** List the vulnerabilities of a group and its subgroups. */
  'GET /groups/:id/vulnerabilities': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      severity?: ('info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical')[]
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
      order_by?: 'id' | 'severity'
    }
    answer: Vulnerability[]
  }
  /** Count the vulnerabilities of a group and its subgroups by severity. */
  'GET /groups/:id/vulnerabilities/summary': {
    input: {
      id: number | string
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
    }
    answer: VulnerabilityCounts
  }
  /** List the vulnerabilities of the projects on your security dashboard. */
  'GET /security/vulnerabilities': {
    input: {
      page?: number
      per_page?: number
      severity?: ('info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical')[]
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
      order_by?: 'id' | 'severity'
    }
    answer: Vulnerability[]
  }
  /** Count the vulnerabilities of the projects on your security dashboard by severity. */
  'GET /security/vulnerabilities/summary': {
    input: {
      state?: ('detected' | 'confirmed' | 'dismissed' | 'resolved')[]
      report_type?: (
        | 'sast'
        | 'secret_detection'
        | 'dependency_scanning'
        | 'container_scanning'
        | 'cluster_image_scanning'
        | 'dast'
        | 'coverage_fuzzing'
        | 'api_fuzzing'
      )[]
      scanner?: string
      resolved_on_default_branch?: boolean
    }
    answer: VulnerabilityCounts
  }
  /** Get a vulnerability. */
  'GET /vulnerabilities/:id': { input: { id: number | string }; answer: Vulnerability }
  /** Confirm a vulnerability. */
  'POST /vulnerabilities/:id/confirm': {
    input: { id: number | string; comment?: string }
    answer: Vulnerability | undefined
  }
  /** Dismiss a vulnerability. */
  'POST /vulnerabilities/:id/dismiss': {
    input: {
      id: number | string
      dismissal_reason?:
        | 'acceptable_risk'
        | 'false_positive'
        | 'mitigating_control'
        | 'used_in_tests'
        | 'not_applicable'
      comment?: string
    }
    answer: Vulnerability | undefined
  }
  /** Say that a vulnerability is resolved. */
  'POST /vulnerabilities/:id/resolve': {
    input: { id: number | string; comment?: string }
    answer: Vulnerability | undefined
  }
  /** Take back what was said of a vulnerability. */
  'POST /vulnerabilities/:id/revert': {
    input: { id: number | string; comment?: string }
    answer: Vulnerability | undefined
  }
  /** List the changes of the state of a vulnerability. */
  'GET /vulnerabilities/:id/state_transitions': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: VulnerabilityStateTransition[]
  }
  /** List the issues linked to a vulnerability. */
  'GET /vulnerabilities/:id/issue_links': {
    input: { id: number | string }
    answer: VulnerabilityIssue[]
  }
  /** Link a vulnerability to an issue. */
  'POST /vulnerabilities/:id/issue_links': {
    input: {
      id: number | string
      target_project_id: string
      target_issue_iid: number
      link_type?: 'related' | 'created'
    }
    answer: VulnerabilityIssueLink
  }
  /** Remove the link between a vulnerability and an issue. */
  'DELETE /vulnerabilities/:id/issue_links/:issue_link_id': {
    input: { id: number | string; issue_link_id: number }
    answer: VulnerabilityIssueLink
  }
  /** List the alerts of a project. */
  'GET /projects/:id/alert_management_alerts': {
    input: {
      id: number | string
      page?: number
      per_page?: number
      status?: ('triggered' | 'acknowledged' | 'resolved' | 'ignored')[]
      severity?: ('critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown')[]
      search?: string
      assignee_username?: string
      order_by?:
        | 'started_at'
        | 'ended_at'
        | 'created_at'
        | 'updated_at'
        | 'events'
        | 'severity'
        | 'status'
      sort?: 'asc' | 'desc'
    }
    answer: ListedAlert[]
  }
  /** Get an alert with its payload. */
  'GET /projects/:id/alert_management_alerts/:alert_iid': {
    input: { id: number | string; alert_iid: number }
    answer: Alert
  }
  /** Update the status or the assignees of an alert. */
  'PUT /projects/:id/alert_management_alerts/:alert_iid': {
    input: {
      id: number | string
      alert_iid: number
      status?: 'triggered' | 'acknowledged' | 'resolved' | 'ignored'
      assignee_ids?: number[]
    }
    answer: Alert
  }
  /** Create an incident for an alert. */
  'POST /projects/:id/alert_management_alerts/:alert_iid/issue': {
    input: { id: number | string; alert_iid: number }
    answer: Issue
  }
  /** Get the alert settings of a project. */
  'GET /projects/:id/alert_management/settings': {
    input: { id: number | string }
    answer: AlertSettings
  }
  /** Update the alert settings of a project. */
  'PUT /projects/:id/alert_management/settings': {
    input: {
      id: number | string
      create_issue?: boolean
      send_email?: boolean
      auto_close_incident?: boolean
    }
    answer: AlertSettings
  }
  /** List the alert integrations of a project. */
  'GET /projects/:id/alert_management/integrations': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: AlertIntegration[]
  }
  /** Get an alert integration. */
  'GET /projects/:id/alert_management/integrations/:integration_id': {
    input: { id: number | string; integration_id: number }
    answer: AlertIntegration
  }
  /** Create an alert integration. */
  'POST /projects/:id/alert_management/integrations': {
    input: {
      id: number | string
      type?: 'http' | 'prometheus'
      name?: string | null
      active?: boolean
      payload_example?: unknown | null
      payload_attribute_mappings?: AlertMappingInput[]
    }
    answer: AlertIntegration
  }
  /** Change an alert integration. */
  'PUT /projects/:id/alert_management/integrations/:integration_id': {
    input: {
      id: number | string
      integration_id: number
      name?: string | null
      active?: boolean
      payload_example?: unknown | null
      payload_attribute_mappings?: AlertMappingInput[]
    }
    answer: AlertIntegration
  }
  /** Remove an alert integration. */
  'DELETE /projects/:id/alert_management/integrations/:integration_id': {
    input: { id: number | string; integration_id: number }
    answer: void
  }
  /** Reset the key of an alert integration. */
  'POST /projects/:id/alert_management/integrations/:integration_id/reset_token': {
    input: { id: number | string; integration_id: number }
    answer: AlertIntegration
  }
  /** Send a test alert to an integration. */
  'POST /projects/:id/alert_management/integrations/:integration_id/test': {
    input: { id: number | string; integration_id: number; payload?: { [name: string]: unknown } }
    answer: { iid: number; title: string }[]
  }
  /** Add a metric image to an alert. */
  'POST /projects/:id/alert_management_alerts/:alert_iid/metric_images': {
    input: {
      id: number | string
      alert_iid: number
      file: Blob
      url?: string | null
      url_text?: string | null
    }
    answer: MetricImage
  }
  /** List the metric images of an alert. */
  'GET /projects/:id/alert_management_alerts/:alert_iid/metric_images': {
    input: { id: number | string; alert_iid: number }
    answer: MetricImage[]
  }
  /** Update a metric image of an alert. */
  'PUT /projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': {
    input: {
      id: number | string
      alert_iid: number
      image_id: number
      url?: string | null
      url_text?: string | null
    }
    answer: MetricImage
  }
  /** Delete a metric image of an alert. */
  'DELETE /projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': {
    input: { id: number | string; alert_iid: number; image_id: number }
    answer: void
  }
  /** List background tasks. */
  'GET /admin/background_tasks': {
    input: {
      page?: number
      per_page?: number
      state?: 'waiting' | 'delayed' | 'running' | 'failed'
      lane?:
        | 'upkeep'
        | 'removal'
        | 'expiry'
        | 'mail'
        | 'notifications'
        | 'events'
        | 'delivery'
        | 'reports'
        | 'hooks'
        | 'mirrors'
        | 'domains'
        | 'moves'
        | 'exports'
        | 'backups'
    }
    answer: BackgroundTask[]
  }
  /** Retry a failed or delayed background task. */
  'POST /admin/background_tasks/:id/retry': { input: { id: number }; answer: BackgroundTask }
  /** Delete a background task that failed. */
  'DELETE /admin/background_tasks/:id': { input: { id: number }; answer: void }
  /** Get the queues of background tasks. */
  'GET /sidekiq/queue_metrics': {
    input: Record<string, never>
    answer: { queues: { [name: string]: TaskQueue } }
  }
  /** Get the process that runs background tasks. */
  'GET /sidekiq/process_metrics': {
    input: Record<string, never>
    answer: { processes: TaskProcess[] }
  }
  /** Get the number of background tasks that are processed, failed and waiting. */
  'GET /sidekiq/job_stats': { input: Record<string, never>; answer: { jobs: TaskCounts } }
  /** Get all metrics of background tasks. */
  'GET /sidekiq/compound_metrics': {
    input: Record<string, never>
    answer: { queues: { [name: string]: TaskQueue }; processes: TaskProcess[]; jobs: TaskCounts }
  }
  /** List broadcast messages, the newest first. */
  'GET /broadcast_messages': {
    input: {
      page?: number
      per_page?: number
      active?: boolean
      path?: string
      dismissed?: boolean
    }
    answer: BroadcastMessage[]
  }
  /** Get a broadcast message. */
  'GET /broadcast_messages/:id': { input: { id: number }; answer: BroadcastMessage }
  /** Add a broadcast message, as an administrator. */
  'POST /broadcast_messages': {
    input: {
      message: string
      starts_at?: string
      ends_at?: string
      color?: string | null
      font?: string | null
      target_access_levels?: (10 | 20 | 30 | 40 | 50)[]
      target_path?: string | null
      broadcast_type?: 'banner' | 'notification'
      dismissable?: boolean
    }
    answer: BroadcastMessage
  }
  /** Change a broadcast message, as an administrator. */
  'PUT /broadcast_messages/:id': {
    input: {
      id: number
      message?: string
      starts_at?: string
      ends_at?: string
      color?: string | null
      font?: string | null
      target_access_levels?: (10 | 20 | 30 | 40 | 50)[]
      target_path?: string | null
      broadcast_type?: 'banner' | 'notification'
      dismissable?: boolean
    }
    answer: BroadcastMessage
  }
  /** Remove a broadcast message, as an administrator. */
  'DELETE /broadcast_messages/:id': { input: { id: number }; answer: void }
  /** Dismiss a broadcast message. */
  'POST /broadcast_messages/:id/dismiss': { input: { id: number }; answer: void }
  /** List the clusters of a project. */
  'GET /projects/:id/clusters': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ListedCluster[]
  }
  /** Get a cluster of a project. */
  'GET /projects/:id/clusters/:cluster_id': {
    input: { id: number | string; cluster_id: number }
    answer: Cluster
  }
  /** Add an existing cluster to a project. */
  'POST /projects/:id/clusters/user': {
    input: {
      id: number | string
      name: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes: NewClusterPlatformInput
    }
    answer: Cluster
  }
  /** Change a cluster of a project. */
  'PUT /projects/:id/clusters/:cluster_id': {
    input: {
      id: number | string
      cluster_id: number
      name?: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes?: ClusterPlatformInput
    }
    answer: Cluster
  }
  /** Remove a cluster from a project. */
  'DELETE /projects/:id/clusters/:cluster_id': {
    input: { id: number | string; cluster_id: number }
    answer: void
  }
  /** List the clusters of a group. */
  'GET /groups/:id/clusters': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ListedCluster[]
  }
  /** Get a cluster of a group. */
  'GET /groups/:id/clusters/:cluster_id': {
    input: { id: number | string; cluster_id: number }
    answer: Cluster
  }
  /** Add an existing cluster to a group. */
  'POST /groups/:id/clusters/user': {
    input: {
      id: number | string
      name: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes: NewClusterPlatformInput
    }
    answer: Cluster
  }
  /** Change a cluster of a group. */
  'PUT /groups/:id/clusters/:cluster_id': {
    input: {
      id: number | string
      cluster_id: number
      name?: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes?: ClusterPlatformInput
    }
    answer: Cluster
  }
  /** Remove a cluster from a group. */
  'DELETE /groups/:id/clusters/:cluster_id': {
    input: { id: number | string; cluster_id: number }
    answer: void
  }
  /** List the clusters of the instance. */
  'GET /admin/clusters': { input: { page?: number; per_page?: number }; answer: ListedCluster[] }
  /** Get a cluster of the instance. */
  'GET /admin/clusters/:cluster_id': { input: { cluster_id: number }; answer: Cluster }
  /** Add an existing cluster to the instance. */
  'POST /admin/clusters/add': {
    input: {
      name: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes: NewClusterPlatformInput
    }
    answer: Cluster
  }
  /** Change a cluster of the instance. */
  'PUT /admin/clusters/:cluster_id': {
    input: {
      cluster_id: number
      name?: string
      domain?: string | null
      management_project_id?: number | null
      enabled?: boolean
      environment_scope?: string
      namespace_per_environment?: boolean
      managed?: boolean
      platform_orchestrator_attributes?: ClusterPlatformInput
    }
    answer: Cluster
  }
  /** Remove a cluster from the instance. */
  'DELETE /admin/clusters/:cluster_id': { input: { cluster_id: number }; answer: void }
  /** Get the license of the instance. */
  'GET /license': { input: Record<string, never>; answer: License }
  /** Add a license key (not needed, always refused). */
  'POST /license': { input: { license: string }; answer: License }
  /** Delete a license key (there is none). */
  'DELETE /license/:id': { input: { id: number }; answer: void }
  /** Get the version of the API. */
  'GET /version': { input: Record<string, never>; answer: InstanceMetadata }
  /** Get metadata of the instance. */
  'GET /metadata': { input: Record<string, never>; answer: InstanceMetadata }
  /** Get statistics of the instance. */
  'GET /application/statistics': { input: Record<string, never>; answer: InstanceStatistics }
  /** Get how the instance fares: disks, background tasks, emails, runners, the last backup. */
  'GET /admin/health': { input: Record<string, never>; answer: InstanceHealth }
  /** List the configuration of the server, without secrets. */
  'GET /admin/configuration': { input: Record<string, never>; answer: ConfigurationEntry[] }
  /** List the servers that share the database. */
  'GET /admin/nodes': { input: Record<string, never>; answer: Node[] }
  /** Show the scheduled backups of the server. */
  'GET /admin/backups': { input: Record<string, never>; answer: Backups }
  /** Start a backup of the server. */
  'POST /admin/backups': { input: Record<string, never>; answer: Backups }
  /** List all Pages domains. */
  'GET /pages/domains': { input: { page?: number; per_page?: number }; answer: ListedPagesDomain[] }
  /** List the Pages domains of a project. */
  'GET /projects/:id/pages/domains': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: PagesDomain[]
  }
  /** Get a Pages domain of a project. */
  'GET /projects/:id/pages/domains/:domain': {
    input: { id: number | string; domain: string }
    answer: PagesDomain
  }
  /** Add a Pages domain to a project. */
  'POST /projects/:id/pages/domains': {
    input: {
      id: number | string
      domain: string
      certificate?: string | Blob | null
      key?: string | Blob | null
      auto_ssl_enabled?: boolean
    }
    answer: PagesDomain
  }
  /** Update a Pages domain of a project. */
  'PUT /projects/:id/pages/domains/:domain': {
    input: {
      id: number | string
      domain: string
      certificate?: string | Blob | null
      key?: string | Blob | null
      auto_ssl_enabled?: boolean
    }
    answer: PagesDomain
  }
  /** Verify a Pages domain now. */
  'PUT /projects/:id/pages/domains/:domain/verify': {
    input: { id: number | string; domain: string }
    answer: PagesDomain
  }
  /** Delete a Pages domain of a project. */
  'DELETE /projects/:id/pages/domains/:domain': {
    input: { id: number | string; domain: string }
    answer: void
  }
  /** List all Pages sites, most recently published first. */
  'GET /pages/sites': { input: { page?: number; per_page?: number }; answer: ListedPagesSite[] }
  /** Get the Pages settings and deployments of a project. */
  'GET /projects/:id/pages': { input: { id: number | string }; answer: PagesSite }
  /** Update the Pages settings of a project. */
  'PATCH /projects/:id/pages': {
    input: {
      id: number | string
      pages_unique_domain_enabled?: boolean
      pages_https_only?: boolean
    }
    answer: PagesSite
  }
  /** Unpublish the Pages site of a project. */
  'DELETE /projects/:id/pages': { input: { id: number | string }; answer: void }
  /** List the moves of groups between storages. */
  'GET /group_repository_storage_moves': {
    input: { page?: number; per_page?: number }
    answer: GroupStorageMove[]
  }
  /** Get a storage move of a group's wiki. */
  'GET /group_repository_storage_moves/:repository_storage_id': {
    input: { repository_storage_id: number }
    answer: GroupStorageMove
  }
  /** Move all groups from a storage. */
  'POST /group_repository_storage_moves': {
    input: { source_storage_name: string; destination_storage_name?: string }
    answer: Message
  }
  /** List the moves of a group's wiki between storages. */
  'GET /groups/:id/repository_storage_moves': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: GroupStorageMove[]
  }
  /** Get a storage move of a group's wiki by its object. */
  'GET /groups/:id/repository_storage_moves/:repository_storage_id': {
    input: { id: number | string; repository_storage_id: number }
    answer: GroupStorageMove
  }
  /** Move a group's wiki to another storage. */
  'POST /groups/:id/repository_storage_moves': {
    input: { id: number | string; destination_storage_name?: string }
    answer: GroupStorageMove
  }
  /** List the moves of projects between storages. */
  'GET /project_repository_storage_moves': {
    input: { page?: number; per_page?: number }
    answer: ProjectStorageMove[]
  }
  /** Get a storage move of a project's repositories. */
  'GET /project_repository_storage_moves/:repository_storage_id': {
    input: { repository_storage_id: number }
    answer: ProjectStorageMove
  }
  /** Move all projects from a storage. */
  'POST /project_repository_storage_moves': {
    input: { source_storage_name: string; destination_storage_name?: string }
    answer: Message
  }
  /** List the moves of a project's repositories between storages. */
  'GET /projects/:id/repository_storage_moves': {
    input: { id: number | string; page?: number; per_page?: number }
    answer: ProjectStorageMove[]
  }
  /** Get a storage move of a project's repositories by its object. */
  'GET /projects/:id/repository_storage_moves/:repository_storage_id': {
    input: { id: number | string; repository_storage_id: number }
    answer: ProjectStorageMove
  }
  /** Move a project's repositories to another storage. */
  'POST /projects/:id/repository_storage_moves': {
    input: { id: number | string; destination_storage_name?: string }
    answer: ProjectStorageMove
  }
}
