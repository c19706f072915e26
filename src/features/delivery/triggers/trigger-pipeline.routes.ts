// Starts a pipeline with only a token: of a trigger, or of a running job.
import { Type } from 'typebox'
import { anonymous } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import { findAliasedHeader } from '../../../http/brand.ts'
import { credentialParameters } from '../../../http/credentials.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { notBlank } from '../../../http/parameters.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { digestToken, isJobToken } from '../../../kernel/ids.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  parseProjectId,
} from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import { authenticateJobToken } from '../jobs/job-token.ts'
import { createPipeline } from '../pipeline-creation/create-pipeline.ts'
import type { PipelineVariable } from '../pipeline-creation/pipeline-request.ts'
import { ShownPipelineJson, showPipeline } from '../pipelines/show-pipeline.ts'
import { visible_token_characters } from './trigger.present.ts'
import { findTriggerByTokenDigest, updateTrigger } from './trigger.store.ts'

const tag = 'Pipeline triggers'
const endpoint = endpointFactory({ tag, signIn: 'never', scope: 'any' })

const input = Type.Object(
  {
    id: Type.String({ description: 'ID or URL-encoded full path of the project.' }),
    ref: Type.String({ description: 'Branch or tag.' }),
    token: Type.String({ description: 'Of a trigger of the project, or of a running job.' }),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Texts by their keys.' }),
    ),
  },
  // All parameters are passed on to the pipeline as its trigger payload.
  { additionalProperties: true },
)

type Input = { id: string; ref: string; token: string; variables?: Record<string, unknown> }

/**
 * Returns false for a pipeline webhook. It must start no pipeline, or pipelines would start each other
 * forever.
 */
function isNoPipelineHook({ request }: Pick<Context<undefined, Input>, 'request'>): boolean {
  return findAliasedHeader(request.headers, 'Event') !== 'Pipeline Hook'
}

async function run(context: Context<undefined, Input>) {
  const { db, input } = context
  // The token is checked first, so that a caller with an invalid job token cannot find out which projects
  // exist.
  if (isJobToken(input.token)) await authenticateJobToken(context, input.token)
  const by = parseProjectId(input.id)
  const found = by && (await findProject(db, anonymous, by))
  if (!found) throw notFound()
  const start = isJobToken(input.token) ? startForJob : startForTrigger
  const pipeline = await start(context, found.project)
  return showPipeline(context, found.project, pipeline)
}

async function startForTrigger(
  context: Context<undefined, Input>,
  project: Project,
): Promise<Pipeline> {
  const { db, clock, input } = context
  const token_digest = digestToken(input.token)
  const trigger = await findTriggerByTokenDigest(db, {
    ...{ project_id: project.id, token_digest },
    today: today(clock),
  })
  if (!trigger) throw notFound()
  const variables = variablesOf(input)
  const owner = trigger.owner_id === null ? undefined : await findUser(db, trigger.owner_id)
  const isBarred = owner && findAccountProblem(owner, timestamp(clock)) !== undefined
  if (!owner || isBarred || !trigger.is_in_force) {
    throw invalid({ base: ['Insufficient permissions to create a new pipeline'] })
  }
  const pipeline = await createPipeline(context, {
    project,
    ref: input.ref,
    source: 'trigger',
    user: actorUserFromUser(owner),
    variables: [
      ...variables.filter(({ key }) => key !== 'TRIGGER_PAYLOAD'),
      { key: 'TRIGGER_PAYLOAD', value: payloadOf(input), variable_type: 'file' },
    ],
    pipeline_trigger_id: trigger.id,
    trigger_short_token: input.token.slice(0, visible_token_characters),
  })
  await updateTrigger(db, trigger.id, { last_used: pipeline.created_at })
  return pipeline
}

/** Starts a multi-project pipeline as the user of the job, if they may. */
async function startForJob(context: Context<undefined, Input>, { id }: Project): Promise<Pipeline> {
  const { db, input } = context
  const actor = await authenticateJobToken(context, input.token)
  const found = await findVisibleProject(db, actor, { id })
  if (!found || !actor.user) throw notFound()
  return createPipeline(context, {
    project: found.project,
    ref: input.ref,
    source: 'pipeline',
    user: actor.user,
    variables: variablesOf(input),
    upstream_job_id: actor.job.id,
  })
}

/** Returns all parameters except credentials as JSON; `variables` is always included. */
function payloadOf(input: Input): string {
  const told = Object.entries(input).filter(
    ([name]) => name !== 'token' && !credentialParameters.has(name),
  )
  return JSON.stringify({ ...Object.fromEntries(told), variables: input.variables ?? {} })
}

/** Returns the variables of a request. Throws 400 if a value is not a string. */
function variablesOf({ variables = {} }: Input): PipelineVariable[] {
  return Object.entries(variables).map(([key, value]) => {
    if (typeof value !== 'string') {
      throw invalid('variables needs to be a map of key-valued strings')
    }
    return { key, value, variable_type: 'env_var' }
  })
}

export const triggerPipelineEndpoints = [
  endpoint({
    route: 'POST /projects/:id/trigger/pipeline',
    summary: 'Trigger a pipeline with a token',
    allow: anyone,
    transaction: 'none',
    input,
    rules: [notBlank('ref')],
    status: 201,
    answer: ShownPipelineJson,
    authorize: isNoPipelineHook,
    run,
  }),

  endpoint({
    route: 'POST /projects/:id/ref/:ref/trigger/pipeline',
    summary: 'Trigger a pipeline for a branch or tag with a token',
    allow: anyone,
    slashed: ['ref'],
    transaction: 'none',
    input,
    rules: [notBlank('ref')],
    status: 201,
    answer: ShownPipelineJson,
    authorize: isNoPipelineHook,
    run,
  }),
]
