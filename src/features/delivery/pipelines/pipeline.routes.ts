import { Type } from 'typebox'
import { pipelineSources } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import { branchRef, tagRef } from '../../../git/names.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  dateTime,
  namedObject,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { ciStatuses } from '../../../kernel/ci-status.ts'
import { forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import {
  BasicPipelineJson,
  findNewestPipeline,
  mayCreatePipelines,
  mayReadPipelines,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import { type Project, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { pipelineFollowUpTaskNames } from '../pipeline-changes/change-pipeline.ts'
import { cancelPipeline } from './cancel-pipeline.ts'
import { PipelineDetailsJson, presentPipelineDetails } from './detail-pipelines.ts'
import { enqueueJobBlobRemoval } from './enqueue-job-blob-removal.ts'
import { listPipelines, pipelineOrders, pipelineScopes } from './list-pipelines.ts'
import { mayReadPipelineVariables, mayRemovePipelines } from './pipeline.policy.ts'
import { PipelineJson } from './pipeline.present.ts'
import { deletePipeline } from './pipeline.store.ts'
import { findProjectPipeline, getPipeline, listPipelineVariables } from './pipeline.ts'
import { mayActOnProtectedRef } from './protected-ref.ts'
import { retryPipeline } from './retry-pipeline.ts'
import { showPipeline } from './show-pipeline.ts'

const endpoint = endpointFactory({ tag: 'Pipelines', on: projectLoader })

export const pipelineInput = { pipeline_id: Type.Integer() }

/** Returns the pipeline of the project with that id. Throws 404 `404 Not found` also for a pipeline of another project. */
export async function getProjectPipeline(db: Db, project: Project, id: number): Promise<Pipeline> {
  const pipeline = await findProjectPipeline(db, { project_id: project.id, id })
  if (!pipeline) throw recordNotFound()
  return pipeline
}

function loadPipeline({
  db,
  subject,
  input,
}: Context<Project, { pipeline_id: number }>): Promise<Pipeline> {
  return getProjectPipeline(db, subject, input.pipeline_id)
}

/** What the caller may do with a pipeline, considering protected branches (docs/api/conventions.md, "Abilities"). */
const PipelineAbilities = namedObject('PipelineAbilities', {
  abilities: Type.Optional(
    Type.Object({
      run_jobs: Type.Boolean(),
      read_variables: Type.Boolean(),
      remove_pipeline: Type.Boolean(),
    }),
  ),
})

/** Returns the commit of the branch or tag with this name. */
async function headOf(
  git: GitAccess,
  repository: Parameters<typeof readRef>[0],
  name: string,
): Promise<string | undefined> {
  const [branch, tag] = [branchRef(name), tagRef(name)]
  const oid = (branch && readRef(repository, branch)) ?? (tag && readRef(repository, tag))
  return oid && peelToCommit(git.objects, repository, oid)
}

export const pipelineEndpoints = [
  endpoint({
    route: 'GET /projects/:id/pipelines',
    summary: 'List the pipelines of a project',
    allow: mayReadPipelines,
    input: Type.Object({
      scope: Type.Optional(oneOf(pipelineScopes)),
      status: Type.Optional(oneOf(ciStatuses)),
      ref: optionalText,
      sha: optionalText,
      source: Type.Optional(oneOf(pipelineSources)),
      yaml_errors: optionalBoolean,
      username: optionalText,
      name: optionalText,
      updated_after: Type.Optional(dateTime()),
      updated_before: Type.Optional(dateTime()),
      created_after: Type.Optional(dateTime()),
      created_before: Type.Optional(dateTime()),
      order_by: Type.Optional(oneOf(pipelineOrders, { default: 'id' })),
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
      with_details: Type.Optional(
        Type.Boolean({ description: 'Ours: also who started each, its commit and stages.' }),
      ),
      ...pageInput,
    }),
    answer: Type.Array(Type.Intersect([BasicPipelineJson, PipelineDetailsJson])),
    async run(context) {
      const { db, subject: project, input, range, baseUrl } = context
      const { order_by = 'id', sort = 'desc', with_details, ...filter } = input
      const asked = { ...filter, project_id: project.id, order_by, sort }
      const { rows, total } = await listPipelines(db, asked, range)
      const details = with_details ? await presentPipelineDetails(context, project, rows) : []
      const items = rows.map((pipeline, at) => ({
        ...presentBasicPipeline(pipeline, project, baseUrl),
        ...details[at],
      }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/latest',
    summary: 'Get the newest pipeline of the head of a branch or tag',
    allow: mayReadPipelines,
    input: Type.Object({ ref: optionalText }),
    answer: PipelineJson,
    async run(context) {
      const { db, subject: project, input, git, config } = context
      const ref = input.ref || project.default_branch || ''
      const sha = await headOf(git, projectRepository(config, project), ref)
      const found = sha && (await findNewestPipeline(db, { project_id: project.id, sha, ref }))
      if (!found) throw forbidden()
      return showPipeline(context, project, found)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id',
    summary: 'Get a pipeline',
    allow: mayReadPipelines,
    input: Type.Object({
      ...pipelineInput,
      with_abilities: optionalBoolean,
      with_details: optionalBoolean,
    }),
    answer: Type.Intersect([PipelineJson, PipelineDetailsJson, PipelineAbilities]),
    async run(context) {
      const { db, subject: project, input } = context
      const pipeline = await getProjectPipeline(db, project, input.pipeline_id)
      const [details] = input.with_details
        ? await presentPipelineDetails(context, project, [pipeline])
        : []
      const shown = { ...(await showPipeline(context, project, pipeline)), ...details }
      if (!input.with_abilities) return shown
      const mayCreate = mayCreatePipelines(context)
      const abilities = {
        run_jobs: mayCreate && (await mayActOnProtectedRef(context, pipeline)),
        read_variables: mayReadPipelineVariables(context, pipeline),
        remove_pipeline: mayRemovePipelines(context),
      }
      return { ...shown, abilities }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/variables',
    summary: 'List the variables of a pipeline',
    signIn: 'always',
    allow: mayReadPipelines,
    input: Type.Object(pipelineInput),
    answer: Type.Array(
      Type.Object({
        variable_type: oneOf(['env_var', 'file']),
        key: Type.String(),
        value: Type.String(),
        raw: Type.Boolean(),
      }),
    ),
    load: loadPipeline,
    authorize: (context) => mayReadPipelineVariables(context, context.loaded),
    async run({ db, secretKey, loaded: pipeline }) {
      const variables = await listPipelineVariables(db, pipeline.id)
      return variables.map(({ variable_type, key, value, raw }) => ({
        variable_type,
        key,
        value: openSecret(secretKey, value),
        raw,
      }))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/pipelines/:pipeline_id/retry',
    summary: 'Retry the failed and canceled jobs of a pipeline',
    allow: mayCreatePipelines,
    transaction: 'none',
    input: Type.Object(pipelineInput),
    status: 201,
    answer: PipelineJson,
    load: loadPipeline,
    authorize: (context) => mayActOnProtectedRef(context, context.loaded),
    async run(context) {
      const { db, subject: project, loaded: pipeline } = context
      await retryPipeline(context, context, pipeline)
      return showPipeline(context, project, await getPipeline(db, pipeline.id))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/pipelines/:pipeline_id/cancel',
    summary: 'Cancel the jobs of a pipeline',
    allow: mayCreatePipelines,
    transaction: 'none',
    input: Type.Object(pipelineInput),
    answer: PipelineJson,
    load: loadPipeline,
    authorize: (context) => mayActOnProtectedRef(context, context.loaded),
    async run(context) {
      const { db, subject: project, loaded: pipeline } = context
      await cancelPipeline(context, pipeline.id)
      return showPipeline(context, project, await getPipeline(db, pipeline.id))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/pipelines/:pipeline_id',
    summary: 'Delete a pipeline with its jobs, logs and artifacts',
    allow: mayRemovePipelines,
    input: Type.Object(pipelineInput),
    status: 204,
    async run(context) {
      const { db, subject: project, input, request } = context
      const pipeline = await getProjectPipeline(db, project, input.pipeline_id)
      checkIfUnmodifiedSince(request, pipeline.updated_at)
      await enqueueJobBlobRemoval(db, context.clock, { pipeline_id: pipeline.id })
      await deletePipeline(db, pipeline.id)
      await enqueue(db, context.clock, {
        task: pipelineFollowUpTaskNames.pipelineEnded,
        key: `deleted:${pipeline.id}`,
        payload: { pipeline_id: pipeline.id, project_id: project.id },
      })
      await recordAuditEvent(context, {
        action: 'pipeline_removed',
        entity: { kind: 'project', id: project.id },
        target: { kind: 'pipeline', id: pipeline.id, name: `${pipeline.ref} ${pipeline.sha}` },
      })
    },
  }),
]
