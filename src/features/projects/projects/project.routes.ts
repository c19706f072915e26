import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { branchRef, type RefName } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { setHead } from '../../../git/update-refs.ts'
import { acceptedAnswer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { atLeastOneOf, mutuallyExclusive } from '../../../http/parameters.ts'
import type { UploadedFile } from '../../../http/raw-parameters.ts'
import {
  file,
  MessageJson,
  nullable,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  findNamespace,
  findPersonalNamespace,
  type Namespace,
} from '../../../subjects/namespace.ts'
import {
  findProject,
  mayAdminProject,
  mayReadProject,
  mayRemoveProject,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { actorUserFromUser, findUser, type User } from '../../../subjects/user.ts'
import { enqueue } from '../../../tasks/task.ts'
import { withAbilitiesInput } from '../../abilities.ts'
import { changedFieldsWithValues, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { changeAvatar, storeUploadedAvatar } from '../../basics/avatars/change-avatar.ts'
import {
  addCustomAttributesToRecords,
  withCustomAttributesInput,
} from '../../basics/custom-attributes/custom-attribute.ts'
import { renderDescriptionHtml } from '../../basics/markdown/markdown.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import { createProject, resolveNameAndPath } from './create-project.ts'
import {
  checkExpirationPolicy,
  expirationPolicyInput,
  serializeChangedExpirationPolicy,
} from './expiration-policy.ts'
import { ProjectJson } from './project.present.ts'
import {
  findTakenNameOrPath,
  getExpirationPolicyRow,
  listProjectRecords,
  markProjectDeleted,
  updateProject,
} from './project.store.ts'
import { removeProjectTask } from './project.tasks.ts'
import { projectChangedEffect } from './project-changed.ts'
import { projectCreatedWithReadmeEffect } from './project-created-with-readme.ts'
import {
  ensureProjectVisibilityAllowed,
  type ProjectSettings,
  projectProblems,
  takenNameOrPathProblems,
  throwIfNameOrPathTaken,
} from './project-problems.ts'
import { renameProject } from './rename-project.ts'
import { ProjectWithAbilitiesJson, resolveProjectAbilities, showProject } from './show-projects.ts'
import { mayCreateProjectIn } from './target-namespace.ts'

const tag = 'Projects'

const featureAccess = Type.Optional(oneOf(['disabled', 'private', 'enabled']))
const nullableText = Type.Optional(nullable(Type.String()))

/** The fields that clients may set, at creation and later. */
const settingsInput = {
  description: nullableText,
  visibility: Type.Optional(oneOf(['private', 'internal', 'public'])),
  topics: Type.Optional(Type.Array(Type.String())),
  tag_list: Type.Optional(Type.Array(Type.String())),
  default_branch: optionalText,
  issues_access_level: featureAccess,
  repository_access_level: featureAccess,
  merge_requests_access_level: featureAccess,
  forking_access_level: featureAccess,
  wiki_access_level: featureAccess,
  builds_access_level: featureAccess,
  snippets_access_level: featureAccess,
  pages_access_level: Type.Optional(oneOf(['disabled', 'private', 'enabled', 'public'])),
  operations_access_level: featureAccess,
  analytics_access_level: featureAccess,
  container_registry_access_level: featureAccess,
  releases_access_level: featureAccess,
  environments_access_level: featureAccess,
  feature_flags_access_level: featureAccess,
  infrastructure_access_level: featureAccess,
  monitor_access_level: featureAccess,
  requirements_access_level: featureAccess,
  security_and_compliance_access_level: featureAccess,
  model_experiments_access_level: featureAccess,
  model_registry_access_level: featureAccess,
  package_registry_access_level: Type.Optional(oneOf(['disabled', 'private', 'enabled', 'public'])),
  container_expiration_policy_attributes: expirationPolicyInput,
  issues_enabled: optionalBoolean,
  merge_requests_enabled: optionalBoolean,
  wiki_enabled: optionalBoolean,
  jobs_enabled: optionalBoolean,
  snippets_enabled: optionalBoolean,
  container_registry_enabled: optionalBoolean,
  resolve_outdated_diff_discussions: optionalBoolean,
  shared_runners_enabled: optionalBoolean,
  lfs_enabled: optionalBoolean,
  emails_disabled: optionalBoolean,
  service_desk_enabled: optionalBoolean,
  packages_enabled: optionalBoolean,
  ci_config_path: nullableText,
  ci_default_git_depth: optionalInteger,
  ci_forward_deployment_enabled: optionalBoolean,
  ci_job_token_scope_enabled: optionalBoolean,
  public_jobs: optionalBoolean,
  public_builds: optionalBoolean,
  build_git_strategy: Type.Optional(oneOf(['fetch', 'clone'])),
  build_timeout: optionalInteger,
  build_coverage_regex: nullableText,
  auto_cancel_pending_pipelines: Type.Optional(oneOf(['enabled', 'disabled'])),
  auto_devops_enabled: optionalBoolean,
  auto_devops_deploy_strategy: Type.Optional(oneOf(['continuous', 'manual', 'timed_incremental'])),
  keep_latest_artifact: optionalBoolean,
  restrict_user_defined_variables: optionalBoolean,
  request_access_enabled: optionalBoolean,
  only_allow_merge_if_pipeline_succeeds: optionalBoolean,
  allow_merge_on_skipped_pipeline: optionalBoolean,
  only_allow_merge_if_all_discussions_are_resolved: optionalBoolean,
  only_allow_merge_if_all_status_checks_passed: optionalBoolean,
  remove_source_branch_after_merge: optionalBoolean,
  printing_merge_request_link_enabled: optionalBoolean,
  autoclose_referenced_issues: optionalBoolean,
  merge_method: Type.Optional(oneOf(['merge', 'rebase_merge', 'ff'])),
  squash_option: Type.Optional(oneOf(['never', 'always', 'default_on', 'default_off'])),
  suggestion_commit_message: nullableText,
  merge_commit_template: nullableText,
  squash_commit_template: nullableText,
  external_authorization_classification_label: nullableText,
  approvals_before_merge: optionalInteger,
  repository_size_limit: Type.Optional(nullable(Type.Integer())),
  avatar: Type.Optional(nullable(file())),
  import_url: optionalText,
  mirror: optionalBoolean,
  mirror_user_id: optionalInteger,
  mirror_trigger_builds: optionalBoolean,
  mirror_overwrites_diverged_branches: optionalBoolean,
  mirror_branch_regex: optionalText,
  only_mirror_protected_branches: optionalBoolean,
  use_custom_template: optionalBoolean,
  group_with_project_templates_id: optionalInteger,
}

const createInput = {
  name: optionalText,
  path: optionalText,
  namespace_id: optionalInteger,
  initialize_with_readme: optionalBoolean,
  repository_storage: optionalText,
  template_name: optionalText,
  template_project_id: optionalInteger,
  ...settingsInput,
}

const origins = ['template_name', 'template_project_id'] as const
const oneOrigin = mutuallyExclusive('import_url', ...origins)

type SettingsInput = Record<string, unknown> & {
  topics?: string[]
  tag_list?: string[]
  approvals_before_merge?: number
  only_allow_merge_if_all_status_checks_passed?: boolean
  repository_size_limit?: number | null
  default_branch?: string
  public_builds?: boolean
  container_expiration_policy_attributes?: Static<typeof expirationPolicyInput>
}

/** Old boolean parameters, each with the access level that replaced it. */
const switches = {
  issues_enabled: 'issues_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  wiki_enabled: 'wiki_access_level',
  jobs_enabled: 'builds_access_level',
  snippets_enabled: 'snippets_access_level',
  container_registry_enabled: 'container_registry_access_level',
} as const

/**
 * Returns the columns that the parameters set. Topics are handled elsewhere, and old boolean parameters
 * become access levels.
 */
function settingsOf(
  input: SettingsInput,
  { actor, config }: Context<unknown, unknown>,
): ProjectSettings {
  const {
    topics: _topics,
    tag_list: _tags,
    name: _name,
    path: _path,
    namespace_id: _namespace,
    user_id: _user,
    initialize_with_readme: _readme,
    avatar: _avatar,
    template_name: _template,
    template_project_id: _project,
    container_expiration_policy_attributes: _policy,
    approvals_before_merge,
    only_allow_merge_if_all_status_checks_passed,
    repository_size_limit,
    default_branch,
    public_builds,
    ...settings
  } = input
  for (const name of unsupported) delete settings[name]
  if (public_builds !== undefined) settings.public_jobs ??= public_builds
  // Some clients always send the parameter, and leave it empty if the user has not chosen a branch.
  if (default_branch) settings.default_branch = default_branch
  for (const [old, column] of Object.entries(switches)) {
    const isOn = ownValue(settings, old)
    if (isOn !== undefined && ownValue(settings, column) === undefined) {
      settings[column] = isOn ? 'enabled' : 'disabled'
    }
    delete settings[old]
  }
  // The free tier ignores parameters of the paid tiers (docs/api/conventions.md, "Tiers").
  if (config.tier === 'free') return settings
  // Only administrators may set quotas.
  const quota = isAdmin(actor) ? { repository_size_limit } : {}
  const checks = config.tier === 'ultimate' ? { only_allow_merge_if_all_status_checks_passed } : {}
  return { ...settings, approvals_before_merge, ...checks, ...quota }
}

/**
 * Returns the namespace to create in. Throws the same 400 whether the caller cannot see it or may not create
 * projects there.
 */
async function getTargetNamespace(
  context: Context<unknown, unknown>,
  namespaceId: number | undefined,
): Promise<Namespace> {
  const { db, user } = context
  const namespace =
    namespaceId === undefined
      ? await findPersonalNamespace(db, user.id)
      : await findNamespace(db, namespaceId)
  if (namespace && (await mayCreateProjectIn(context, namespace))) return namespace
  throw invalid({ namespace: ['is not valid'] })
}

/** Parameters for mirroring another repository or copying a template. */
const unsupported = [
  'import_url',
  'mirror',
  'mirror_user_id',
  'mirror_trigger_builds',
  'mirror_overwrites_diverged_branches',
  'mirror_branch_regex',
  'only_mirror_protected_branches',
  'use_custom_template',
  'group_with_project_templates_id',
] as const

/** Throws 400 with the name of each unsupported parameter. An empty or false value is ignored. */
function refuseUnsupported(input: SettingsInput): void {
  const asked = unsupported.filter((name) => input[name])
  if (asked.length === 0) return
  throw invalid(Object.fromEntries(asked.map((name) => [name, ['is not supported']])))
}

/** There are no project templates. Requests for one are refused, since an empty project would be wrong. */
function refuseOrigin(input: SettingsInput): void {
  for (const name of origins) {
    const given = input[name]
    if (given) throw invalid({ [name]: [`'${given}' is unknown or invalid`] })
  }
}

async function create(
  context: Context<unknown, unknown>,
  {
    namespace,
    owner,
    input,
  }: {
    namespace: Namespace
    owner: User
    input: SettingsInput & {
      name?: string
      path?: string
      visibility?: 'private' | 'internal' | 'public'
      default_branch?: string
      initialize_with_readme?: boolean
      avatar?: UploadedFile | null
    }
  },
) {
  const { db, actor, clock } = context
  refuseUnsupported(input)
  refuseOrigin(input)
  const policy = input.container_expiration_policy_attributes
  if (policy) checkExpirationPolicy(policy)
  const settings = settingsOf(input, context)
  if (policy) {
    const now = timestamp(clock)
    const before = { created_at: now, container_expiration_policy: null }
    settings.container_expiration_policy = serializeChangedExpirationPolicy(before, policy, now)
  }
  // Only administrators may choose a storage (docs/api/projects.md, "List").
  if (!isAdmin(actor)) delete settings.repository_storage
  const { name, path } = resolveNameAndPath(input)
  const change = await storeUploadedAvatar(context, input.avatar)
  const usual = await readSettings(db)
  const id = await createProject(context, {
    creator: actorUserFromUser(owner),
    namespace,
    name,
    path,
    visibility: input.visibility ?? usual.default_project_visibility,
    default_branch: settings.default_branch ?? usual.default_branch_name ?? 'main',
    topics: input.topics ?? input.tag_list ?? [],
    settings,
    projects_limit: owner.projects_limit,
  })
  if (change) {
    const owner = { kind: 'project', id } as const
    const now = timestamp(clock)
    await runTransaction(db, async (tx) => {
      await updateProject(tx, id, await changeAvatar(tx, { owner, change, now }))
    })
  }
  if (input.initialize_with_readme) {
    const found = await findProject(db, actor, { id })
    if (!found) throw new Error(`Project ${id} was deleted while it was being created.`)
    const description = settings.description ? `\n${settings.description}\n` : ''
    await projectCreatedWithReadmeEffect.run({
      ...context,
      project: found.project,
      readme: `# ${name}\n${description}`,
    })
  }
  return showProject(context, id)
}

/** The settings of a project that affect access. */
const auditedFields = [
  'visibility',
  'path',
  'default_branch',
  'repository_access_level',
  'forking_access_level',
  'builds_access_level',
  'public_jobs',
  'repository_size_limit',
] as const

/** Returns whether the request changes the path or the visibility of the project. */
function movesOf({
  subject: project,
  input: { path, visibility },
}: Context<Project, { path?: string; visibility?: string }>) {
  return {
    renames: path !== undefined && path !== project.path,
    reveals: visibility !== undefined && visibility !== project.visibility,
  }
}

import { replaceProjectTopics } from '../topics/topic.ts'

export const projectEndpoints = [
  endpoint({
    route: 'POST /projects',
    summary: 'Create a project',
    tag,
    allow: anyone,
    transaction: 'none',
    body_bytes_max: limits.avatar_body_bytes,
    input: Type.Object(createInput),
    rules: [atLeastOneOf('name', 'path'), oneOrigin],
    status: 201,
    answer: ProjectJson,
    async run(context) {
      const { db, input, user } = context
      const namespace = await getTargetNamespace(context, input.namespace_id)
      const owner = await findUser(db, user.id)
      if (!owner) throw notFound('User')
      return create(context, { namespace, owner, input })
    },
  }),

  endpoint({
    route: 'POST /projects/user/:user_id',
    summary: 'Create a project for a user',
    tag,
    allow: administrators,
    transaction: 'none',
    body_bytes_max: limits.avatar_body_bytes,
    input: Type.Object({ user_id: Type.Integer(), ...createInput, name: Type.String() }),
    rules: [oneOrigin],
    status: 201,
    answer: ProjectJson,
    async run(context) {
      const { db, input } = context
      const owner = await findUser(db, input.user_id)
      const namespace = owner && (await findPersonalNamespace(db, owner.id))
      if (!owner || !namespace) throw notFound('User')
      return create(context, { namespace, owner, input })
    },
  }),

  endpoint({
    route: 'GET /projects/:id',
    summary: 'Get a project',
    tag,
    on: projectLoader,
    allow: mayReadProject,
    input: Type.Object({
      statistics: optionalBoolean,
      render_html: optionalBoolean,
      ...withCustomAttributesInput,
      ...withAbilitiesInput,
    }),
    answer: ProjectWithAbilitiesJson,
    async run(context) {
      const { statistics, with_custom_attributes: isWanted } = context.input
      const { with_abilities, render_html } = context.input
      const { id } = context.subject
      const shown = await showProject(context, id, { includesStatistics: statistics ?? false })
      if (!isWanted && !with_abilities && !render_html) return shown
      const [record] = await addCustomAttributesToRecords(context, 'project', {
        items: [shown.value],
        isWanted,
      })
      return {
        ...record,
        ...(render_html && (await renderDescriptionHtml(String(record?.description ?? '')))),
        ...(with_abilities && (await resolveProjectAbilities(context, id))),
      }
    },
  }),

  endpoint({
    route: 'PUT /projects/:id',
    summary: 'Change a project',
    tag,
    on: projectLoader,
    allow: mayAdminProject,
    transaction: 'none',
    body_bytes_max: limits.avatar_body_bytes,
    input: Type.Object({ name: optionalText, path: optionalText, ...settingsInput }),
    rules: [atLeastOneOf('name', 'path', ...Object.keys(settingsInput))],
    answer: ProjectJson,
    authorize(context) {
      const { renames, reveals } = movesOf(context)
      return context.level >= Level.owner || !(renames || reveals)
    },
    async run(context) {
      const { db, clock, config, subject: project, input } = context
      const { renames, reveals } = movesOf(context)
      const namespace = await findNamespace(db, project.namespace_id)
      if (!namespace) throw notFound('Project')
      refuseUnsupported(input)
      const policy = input.container_expiration_policy_attributes
      if (policy) checkExpirationPolicy(policy)
      const settings = settingsOf(input, context)
      const wanted = {
        name: input.name ?? project.name,
        path: input.path ?? project.path,
        visibility: input.visibility ?? project.visibility,
        default_branch: settings.default_branch ?? project.default_branch ?? 'main',
      }
      const topics = input.topics ?? input.tag_list
      const problems = projectProblems({ ...wanted, namespace, settings, topics })
      if (Object.keys(problems).length > 0) throw invalid(problems)
      if (settings.default_branch) {
        const ref = branchRef(settings.default_branch) as RefName
        const repository = projectRepository(config, project)
        if (!readRef(repository, ref)) {
          throw invalid({ base: ['Could not set the default branch', 'Branch does not exist'] })
        }
        await setHead(repository, ref)
      }
      const change = await storeUploadedAvatar(context, input.avatar)
      const owner = { kind: 'project', id: project.id } as const
      const now = timestamp(clock)
      await runTransaction(db, async (tx) => {
        if (reveals) await ensureProjectVisibilityAllowed(tx, project, wanted.visibility)
        if (wanted.name !== project.name || renames) {
          const taken = await findTakenNameOrPath(tx, {
            namespace_id: namespace.id,
            name: wanted.name === project.name ? '' : wanted.name,
            path:
              renames && wanted.path.toLowerCase() !== project.path.toLowerCase()
                ? wanted.path
                : '',
          })
          if (taken.name || taken.path) throw invalid(takenNameOrPathProblems(taken))
        }
        if (renames) await renameProject({ db: tx, user: context.user }, project, wanted.path)
        if (topics) await replaceProjectTopics(tx, clock, { id: project.id, topics })
        if (policy) {
          const before = await getExpirationPolicyRow(tx, project.id)
          settings.container_expiration_policy = serializeChangedExpirationPolicy(
            before,
            policy,
            now,
          )
        }
        await updateProject(tx, project.id, {
          ...settings,
          ...(await changeAvatar(tx, { owner, change, now })),
          // Only fields of the request are written, since another request may have renamed the project in the
          // meantime.
          name: input.name,
          path: renames ? input.path : undefined,
          updated_at: now,
        }).catch(throwIfNameOrPathTaken)
        const changed = { tx, clock, project_id: project.id }
        const old_path_with_namespace = project.full_path
        if (renames) {
          await projectChangedEffect.run({ ...changed, action: 'rename', old_path_with_namespace })
        } else await projectChangedEffect.run({ ...changed, action: 'update' })
        const after = {
          ...input,
          ...settings,
          default_branch: settings.default_branch ?? undefined,
        }
        const changes = changedFieldsWithValues(project, after, auditedFields)
        if (Object.keys(changes).length === 0) return
        const entity = { kind: 'project', id: project.id } as const
        const event = { action: 'project_changed', entity, details: { changes } } as const
        await recordAuditEvent({ ...context, db: tx }, event)
      })
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id',
    summary: 'Delete a project',
    tag,
    on: projectLoader,
    allow: mayRemoveProject,
    status: 202,
    answer: MessageJson,
    async run(context) {
      const { db, clock, subject: project, request, actor } = context
      const [record] = await listProjectRecords(db, actor, [project.id])
      checkIfUnmodifiedSince(request, record?.updated_at)
      const entity = { kind: 'project', id: project.id } as const
      await recordAuditEvent(context, { action: 'project_removed', entity })
      await markProjectDeleted(db, project)
      await enqueue(db, clock, {
        task: removeProjectTask,
        key: String(project.id),
        payload: { project_id: project.id },
      })
      return acceptedAnswer()
    },
  }),
]
