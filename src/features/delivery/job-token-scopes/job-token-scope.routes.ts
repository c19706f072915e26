// The projects whose job tokens may access a project (docs/api/job-token-scope.md). The rule itself is in
// subjects/project.ts.
import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findGroup } from '../../../subjects/group.ts'
import {
  findVisibleProject,
  mayAdminBranches,
  mayAdminProject,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { ShownSimpleProjectJson, showProjects } from '../../projects/projects/show-projects.ts'
import {
  deleteJobTokenAllowlistTarget,
  findJobTokenScope,
  insertJobTokenAllowlistTarget,
  isJobTokenAllowlistFull,
  type JobTokenAllowlistTarget,
  listGroupsOfJobTokenAllowlist,
  listProjectsOfJobTokenAllowlist,
  updateJobTokenScope,
} from './job-token-scope.store.ts'

const endpoint = endpointFactory({ tag: 'Job token scope', on: projectLoader, signIn: 'always' })
const base = '/projects/:id/job_token_scope' as const

async function recordEvent(
  context: Context<Project, unknown>,
  details: {
    enabled?: boolean
    added?: JobTokenAllowlistTarget
    removed?: JobTokenAllowlistTarget
  },
): Promise<void> {
  const { id } = context.subject
  await recordAuditEvent(context, {
    action: 'job_token_scope_changed',
    entity: { kind: 'project', id },
    details,
  })
}

async function add(
  context: Context<Project, unknown>,
  target: JobTokenAllowlistTarget,
): Promise<void> {
  const { db, clock, subject } = context
  if (await isJobTokenAllowlistFull(db, subject.id, limits.job_token_allowlist_max)) {
    throw badRequest(`Allowlist is limited to ${limits.job_token_allowlist_max} entries`)
  }
  const entry = { project_id: subject.id, created_at: timestamp(clock), ...target }
  if (!(await insertJobTokenAllowlistTarget(db, entry)))
    throw badRequest('Target is already in the job token scope')
  await recordEvent(context, { added: target })
}

async function remove(
  context: Context<Project, unknown>,
  target: JobTokenAllowlistTarget,
): Promise<void> {
  const { db, subject } = context
  if (!(await deleteJobTokenAllowlistTarget(db, { project_id: subject.id, ...target })))
    throw notFound()
  await recordEvent(context, { removed: target })
}

export const jobTokenScopeEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'Get the job token scope of a project',
    allow: mayAdminProject,
    answer: namedObject('JobTokenAccess', {
      inbound_enabled: Type.Boolean(),
      outbound_enabled: Type.Boolean(),
    }),
    async run({ db, subject }) {
      const scope = await findJobTokenScope(db, subject.id)
      return {
        inbound_enabled: scope.ci_inbound_job_token_scope_enabled,
        outbound_enabled: scope.ci_job_token_scope_enabled,
      }
    },
  }),

  endpoint({
    route: `PATCH ${base}`,
    summary: 'Update the job token scope of a project',
    allow: mayAdminBranches,
    input: Type.Object({ enabled: Type.Boolean() }),
    status: 204,
    async run(context) {
      const { enabled } = context.input
      await updateJobTokenScope(context.db, context.subject.id, enabled)
      await recordEvent(context, { enabled })
    },
  }),

  endpoint({
    route: `GET ${base}/allowlist`,
    summary: 'List the projects on the job token allowlist',
    allow: mayAdminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(ShownSimpleProjectJson),
    async run(context) {
      const { db, subject, actor, range } = context
      const of = { project_id: subject.id, actor }
      const { ids, total } = await listProjectsOfJobTokenAllowlist(db, of, range)
      return new Page({ items: await showProjects(context, ids, { isSimple: true }), total })
    },
  }),

  endpoint({
    route: `POST ${base}/allowlist`,
    summary: 'Add a project to the job token allowlist',
    allow: mayAdminBranches,
    input: Type.Object({ target_project_id: Type.Integer() }),
    status: 201,
    answer: namedObject('JobTokenProject', {
      source_project_id: Type.Integer(),
      target_project_id: Type.Integer(),
    }),
    async run(context) {
      const { db, subject, actor, input } = context
      const { target_project_id } = input
      const found = await findVisibleProject(db, actor, { id: target_project_id })
      if (!found) throw notFound('target_project_id not found')
      if (target_project_id === subject.id) {
        throw badRequest('Target is already in the job token scope')
      }
      await add(context, { target_project_id })
      return { source_project_id: subject.id, target_project_id }
    },
  }),

  endpoint({
    route: `DELETE ${base}/allowlist/:target_project_id`,
    summary: 'Remove a project from the job token allowlist',
    allow: mayAdminBranches,
    input: Type.Object({ target_project_id: Type.Integer() }),
    status: 204,
    run: (context) => remove(context, { target_project_id: context.input.target_project_id }),
  }),

  endpoint({
    route: `GET ${base}/groups_allowlist`,
    summary: 'List the groups on the job token allowlist',
    allow: mayAdminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(
      namedObject('JobTokenGroup', {
        id: Type.Integer(),
        web_url: Type.String(),
        name: Type.String(),
      }),
    ),
    async run({ db, subject, actor, range, baseUrl }) {
      const of = { project_id: subject.id, actor }
      const { rows, total } = await listGroupsOfJobTokenAllowlist(db, of, range)
      const items = rows.map(({ id, name, full_path }) => ({
        id,
        web_url: `${baseUrl}/groups/${full_path}`,
        name,
      }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: `POST ${base}/groups_allowlist`,
    summary: 'Add a group to the job token allowlist',
    allow: mayAdminBranches,
    input: Type.Object({ target_group_id: Type.Integer() }),
    status: 201,
    answer: namedObject('JobTokenGroupLink', {
      source_project_id: Type.Integer(),
      target_group_id: Type.Integer(),
    }),
    async run(context) {
      const { db, subject, actor, input } = context
      const { target_group_id } = input
      const found = await findGroup(db, actor, { id: target_group_id })
      if (!found?.isVisible) throw notFound('target_group_id not found')
      await add(context, { target_group_id })
      return { source_project_id: subject.id, target_group_id }
    },
  }),

  endpoint({
    route: `DELETE ${base}/groups_allowlist/:target_group_id`,
    summary: 'Remove a group from the job token allowlist',
    allow: mayAdminBranches,
    input: Type.Object({ target_group_id: Type.Integer() }),
    status: 204,
    run: (context) => remove(context, { target_group_id: context.input.target_group_id }),
  }),
]
