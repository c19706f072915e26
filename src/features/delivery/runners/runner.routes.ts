import { Type } from 'typebox'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalInteger,
  pageInput,
} from '../../../http/schema.ts'
import { ciStatuses } from '../../../kernel/ci-status.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, badRequest, forbidden, notFound } from '../../../kernel/errors.ts'
import { newRegistrationToken, openSecret } from '../../../kernel/secrets.ts'
import { findGroup, type Group, groupLoader } from '../../../subjects/group.ts'
import {
  findProject,
  isUnarchived,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  runner_online_ms_max,
  runner_stale_ms_min,
  ShownJobJson,
  showJobsOfProjects,
} from '../jobs/show-jobs.ts'
import {
  createRunner,
  parseRunnerSettings,
  type RunnerScope,
  resetInstanceRegistrationToken,
} from './register-runner.ts'
import { mayAdministerRunner, mayAssignRunner, mayCreateRunner } from './runner.policy.ts'
import {
  presentRunner,
  presentRunnerDetail,
  RunnerDetailJson,
  RunnerJson,
} from './runner.present.ts'
import {
  assignRunnerToProject,
  deleteRunner,
  findRunner,
  listRunnerProjects,
  listRunners,
  type Runner,
  type RunnerFilter,
  setRegistrationToken,
  unassignRunnerFromProject,
  updateRunner,
} from './runner.store.ts'
import { listRunnerJobs } from './runner-jobs.store.ts'
import { RunnerTokenJson, runnerSettingsInput } from './runner-protocol.routes.ts'
import { generateRunnerToken, runnerTokenColumns } from './runner-token.ts'

const tag = 'Runners'
const endpoint = endpointFactory({ tag })
const ofProject = endpointFactory({ tag, on: projectLoader, signIn: 'always' })
const ofGroup = endpointFactory({ tag, on: groupLoader, signIn: 'always' })

const runnerTypes = ['instance_type', 'group_type', 'project_type'] as const
const runnerStates = ['online', 'offline', 'stale', 'never_contacted', 'active', 'paused'] as const

const filterInput = {
  type: Type.Optional(oneOf(runnerTypes)),
  status: Type.Optional(oneOf(runnerStates)),
  paused: optionalBoolean,
  tag_list: Type.Optional(Type.Array(Type.String())),
  scope: Type.Optional(oneOf([...runnerStates, 'specific', 'shared', ...runnerTypes])),
  ...pageInput,
}
const runnerInput = { runner_id: Type.Integer() }

type Filters = {
  type?: Runner['runner_type']
  status?: string
  scope?: string
  paused?: boolean
  tag_list?: string[]
}

function filterOf({ type, status, scope, paused, tag_list }: Filters, now: string): RunnerFilter {
  const before = (span_ms: number) => new Date(Date.parse(now) - span_ms).toISOString()
  const state = status ?? scope
  return {
    type:
      type ??
      (scope === 'shared'
        ? 'instance_type'
        : scope === 'specific'
          ? 'project_type'
          : runnerTypes.find((known) => known === scope)),
    paused: paused ?? (state === 'paused' ? true : state === 'active' ? false : undefined),
    tags: tag_list,
    ...(state === 'online' ? { contactedSince: before(runner_online_ms_max) } : {}),
    ...(state === 'offline'
      ? {
          contactedSince: before(runner_stale_ms_min),
          contactedBefore: before(runner_online_ms_max),
        }
      : {}),
    ...(state === 'stale' ? { contactedBefore: before(runner_stale_ms_min) } : {}),
    ...(state === 'never_contacted' ? { neverContacted: true } : {}),
  }
}

async function pageOf(context: Context<unknown, Filters>, more: RunnerFilter): Promise<Page> {
  const { db, clock, input, range } = context
  const now = timestamp(clock)
  const { rows, total } = await listRunners(db, { ...filterOf(input, now), ...more }, range)
  return new Page({ items: rows.map((runner) => presentRunner(runner, now)), total })
}

async function loadRunner({ db, input }: Context<unknown, { runner_id: number }>): Promise<Runner> {
  const runner = await findRunner(db, input.runner_id)
  if (!runner) throw notFound('Runner')
  return runner
}

async function showRunner(
  { db, clock, actor, baseUrl }: Context<unknown, unknown>,
  runner: Runner,
) {
  const [projects, group] = await Promise.all([
    listRunnerProjects(db, runner.id, actor),
    runner.group_id === null
      ? undefined
      : findGroup(db, { user: undefined, token: undefined }, { id: runner.group_id }),
  ])
  return presentRunnerDetail(runner, {
    projects,
    group: group?.group,
    baseUrl,
    now: timestamp(clock),
  })
}

async function recordRunnerEvent(
  context: Context<unknown, unknown>,
  action: 'runner_registered' | 'runner_changed' | 'runner_removed' | 'runner_token_reset',
  runner: Pick<Runner, 'id' | 'description' | 'group_id'>,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity:
      runner.group_id === null
        ? { kind: 'instance', id: 0 }
        : { kind: 'group', id: runner.group_id },
    target: { kind: 'runner', id: runner.id, name: runner.description ?? String(runner.id) },
  })
}

async function recordAssignment(
  context: Context<Project, unknown>,
  action: 'runner_assigned' | 'runner_unassigned',
  id: number,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'runner', id, name: String(id) },
  })
}

const everyUser: Rule<undefined> = () => true
const administrators: Rule<undefined> = ({ actor }) => isAdmin(actor)
const adminRunners: Rule<Project> = ({ subject, level }) =>
  level >= Level.maintainer && isUnarchived(subject)
const adminGroupRunners: Rule<Group> = ({ level }) => level >= Level.owner
const RegistrationJson = namedObject('RunnerRegistration', {
  token: Type.String(),
  token_expires_at: nullableText,
})

export const runnerEndpoints = [
  endpoint({
    route: 'GET /runners',
    summary: 'List the runners that you manage',
    allow: everyUser,
    input: Type.Object(filterInput),
    answer: Type.Array(RunnerJson),
    run: (context) => pageOf(context, { ownedBy: context.user.id }),
  }),

  endpoint({
    route: 'GET /runners/all',
    summary: 'List all runners',
    allow: administrators,
    input: Type.Object(filterInput),
    answer: Type.Array(RunnerJson),
    run: (context) => pageOf(context, {}),
  }),

  endpoint({
    route: 'GET /runners/:runner_id',
    summary: 'Get a runner',
    allow: everyUser,
    input: Type.Object(runnerInput),
    answer: RunnerDetailJson,
    load: loadRunner,
    authorize: mayAdministerRunner,
    run: (context) => showRunner(context, context.loaded),
  }),

  endpoint({
    route: 'PUT /runners/:runner_id',
    summary: 'Change a runner',
    allow: everyUser,
    input: Type.Object({ ...runnerInput, ...runnerSettingsInput }),
    answer: RunnerDetailJson,
    load: loadRunner,
    authorize: mayAdministerRunner,
    async run(context) {
      const { db, clock, loaded: runner } = context
      const { runner_id: _, ...settings } = context.input
      const changes = { ...parseRunnerSettings(settings, runner), updated_at: timestamp(clock) }
      const changed = await updateRunner(db, runner.id, changes)
      await recordRunnerEvent(context, 'runner_changed', changed)
      return showRunner(context, changed)
    },
  }),

  endpoint({
    route: 'DELETE /runners/:runner_id',
    summary: 'Remove a runner',
    allow: everyUser,
    input: Type.Object(runnerInput),
    status: 204,
    load: loadRunner,
    authorize: mayAdministerRunner,
    async run(context) {
      const { db, request, loaded: runner } = context
      checkIfUnmodifiedSince(request, runner.updated_at)
      await deleteRunner(db, runner.id)
      await recordRunnerEvent(context, 'runner_removed', runner)
    },
  }),

  endpoint({
    route: 'GET /runners/:runner_id/jobs',
    summary: 'List the jobs of a runner',
    allow: everyUser,
    input: Type.Object({
      ...runnerInput,
      status: Type.Optional(oneOf(ciStatuses)),
      order_by: Type.Optional(oneOf(['id'])),
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
      ...pageInput,
    }),
    answer: Type.Array(ShownJobJson),
    load: loadRunner,
    authorize: mayAdministerRunner,
    async run(context) {
      const { db, actor, input, range, loaded: runner } = context
      const { status, sort = 'desc' } = input
      const asked = { runner_id: runner.id, viewer: actor, status, sort }
      const { rows, total } = await listRunnerJobs(db, asked, range)
      return new Page({ items: await showJobsOfProjects(context, rows), total })
    },
  }),

  endpoint({
    route: 'POST /runners/:runner_id/reset_authentication_token',
    summary: 'Reset the token of a runner',
    allow: everyUser,
    input: Type.Object(runnerInput),
    status: 201,
    answer: RegistrationJson,
    load: loadRunner,
    authorize: mayAdministerRunner,
    async run(context) {
      const { db, clock, loaded: runner } = context
      const token = generateRunnerToken({ isMadeByUser: runner.creator_id !== null })
      await updateRunner(db, runner.id, {
        ...runnerTokenColumns(token),
        updated_at: timestamp(clock),
      })
      await recordRunnerEvent(context, 'runner_token_reset', runner)
      return { token, token_expires_at: runner.token_expires_at }
    },
  }),

  endpoint({
    route: 'POST /runners/reset_registration_token',
    summary: 'Reset the registration token of the instance',
    allow: administrators,
    status: 201,
    answer: RegistrationJson,
    async run(context) {
      const token = await resetInstanceRegistrationToken(context)
      await recordAuditEvent(context, {
        action: 'runner_token_reset',
        entity: { kind: 'instance', id: 0 },
      })
      return { token, token_expires_at: null }
    },
  }),

  endpoint({
    route: 'POST /user/runners',
    summary: 'Create a runner',
    allow: everyUser,
    input: Type.Object({
      runner_type: oneOf(runnerTypes),
      group_id: optionalInteger,
      project_id: optionalInteger,
      ...runnerSettingsInput,
    }),
    status: 201,
    answer: RunnerTokenJson,
    load: (context) => findScope(context, context.input),
    authorize: mayCreateRunner,
    async run(context) {
      const { runner_type: _, group_id: __, project_id: ___, ...settings } = context.input
      const { scope } = context.loaded
      const creator_id = context.user.id
      const { runner, token } = await createRunner(context, { scope, settings, creator_id })
      await recordRunnerEvent(context, 'runner_registered', runner)
      return { id: runner.id, token, token_expires_at: runner.token_expires_at }
    },
  }),

  ofProject({
    route: 'GET /projects/:id/runners',
    summary: 'List the runners that serve a project',
    allow: ({ level }) => level >= Level.maintainer,
    input: Type.Object(filterInput),
    answer: Type.Array(RunnerJson),
    run: (context) => {
      const { id, namespace_id } = context.subject
      return pageOf(context, { of: { project_id: id, namespace_id, withShared: true } })
    },
  }),

  ofProject({
    route: 'POST /projects/:id/runners',
    summary: 'Enable a project runner for a project',
    allow: adminRunners,
    input: Type.Object({ runner_id: Type.Integer() }),
    status: 201,
    answer: RunnerJson,
    load: loadRunner,
    authorize: mayAssignRunner,
    async run(context) {
      const { db, clock, subject: project, loaded: runner } = context
      const isNew = await assignRunnerToProject(db, {
        runner_id: runner.id,
        project_id: project.id,
      })
      if (!isNew) throw badRequest('Runner is already assigned')
      await recordAssignment(context, 'runner_assigned', runner.id)
      return presentRunner(runner, timestamp(clock))
    },
  }),

  ofProject({
    route: 'DELETE /projects/:id/runners/:runner_id',
    summary: 'Disable a project runner for a project',
    allow: adminRunners,
    input: Type.Object(runnerInput),
    status: 204,
    async load({ db, subject: project, input }) {
      const projects = await listRunnerProjects(db, input.runner_id)
      if (!projects.some(({ id }) => id === project.id)) throw notFound('Runner')
      return projects
    },
    authorize: ({ loaded: projects }) =>
      projects.length > 1 ||
      forbidden('Only one project associated with the runner. Please remove the runner instead'),
    async run(context) {
      const { db, subject: project, input } = context
      await unassignRunnerFromProject(db, { runner_id: input.runner_id, project_id: project.id })
      await recordAssignment(context, 'runner_unassigned', input.runner_id)
    },
  }),

  ofProject({
    route: 'POST /projects/:id/runners/reset_registration_token',
    summary: 'Reset the registration token of a project',
    allow: adminRunners,
    status: 201,
    answer: RegistrationJson,
    async run(context) {
      const { db, secretKey, subject: project } = context
      const stored = newRegistrationToken(secretKey)
      await setRegistrationToken(db, { kind: 'project', id: project.id }, stored)
      await recordAuditEvent(context, {
        action: 'runner_token_reset',
        entity: { kind: 'project', id: project.id },
      })
      return { token: openSecret(secretKey, stored.runners_token), token_expires_at: null }
    },
  }),

  ofGroup({
    route: 'GET /groups/:id/runners',
    summary: 'List the runners that serve a group',
    allow: adminGroupRunners,
    input: Type.Object(filterInput),
    answer: Type.Array(RunnerJson),
    run: (context) => pageOf(context, { of: { group_id: context.subject.id } }),
  }),

  ofGroup({
    route: 'POST /groups/:id/runners/reset_registration_token',
    summary: 'Reset the registration token of a group',
    allow: adminGroupRunners,
    status: 201,
    answer: RegistrationJson,
    async run(context) {
      const { db, secretKey, subject: group } = context
      const stored = newRegistrationToken(secretKey)
      await setRegistrationToken(db, { kind: 'group', id: group.id }, stored)
      await recordAuditEvent(context, {
        action: 'runner_token_reset',
        entity: { kind: 'group', id: group.id },
      })
      return { token: openSecret(secretKey, stored.runners_token), token_expires_at: null }
    },
  }),
]

/** Returns the scope of a new runner and the caller's level on it. Throws 400 and 404. */
async function findScope(
  { db, actor }: { db: Db; actor: Actor },
  {
    runner_type,
    group_id,
    project_id,
  }: { runner_type: Runner['runner_type']; group_id?: number; project_id?: number },
): Promise<{ scope: RunnerScope; level: number }> {
  if (runner_type === 'instance_type') return { scope: { runner_type }, level: Level.none }
  if (runner_type === 'group_type') {
    if (group_id === undefined) throw badParameters(['group_id is missing'])
    const found = await findGroup(db, actor, { id: group_id })
    if (!found?.isVisible) throw notFound('Group')
    return { scope: { runner_type, group_id }, level: found.level }
  }
  if (project_id === undefined) throw badParameters(['project_id is missing'])
  const found = await findProject(db, actor, { id: project_id })
  if (!found || !canSeeProject(actor, found)) throw notFound('Project')
  return { scope: { runner_type, project_id }, level: found.level }
}
