import { type Static, Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Config } from '../../../config.ts'
import type { FeatureAccess } from '../../../db/db.ts'
import { sshBaseUrl } from '../../../http/base-url.ts'
import {
  namedObject,
  nullable,
  nullableBoolean,
  nullableInteger,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
} from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { InvitedGroupJson } from '../../../subjects/group-summary.ts'
import { maySeeConfidentialIssues } from '../../../subjects/issuable.ts'
import { isUnarchived, mayDownloadCode } from '../../../subjects/project.ts'
import { projectIdentityFields } from '../../../subjects/project-identity.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { customAttributesField } from '../../basics/custom-attributes/custom-attribute.ts'
import { ExpirationPolicyJson, presentExpirationPolicy } from './expiration-policy.ts'
import type { ProjectRecord } from './project.store.ts'

const NamespaceJson = namedObject('ProjectNamespace', {
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: oneOf(['user', 'group']),
  full_path: Type.String(),
  parent_id: nullableInteger,
  avatar_url: nullableText,
  web_url: Type.String(),
})

const simpleFields = {
  ...projectIdentityFields,
  default_branch: nullableText,
  tag_list: Type.Array(Type.String()),
  topics: Type.Array(Type.String()),
  ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: nullableText,
  forks_count: Type.Integer(),
  avatar_url: nullableText,
  star_count: Type.Integer(),
  last_activity_at: Type.String(),
  namespace: NamespaceJson,
}

export const SimpleProjectJson = namedObject('SimpleProject', {
  ...simpleFields,
  ...customAttributesField,
})

const AccessJson = nullable(
  namedObject('OwnAccess', { access_level: Type.Integer(), notification_level: Type.Integer() }),
)

const PermissionsJson = namedObject('ProjectPermissions', {
  project_access: AccessJson,
  group_access: AccessJson,
})

const OwnerJson = namedObject('ProjectOwner', {
  ...BasicUserJson.properties,
  created_at: nullableText,
})

const LinksJson = namedObject('ProjectLinks', {
  self: Type.String(),
  issues: optionalText,
  merge_requests: optionalText,
  repo_branches: Type.String(),
  labels: Type.String(),
  events: Type.String(),
  members: Type.String(),
})

const StatisticsJson = namedObject('ProjectStatistics', {
  commit_count: Type.Integer(),
  storage_size: Type.Integer(),
  repository_size: Type.Integer(),
  wiki_size: Type.Integer(),
  lfs_objects_size: Type.Integer(),
  job_artifacts_size: Type.Integer(),
  pipeline_artifacts_size: Type.Integer(),
  packages_size: Type.Integer(),
  snippets_size: Type.Integer(),
  uploads_size: Type.Integer(),
})

const accessLevelNames = [
  'issues',
  'repository',
  'merge_requests',
  'forking',
  'wiki',
  'builds',
  'snippets',
  'pages',
  'operations',
  'analytics',
  'container_registry',
  'releases',
  'environments',
  'feature_flags',
  'infrastructure',
  'monitor',
  'requirements',
  'security_and_compliance',
  'model_experiments',
  'model_registry',
  'package_registry',
] as const
type AccessLevelName = (typeof accessLevelNames)[number]

const featureAccess = oneOf(['disabled', 'private', 'enabled'])
const publicFeatureAccess = oneOf(['disabled', 'private', 'enabled', 'public'])

const accessLevelFields = {
  ...(Object.fromEntries(
    accessLevelNames.map((name) => [`${name}_access_level`, featureAccess]),
  ) as Record<`${AccessLevelName}_access_level`, typeof featureAccess>),
  pages_access_level: publicFeatureAccess,
  package_registry_access_level: publicFeatureAccess,
}

export const ProjectJson = namedObject('Project', {
  ...simpleFields,
  ...customAttributesField,
  container_registry_image_prefix: Type.String(),
  _links: LinksJson,
  packages_enabled: Type.Boolean(),
  empty_repo: Type.Boolean(),
  archived: Type.Boolean(),
  visibility: oneOf(['private', 'internal', 'public']),
  owner: Type.Optional(OwnerJson),
  resolve_outdated_diff_discussions: Type.Boolean(),
  container_expiration_policy: ExpirationPolicyJson,
  issues_enabled: Type.Boolean(),
  merge_requests_enabled: Type.Boolean(),
  wiki_enabled: Type.Boolean(),
  jobs_enabled: Type.Boolean(),
  snippets_enabled: Type.Boolean(),
  container_registry_enabled: Type.Boolean(),
  service_desk_enabled: Type.Boolean(),
  service_desk_address: Type.Null(),
  can_create_merge_request_in: Type.Boolean(),
  ...accessLevelFields,
  emails_disabled: nullableBoolean,
  shared_runners_enabled: Type.Boolean(),
  lfs_enabled: Type.Boolean(),
  creator_id: nullableInteger,
  import_status: oneOf(['none', 'finished']),
  import_error: Type.Null(),
  forked_from_project: Type.Optional(SimpleProjectJson),
  open_issues_count: Type.Integer(),
  runners_token: nullableText,
  ci_default_git_depth: Type.Integer(),
  ci_forward_deployment_enabled: Type.Boolean(),
  ci_job_token_scope_enabled: Type.Boolean(),
  public_jobs: Type.Boolean(),
  build_git_strategy: Type.Optional(oneOf(['fetch', 'clone'])),
  build_timeout: Type.Integer(),
  auto_cancel_pending_pipelines: oneOf(['enabled', 'disabled']),
  build_coverage_regex: nullableText,
  ci_config_path: nullableText,
  shared_with_groups: Type.Array(InvitedGroupJson),
  only_allow_merge_if_pipeline_succeeds: Type.Boolean(),
  allow_merge_on_skipped_pipeline: nullableBoolean,
  restrict_user_defined_variables: Type.Boolean(),
  request_access_enabled: Type.Boolean(),
  only_allow_merge_if_all_discussions_are_resolved: Type.Boolean(),
  remove_source_branch_after_merge: Type.Boolean(),
  printing_merge_request_link_enabled: Type.Boolean(),
  merge_method: oneOf(['merge', 'rebase_merge', 'ff']),
  squash_option: oneOf(['never', 'always', 'default_on', 'default_off']),
  suggestion_commit_message: nullableText,
  merge_commit_template: nullableText,
  squash_commit_template: nullableText,
  statistics: Type.Optional(StatisticsJson),
  auto_devops_enabled: Type.Boolean(),
  auto_devops_deploy_strategy: oneOf(['continuous', 'manual', 'timed_incremental']),
  autoclose_referenced_issues: Type.Boolean(),
  repository_storage: optionalText,
  repository_size_limit: Type.Optional(nullableInteger),
  keep_latest_artifact: Type.Boolean(),
  marked_for_deletion_at: Type.Null(),
  marked_for_deletion_on: Type.Null(),
  mirror: Type.Boolean(),
  mirror_user_id: Type.Null(),
  mirror_trigger_builds: Type.Boolean(),
  only_mirror_protected_branches: Type.Boolean(),
  mirror_overwrites_diverged_branches: Type.Boolean(),
  external_authorization_classification_label: nullableText,
  approvals_before_merge: optionalInteger,
  only_allow_merge_if_all_status_checks_passed: optionalBoolean,
  permissions: Type.Optional(PermissionsJson),
})

type AccessLevels = Pick<Static<typeof ProjectJson>, keyof typeof accessLevelFields>

export type ProjectPresenterInput = {
  actor: Actor
  baseUrl: string
  config: Config
  secretKey: Buffer
  /** Whether the repository has no branches. */
  isEmpty: boolean
  /** The path of the README in the default branch, if there is one. */
  readme: string | undefined
  includesStatistics: boolean
  /** The simple record of the project that it was forked from, if the caller can see that one. */
  source?: Static<typeof SimpleProjectJson>
}

function levelOf(project: ProjectRecord, actor: Actor): number {
  if (isAdmin(actor)) return Level.owner
  return Math.max(project.namespace_level ?? 0, project.project_level ?? 0)
}

/** Whether the caller may see the project. */
export function isProjectVisible(project: ProjectRecord, actor: Actor): boolean {
  return canSeeProject(actor, { project, level: levelOf(project, actor) })
}

/** Presents a project as an anonymous caller sees it. Fields about code require the right to read it. */
export function presentSimpleProject(project: ProjectRecord, view: ProjectPresenterInput) {
  const { baseUrl, config, readme } = view
  const full_path = `${project.namespace_full_path}/${project.path}`
  const web_url = `${baseUrl}/${full_path}`
  const { actor } = view
  const seesCode = mayDownloadCode({ subject: project, level: levelOf(project, actor), actor })
  const branch = project.default_branch
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${project.namespace_full_name} / ${project.name}`,
    path: project.path,
    path_with_namespace: full_path,
    created_at: project.created_at,
    default_branch: seesCode ? branch : null,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `${sshBaseUrl(baseUrl, config.sshPort)}/${full_path}.git`,
    http_url_to_repo: `${web_url}.git`,
    web_url,
    readme_url: seesCode && readme && branch ? `${web_url}/-/blob/${branch}/${readme}` : null,
    forks_count: project.forks_count,
    avatar_url: avatarUrl(baseUrl, { kind: 'project', id: project.id, avatar: project.avatar }),
    star_count: project.star_count,
    last_activity_at: project.last_activity_at,
    namespace: {
      id: project.namespace_id,
      name: project.namespace_name,
      path: project.namespace_path,
      kind: project.namespace_kind,
      full_path: project.namespace_full_path,
      parent_id: project.namespace_parent_id,
      avatar_url: namespaceAvatar(project, baseUrl),
      web_url:
        project.namespace_kind === 'group'
          ? `${baseUrl}/groups/${project.namespace_full_path}`
          : `${baseUrl}/${project.namespace_full_path}`,
    },
  } satisfies Static<ReturnType<typeof Type.Object<typeof simpleFields>>>
}

/** Returns the avatar of a project's namespace; for a personal one its owner's. */
function namespaceAvatar(project: ProjectRecord, baseUrl: string): string | null {
  const { owner_id, owner_avatar, namespace_id, namespace_avatar } = project
  return owner_id === null
    ? avatarUrl(baseUrl, { kind: 'group', id: namespace_id, avatar: namespace_avatar })
    : avatarUrl(baseUrl, { kind: 'user', id: owner_id, avatar: owner_avatar })
}

/** Returns how many open issues the caller can see. Confidential ones count only for callers who can see all of them. */
function countOpenIssues(project: ProjectRecord, level: number): number {
  if (!isOpenTo(project.issues_access_level, level)) return 0
  return (
    project.open_issues + (maySeeConfidentialIssues(level) ? project.open_confidential_issues : 0)
  )
}

/** Presents the full record. Only signed-in callers get `permissions`. */
export function presentProject(
  project: ProjectRecord,
  view: ProjectPresenterInput,
): Static<typeof ProjectJson> {
  const { actor, baseUrl, config } = view
  const level = levelOf(project, actor)
  const isMaintainer = level >= Level.maintainer
  const simple = presentSimpleProject(project, view)
  const registryHost = new URL(baseUrl).host
  return {
    ...simple,
    container_registry_image_prefix: `${registryHost}/${simple.path_with_namespace.toLowerCase()}`,
    _links: presentLinks(project, { baseUrl, level }),
    packages_enabled: project.packages_enabled,
    empty_repo: view.isEmpty,
    archived: project.archived,
    visibility: project.visibility,
    ...presentOwner(project, baseUrl),
    resolve_outdated_diff_discussions: project.resolve_outdated_diff_discussions,
    container_expiration_policy: presentExpirationPolicy(project),
    issues_enabled: isOpenTo(project.issues_access_level, level),
    merge_requests_enabled: isOpenTo(project.merge_requests_access_level, level),
    wiki_enabled: isOpenTo(project.wiki_access_level, level),
    jobs_enabled: isOpenTo(project.builds_access_level, level),
    snippets_enabled: isOpenTo(project.snippets_access_level, level),
    container_registry_enabled: isOpenTo(project.container_registry_access_level, level),
    service_desk_enabled: project.service_desk_enabled,
    service_desk_address: null,
    can_create_merge_request_in:
      actor.user !== undefined &&
      isUnarchived(project) &&
      isOpenTo(project.merge_requests_access_level, level),
    ...presentAccessLevels(project),
    emails_disabled: project.emails_disabled,
    shared_runners_enabled: project.shared_runners_enabled,
    lfs_enabled: project.lfs_enabled,
    creator_id: project.creator_id,
    import_status: project.forked_from_id === null ? 'none' : 'finished',
    import_error: null,
    ...(view.source ? { forked_from_project: view.source } : {}),
    open_issues_count: countOpenIssues(project, level),
    runners_token:
      isMaintainer && project.runners_token
        ? openSecret(view.secretKey, project.runners_token)
        : null,
    ci_default_git_depth: project.ci_default_git_depth,
    ci_forward_deployment_enabled: project.ci_forward_deployment_enabled,
    ci_job_token_scope_enabled: project.ci_job_token_scope_enabled,
    public_jobs: project.public_jobs,
    ...(isMaintainer ? { build_git_strategy: project.build_git_strategy } : {}),
    build_timeout: project.build_timeout,
    auto_cancel_pending_pipelines: project.auto_cancel_pending_pipelines,
    build_coverage_regex: project.build_coverage_regex,
    ci_config_path: project.ci_config_path,
    shared_with_groups: project.shares.map(({ project_id: _, ...share }) => share),
    only_allow_merge_if_pipeline_succeeds: project.only_allow_merge_if_pipeline_succeeds,
    allow_merge_on_skipped_pipeline: project.allow_merge_on_skipped_pipeline,
    restrict_user_defined_variables: project.restrict_user_defined_variables,
    request_access_enabled: project.request_access_enabled,
    only_allow_merge_if_all_discussions_are_resolved:
      project.only_allow_merge_if_all_discussions_are_resolved,
    remove_source_branch_after_merge: project.remove_source_branch_after_merge,
    printing_merge_request_link_enabled: project.printing_merge_request_link_enabled,
    merge_method: project.merge_method,
    squash_option: project.squash_option,
    suggestion_commit_message: project.suggestion_commit_message,
    merge_commit_template: project.merge_commit_template,
    squash_commit_template: project.squash_commit_template,
    ...(view.includesStatistics && level >= Level.reporter
      ? { statistics: presentStatistics(project) }
      : {}),
    auto_devops_enabled: project.auto_devops_enabled,
    auto_devops_deploy_strategy: project.auto_devops_deploy_strategy,
    autoclose_referenced_issues: project.autoclose_referenced_issues,
    ...(isAdmin(actor)
      ? {
          repository_storage: project.repository_storage,
          repository_size_limit: project.repository_size_limit,
        }
      : {}),
    keep_latest_artifact: project.keep_latest_artifact,
    marked_for_deletion_at: null,
    marked_for_deletion_on: null,
    // Pull mirrors do not exist.
    mirror: false,
    mirror_user_id: null,
    mirror_trigger_builds: false,
    only_mirror_protected_branches: false,
    mirror_overwrites_diverged_branches: false,
    external_authorization_classification_label:
      project.external_authorization_classification_label,
    ...(config.tier === 'free' ? {} : { approvals_before_merge: project.approvals_before_merge }),
    ...(config.tier === 'ultimate'
      ? {
          only_allow_merge_if_all_status_checks_passed:
            project.only_allow_merge_if_all_status_checks_passed,
        }
      : {}),
    ...(actor.user ? { permissions: presentPermissions(project) } : {}),
  }
}

function isOpenTo(access: FeatureAccess | 'public', level: number): boolean {
  return access === 'private' ? level >= Level.guest : access !== 'disabled'
}

function presentAccessLevels(project: ProjectRecord): AccessLevels {
  const column = (name: AccessLevelName) => `${name}_access_level` as const
  const levels = accessLevelNames.map((name) => [column(name), project[column(name)]])
  return Object.fromEntries(levels) as AccessLevels
}

/**
 * Returns the links of the record. Those of issues and merge requests are included only if the caller can use
 * these.
 */
function presentLinks(
  project: ProjectRecord,
  { baseUrl, level }: { baseUrl: string; level: number },
): Static<typeof LinksJson> {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  const { issues_access_level, merge_requests_access_level } = project
  return {
    self,
    ...(isOpenTo(issues_access_level, level) ? { issues: `${self}/issues` } : {}),
    ...(isOpenTo(merge_requests_access_level, level)
      ? { merge_requests: `${self}/merge_requests` }
      : {}),
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
  }
}

/** Returns the owner of a personal project. Other projects lack the field, since strict clients reject null. */
function presentOwner(project: ProjectRecord, baseUrl: string) {
  const { owner_id, owner_name, owner_username, owner_created_at, owner_state, owner_avatar } =
    project
  if (owner_id === null) return {}
  const owner = {
    id: owner_id,
    name: owner_name ?? '',
    username: owner_username ?? '',
    state: owner_state as 'active',
    avatar: owner_avatar,
  }
  return { owner: { ...presentBasicUser(owner, baseUrl), created_at: owner_created_at } }
}

function presentStatistics(project: ProjectRecord): Static<typeof StatisticsJson> {
  return {
    commit_count: project.commit_count,
    storage_size:
      project.repository_size +
      project.wiki_size +
      project.lfs_objects_size +
      project.job_artifacts_size,
    repository_size: project.repository_size,
    wiki_size: project.wiki_size,
    lfs_objects_size: project.lfs_objects_size,
    job_artifacts_size: project.job_artifacts_size,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
    uploads_size: 0,
  }
}

/** The notification level is always 3, the user's global setting. */
function presentPermissions(project: ProjectRecord) {
  const access = (access_level: number | null) =>
    access_level === null ? null : { access_level, notification_level: 3 }
  const isPersonal = project.namespace_kind === 'user'
  const own = isPersonal
    ? (project.namespace_level ?? project.project_level)
    : project.project_level
  return {
    project_access: access(own),
    group_access: access(isPersonal ? null : project.namespace_level),
  }
}
