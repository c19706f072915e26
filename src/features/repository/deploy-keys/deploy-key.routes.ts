import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { administrators } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import {
  dateTime,
  nullable,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { mayAdminProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { createSshKey, sshKeyTitleProblems } from '../../people/ssh-keys/create-ssh-key.ts'
import { parseSshPublicKey } from '../../people/ssh-keys/public-key.ts'
import type { SshKey } from '../../people/ssh-keys/ssh-key.ts'
import {
  DeployKeyJson,
  EnabledDeployKeyJson,
  presentDeployKey,
  presentEnabledDeployKey,
} from './deploy-key.present.ts'
import {
  disableDeployKey,
  type EnabledDeployKey,
  enableDeployKey,
  findDeployKeyToEnable,
  findEnabledDeployKey,
  listDeployKeys,
  listEnabledDeployKeys,
  listProjectsByDeployKey,
  setDeployKeyCanPush,
  setDeployKeyTitle,
} from './deploy-key.store.ts'

const tag = 'Deploy keys'

const keyIdInput = { key_id: Type.Integer() }
const newKeyInput = {
  key: Type.String({ description: 'One line, as in an authorized_keys file.' }),
  title: Type.String(),
  expires_at: Type.Optional(nullable(dateTime())),
}

async function getEnabledKey(
  db: Db,
  project: Project,
  { key_id }: { key_id: number },
): Promise<EnabledDeployKey> {
  const key = await findEnabledDeployKey(db, { ssh_key_id: key_id, project_id: project.id })
  if (!key) throw recordNotFound()
  return key
}

async function recordKeyEvent(
  source: AuditSource,
  action: 'deploy_key_added' | 'deploy_key_changed' | 'deploy_key_removed',
  { project_id, can_push, ...key }: SshKey & { project_id?: number; can_push?: boolean },
): Promise<void> {
  const { id, title: name, fingerprint_sha256 } = key
  await recordAuditEvent(source, {
    action,
    entity:
      project_id === undefined ? { kind: 'instance', id: 0 } : { kind: 'project', id: project_id },
    target: { kind: 'deploy_key', id, name },
    details: { fingerprint_sha256, can_push },
  })
}

/** Prefixes the fields of validation messages with the key's name within the project record. */
function withinProject(problems: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(problems).map(([field, texts]) => [`deploy_key.${field}`, texts]),
  )
}

type NewKey = { key: string; title: string; expires_at?: string | null; can_push?: boolean }

/**
 * Enables a key. A key that the project has is left unchanged, a key that the caller has in another project
 * is shared, and any other key is added. The real product does the same, since an instance has each key only
 * once.
 */
async function provideKey(context: Context<Project, NewKey>): Promise<EnabledDeployKey> {
  const { db, clock, subject: project, user, input } = context
  const { can_push = false, ...fields } = input
  const read = parseSshPublicKey(input.key)
  if ('problems' in read)
    throw invalid(withinProject({ ...sshKeyTitleProblems(input.title), ...read.problems }))
  const { fingerprint_sha256 } = read.publicKey
  const present = await findEnabledDeployKey(db, { fingerprint_sha256, project_id: project.id })
  if (present) return present
  let key = await findDeployKeyToEnable(db, user, { fingerprint_sha256 })
  if (!key) {
    const result = await createSshKey(db, clock, {
      ...fields,
      user_id: null,
      created_by_id: user.id,
    })
    if ('problems' in result) throw invalid(withinProject(result.problems))
    key = result.added
  }
  const link = { ssh_key_id: key.id, project_id: project.id, can_push }
  await enableDeployKey(db, { ...link, now: timestamp(clock) })
  await recordKeyEvent(context, 'deploy_key_added', { ...key, ...link })
  return { ...key, can_push }
}

export const deployKeyEndpoints = [
  endpoint({
    route: 'GET /deploy_keys',
    summary: 'List all deploy keys',
    tag,
    allow: administrators,
    input: Type.Object({ ...pageInput, public: optionalBoolean }),
    answer: Type.Array(DeployKeyJson),
    async run(context) {
      const { db, input, range } = context
      const { rows, total } = await listDeployKeys(db, { is_public: input.public }, range)
      const projects = await listProjectsByDeployKey(
        db,
        rows.map(({ id }) => id),
      )
      const items = rows.map((key) => presentDeployKey(key, projects.get(key.id) ?? []))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'POST /deploy_keys',
    summary: 'Add a public deploy key',
    tag,
    allow: administrators,
    input: Type.Object(newKeyInput),
    status: 201,
    answer: DeployKeyJson,
    async run(context) {
      const { db, clock, user, input } = context
      const owner = { user_id: null, created_by_id: user.id, is_public: true }
      const result = await createSshKey(db, clock, { ...input, ...owner })
      if ('problems' in result) throw invalid(result.problems)
      await recordKeyEvent(context, 'deploy_key_added', result.added)
      return presentDeployKey(result.added, [])
    },
  }),

  endpoint({
    route: 'GET /projects/:id/deploy_keys',
    summary: 'List the deploy keys of a project',
    tag,
    on: projectLoader,
    signIn: 'always',
    allow: mayAdminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(EnabledDeployKeyJson),
    async run(context) {
      const { range } = context
      const { rows, total } = await listEnabledDeployKeys(context.db, context.subject.id, range)
      return new Page({ items: rows.map(presentEnabledDeployKey), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/deploy_keys/:key_id(^\\d+$)',
    summary: 'Get a deploy key of a project',
    tag,
    on: projectLoader,
    signIn: 'always',
    allow: mayAdminProject,
    input: Type.Object(keyIdInput),
    answer: EnabledDeployKeyJson,
    async run({ db, subject, input }) {
      return presentEnabledDeployKey(await getEnabledKey(db, subject, input))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/deploy_keys',
    summary: 'Add a deploy key to a project',
    tag,
    on: projectLoader,
    allow: mayAdminProject,
    input: Type.Object({ ...newKeyInput, can_push: optionalBoolean }),
    status: 201,
    answer: EnabledDeployKeyJson,
    async run(context) {
      return presentEnabledDeployKey(await provideKey(context))
    },
  }),

  endpoint({
    route: 'PUT /projects/:id/deploy_keys/:key_id(^\\d+$)',
    summary: 'Change a deploy key of a project',
    tag,
    on: projectLoader,
    allow: mayAdminProject,
    input: Type.Object({ ...keyIdInput, title: optionalText, can_push: optionalBoolean }),
    rules: [atLeastOneOf('title', 'can_push')],
    answer: EnabledDeployKeyJson,
    load: ({ db, subject: project, input }) => getEnabledKey(db, project, input),
    // Only administrators may rename a public key, since other projects use it too.
    authorize: ({ actor, input: { title }, loaded: key }) =>
      title === undefined || title === key.title || !key.is_public || isAdmin(actor),
    async run(context) {
      const { db, clock, subject: project, input, loaded: key } = context
      const { title = key.title, can_push = key.can_push } = input
      const problems = sshKeyTitleProblems(title)
      if (Object.keys(problems).length > 0) throw invalid(withinProject(problems))
      await setDeployKeyTitle(db, key.id, title)
      const link = { ssh_key_id: key.id, project_id: project.id, can_push }
      await setDeployKeyCanPush(db, { ...link, now: timestamp(clock) })
      await recordKeyEvent(context, 'deploy_key_changed', { ...key, title, ...link })
      return presentEnabledDeployKey({ ...key, title, can_push })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/deploy_keys/:key_id(^\\d+$)/enable',
    summary: 'Enable a deploy key that exists for a project',
    tag,
    on: projectLoader,
    allow: mayAdminProject,
    input: Type.Object(keyIdInput),
    status: 201,
    answer: EnabledDeployKeyJson,
    async run(context) {
      const { db, clock, subject: project, user, input } = context
      const key = await findDeployKeyToEnable(db, user, { id: input.key_id })
      if (!key) throw notFound('Deploy Key')
      const link = { ssh_key_id: key.id, project_id: project.id, can_push: false }
      await enableDeployKey(db, { ...link, now: timestamp(clock) })
      const enabled = await getEnabledKey(db, project, input)
      await recordKeyEvent(context, 'deploy_key_added', { ...enabled, ...link })
      return presentEnabledDeployKey(enabled)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/deploy_keys/:key_id(^\\d+$)',
    summary: 'Remove a deploy key from a project',
    tag,
    on: projectLoader,
    allow: mayAdminProject,
    input: Type.Object(keyIdInput),
    status: 204,
    async run(context) {
      const { db, subject: project, input, request } = context
      const link = { ssh_key_id: input.key_id, project_id: project.id }
      const key = await findEnabledDeployKey(db, link)
      if (!key) throw notFound('Deploy Key')
      checkIfUnmodifiedSince(request, key.created_at)
      await disableDeployKey(db, link)
      await recordKeyEvent(context, 'deploy_key_removed', { ...key, ...link })
    },
  }),
]
