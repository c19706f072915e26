import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { nullable, pageInput } from '../../../http/schema.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mayUpdateIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import {
  BasicPipelineJson,
  mayReadPipelines,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { ShownPipelineJson, showPipeline } from '../../delivery/pipelines/show-pipeline.ts'
import { getRequestWithProjects } from '../merge-requests/merge-request.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { listMergeRequestPipelines } from './merge-request-version.store.ts'
import { createMergeRequestPipeline } from './request-pipeline.ts'

const endpoint = endpointFactory({ tag: 'Merge requests', on: mergeRequestLoader })

const base = '/projects/:id/merge_requests/:merge_request_iid'

type RequestContext = Context<IssuableSubject, unknown>

/** Returns the project if the caller may read its pipelines. */
async function readableOf({ db, actor }: RequestContext, project: Project | undefined) {
  const found = project && (await findVisibleProject(db, actor, { id: project.id }))
  const facts = found && { subject: found.project, level: found.level, actor }
  return facts && mayReadPipelines(facts) ? found.project : undefined
}

export const mergeRequestPipelineEndpoints = [
  endpoint({
    route: `GET ${base}/pipelines`,
    summary: 'List the pipelines of a merge request, newest first',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(BasicPipelineJson),
    async load(context) {
      const { target, source, request } = await getRequestWithProjects(context)
      const projects = [
        await readableOf(context, target),
        source?.id === target.id ? undefined : await readableOf(context, source),
      ].filter((project) => project !== undefined)
      return { target, request, projects }
    },
    authorize: ({ loaded: { projects } }) => projects.length > 0,
    async run(context) {
      const { db, range, baseUrl, subject } = context
      const { target, request, projects } = context.loaded
      const { rows, total } = await listMergeRequestPipelines(db, {
        issuable_id: subject.issuable.id,
        project_ids: projects.map(({ id }) => id),
        source_branch: request.source_branch,
        range,
      })
      const show = (pipeline: Pipeline) => {
        const project = projects.find(({ id }) => id === pipeline.project_id) ?? target
        return presentBasicPipeline(pipeline, project, baseUrl)
      }
      return new Page({ items: rows.map(show), total })
    },
  }),

  endpoint({
    route: `POST ${base}/pipelines`,
    summary: 'Start a pipeline for a merge request',
    allow: mayUpdateIssuable,
    transaction: 'none',
    answer: nullable(ShownPipelineJson),
    async run(context) {
      const { user, subject } = context
      const whole =
        (await syncMergeRequestWithBranches(context, subject.issuable.id)) ??
        (await getRequestWithProjects(context))
      const project = whole.source ?? whole.target
      const pipeline = await createMergeRequestPipeline(context, whole, { user })
      return showPipeline(context, project, pipeline)
    },
  }),
]
