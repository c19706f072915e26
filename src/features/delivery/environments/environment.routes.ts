import { type Static, Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import {
  dateTime,
  namedObject,
  nonBlankText,
  nullable,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { environmentSlug, guessEnvironmentTier } from '../deployments/deployment.ts'
import { showJobs } from '../jobs/show-jobs.ts'
import { DeploymentApprovalJson, showDeploymentApprovals } from './deployment-approval.routes.ts'
import {
  mayChangeEnvironment,
  mayManageEnvironments,
  mayReadEnvironments,
} from './environment.policy.ts'
import {
  DeploymentJson,
  EnvironmentDetailJson,
  EnvironmentJson,
  presentDeployment,
  presentEnvironment,
} from './environment.present.ts'
import {
  type Deployment,
  deleteEnvironment,
  type Environment,
  findDeployment,
  findDeploymentRelations,
  findEnvironment,
  findLastDeploymentToEnvironment,
  insertEnvironment,
  listDeployments,
  listEnvironments,
  updateEnvironment,
} from './environment.store.ts'
import { stopEnvironment } from './stop-environment.ts'

const endpoint = endpointFactory({ tag: 'Environments', on: projectLoader, jobToken: 'free' })

const DeploymentDetailJson = namedObject('DeploymentDetail', {
  ...DeploymentJson.properties,
  approvals: Type.Array(DeploymentApprovalJson),
  pending_approval_count: Type.Integer(),
})

const states = ['available', 'stopping', 'stopped'] as const
const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const
const deploymentStatuses = [
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'blocked',
] as const
const environmentInput = { environment_id: Type.Integer() }
const slugInput = {
  slug: Type.Optional(Type.Unknown({ description: 'Refused: the server makes it of the name.' })),
}

const noSlug: ParameterRule = (values) =>
  ownValue(values, 'slug') === undefined
    ? undefined
    : 'slug is automatically generated and cannot be changed'

async function getEnvironment(
  { db, subject }: { db: Context<Project, unknown>['db']; subject: Project },
  id: number,
): Promise<Environment> {
  const environment = await findEnvironment(db, { project_id: subject.id, id })
  if (!environment) throw recordNotFound()
  return environment
}

function loadEnvironment(
  context: Context<Project, { environment_id: number }>,
): Promise<Environment> {
  return getEnvironment(context, context.input.environment_id)
}

/** Validates the requested changes first (400), then loads the environment (404). */
async function loadToChange(
  context: Context<Project, { environment_id: number; external_url?: string | null }>,
): Promise<Environment> {
  checkEnvironment(context.input)
  return loadEnvironment(context)
}

async function showDeployments(
  context: Context<Project, unknown>,
  deployments: readonly Deployment[],
): Promise<Static<typeof DeploymentJson>[]> {
  const { db, subject: project, baseUrl } = context
  const { environments, users, jobs } = await findDeploymentRelations(db, deployments)
  const shown = await showJobs(context, project, [...jobs.values()])
  const byId = new Map(shown.map((job) => [job.id, job]))
  return deployments.flatMap((deployment) => {
    const environment = environments.get(deployment.environment_id)
    if (!environment) return []
    const user = deployment.user_id === null ? undefined : users.get(deployment.user_id)
    const deployable = deployment.job_id === null ? undefined : byId.get(deployment.job_id)
    return presentDeployment(deployment, { environment, user, deployable, baseUrl, project })
  })
}

/** Throws 400 for an invalid name or URL. */
function checkEnvironment({ name, external_url }: { name?: string; external_url?: string | null }) {
  const nameProblems =
    name === undefined
      ? []
      : [
          ...([...name].length > limits.name_characters
            ? [`is too long (maximum is ${limits.name_characters} characters)`]
            : []),
          ...(/^[a-zA-Z0-9_/\\$. {}-]+$/.test(name) && !name.startsWith('/') && !name.endsWith('/')
            ? []
            : [
                "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
              ]),
        ]
  const isAddress = !external_url || /^https?:\/\/[^\s/]/i.test(external_url)
  const problems = {
    ...(nameProblems.length > 0 ? { name: nameProblems } : {}),
    ...(isAddress ? {} : { external_url: ['is blocked: Only allowed schemes are http, https'] }),
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

export const environmentEndpoints = [
  endpoint({
    route: 'GET /projects/:id/environments',
    summary: 'List the environments of a project',
    allow: mayReadEnvironments,
    input: Type.Object({
      name: optionalText,
      search: optionalText,
      states: Type.Optional(oneOf(states)),
      ...pageInput,
    }),
    answer: Type.Array(EnvironmentJson),
    async run({ db, subject: project, input, range }) {
      const { name, search, states: state } = input
      if (name !== undefined && search !== undefined) {
        throw badRequest('name, search are mutually exclusive')
      }
      const filter = { project_id: project.id, name, search, states: state }
      const { rows, total } = await listEnvironments(db, filter, range)
      return new Page({ items: rows.map(presentEnvironment), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/environments/:environment_id',
    summary: 'Get an environment',
    allow: mayReadEnvironments,
    input: Type.Object(environmentInput),
    answer: EnvironmentDetailJson,
    async run(context) {
      const environment = await getEnvironment(context, context.input.environment_id)
      const last = await findLastDeploymentToEnvironment(context.db, environment.id, {
        succeeded: true,
      })
      const [shown] = last ? await showDeployments(context, [last]) : []
      return { ...presentEnvironment(environment), last_deployment: shown ?? null }
    },
  }),

  endpoint({
    route: 'POST /projects/:id/environments',
    summary: 'Create an environment',
    allow: mayManageEnvironments,
    input: Type.Object({
      name: nonBlankText(),
      description: optionalText,
      external_url: optionalText,
      tier: Type.Optional(oneOf(tiers)),
      ...slugInput,
    }),
    rules: [noSlug],
    status: 201,
    answer: EnvironmentJson,
    async run({ db, clock, subject: project, input }) {
      checkEnvironment(input)
      const now = timestamp(clock)
      const { name, description, external_url, tier } = input
      const made = await insertEnvironment(db, {
        project_id: project.id,
        name,
        slug: environmentSlug(name),
        description: description || null,
        external_url: external_url || null,
        state: 'available',
        tier: tier ?? guessEnvironmentTier(name),
        created_at: now,
        updated_at: now,
      })
      if (!made) throw invalid({ name: ['has already been taken'] })
      return presentEnvironment(made)
    },
  }),

  endpoint({
    route: 'PUT /projects/:id/environments/:environment_id',
    summary: 'Change an environment',
    allow: mayManageEnvironments,
    input: Type.Object({
      ...environmentInput,
      description: Type.Optional(nullable(Type.String())),
      external_url: Type.Optional(nullable(Type.String())),
      tier: Type.Optional(oneOf(tiers)),
      ...slugInput,
    }),
    rules: [noSlug],
    answer: EnvironmentJson,
    load: loadToChange,
    authorize: mayChangeEnvironment,
    async run(context) {
      const { db, clock, loaded: environment } = context
      const { environment_id: _, slug: __, ...changes } = context.input
      const updated_at = timestamp(clock)
      return presentEnvironment(
        await updateEnvironment(db, environment.id, { ...changes, updated_at }),
      )
    },
  }),

  endpoint({
    route: 'POST /projects/:id/environments/:environment_id/stop',
    summary: 'Stop an environment',
    allow: mayManageEnvironments,
    transaction: 'none',
    input: Type.Object({ ...environmentInput, force: optionalBoolean }),
    answer: EnvironmentJson,
    load: loadEnvironment,
    authorize: mayChangeEnvironment,
    async run(context) {
      const { input, loaded: environment } = context
      const isForced = input.force ?? false
      return presentEnvironment(await stopEnvironment(context, context, environment, { isForced }))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/environments/:environment_id',
    summary: 'Delete a stopped environment',
    allow: mayManageEnvironments,
    input: Type.Object(environmentInput),
    status: 204,
    load: loadEnvironment,
    authorize: async (context) =>
      (await mayChangeEnvironment(context)) && context.loaded.state === 'stopped',
    async run(context) {
      const { loaded: environment } = context
      checkIfUnmodifiedSince(context.request, environment.updated_at)
      await deleteEnvironment(context.db, environment.id)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/deployments',
    summary: 'List the deployments of a project',
    allow: mayReadEnvironments,
    input: Type.Object({
      order_by: Type.Optional(
        oneOf(['id', 'iid', 'created_at', 'updated_at', 'ref'], { default: 'id' }),
      ),
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'asc' })),
      environment: optionalText,
      status: Type.Optional(oneOf(deploymentStatuses)),
      updated_after: Type.Optional(dateTime()),
      updated_before: Type.Optional(dateTime()),
      ...pageInput,
    }),
    answer: Type.Array(DeploymentJson),
    async run(context) {
      const { db, subject: project, input, range } = context
      const { order_by = 'id', sort = 'asc', page: _, per_page: __, ...filter } = input
      const asked = { ...filter, project_id: project.id, order_by, sort }
      const { rows, total } = await listDeployments(db, asked, range)
      return new Page({ items: await showDeployments(context, rows), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/deployments/:deployment_id',
    summary: 'Get a deployment',
    allow: mayReadEnvironments,
    input: Type.Object({ deployment_id: Type.Integer() }),
    answer: DeploymentDetailJson,
    async run(context) {
      const { db, subject: project, input } = context
      const deployment = await findDeployment(db, {
        project_id: project.id,
        id: input.deployment_id,
      })
      const [shown] = deployment ? await showDeployments(context, [deployment]) : []
      if (!deployment || !shown) throw recordNotFound()
      return { ...shown, ...(await showDeploymentApprovals(context, deployment)) }
    },
  }),
]
