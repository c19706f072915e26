import { Type } from 'typebox'
import { emptyTreeOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { newCommit, newTree, writeObjects } from '../../../git/write.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { nullable, optionalBoolean, optionalText, pageInput, record } from '../../../http/schema.ts'
import { conflict, forbidden, invalid, notFound, unauthorized } from '../../../kernel/errors.ts'
import {
  aMergeRequest,
  type IssuableSubject,
  readIssuable,
  updateIssuable,
} from '../../../subjects/issuable.ts'
import {
  BasicPipelineJson,
  type Pipeline,
  presentBasicPipeline,
  readPipelines,
} from '../../../subjects/pipeline.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { BasicUserJson, findUser, presentBasicUser } from '../../../subjects/user.ts'
import { ShownPipelineJson, showPipeline } from '../../delivery/pipelines/show-pipeline.ts'
import { staleSha } from './accept-request.ts'
import { approveRequest, unapproveRequest } from './approve-request.ts'
import { checkMerge } from './check-merge.ts'
import { listApprovers, listRequestPipelines } from './merge-request.store.ts'
import { headsOf } from './merge-request.ts'
import { enqueueRebase, mayRebase } from './rebase-request.ts'
import { refreshRequest } from './refresh-request.ts'
import { getWholeRequest } from './request-merge.ts'
import { createRequestPipeline } from './request-pipeline.ts'
import { requestRef, setRequestRef } from './request-refs.ts'

const endpoint = endpointsWith({ tag: 'Merge requests', on: aMergeRequest })
const base = '/projects/:id/merge_requests/:merge_request_iid'

const ApprovalsJson = record('Approvals', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: nullable(Type.String()),
  state: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  user_has_approved: Type.Boolean(),
  user_can_approve: Type.Boolean(),
  approved: Type.Boolean(),
  approved_by: Type.Array(Type.Object({ user: BasicUserJson })),
})

type RequestContext = Context<IssuableSubject, unknown>

async function approvals({ db, actor, level, subject, baseUrl }: RequestContext) {
  const approvers = await listApprovers(db, subject.issuable.id)
  const hasApproved = approvers.some(({ id }) => id === actor.user?.id)
  const { id, iid, project_id, title, description, state, created_at, updated_at } =
    subject.issuable
  return {
    // Clients take the answer for what they now know of the merge request.
    ...{ id, iid, project_id, title, description, state, created_at, updated_at },
    user_has_approved: hasApproved,
    user_can_approve: !hasApproved && updateIssuable({ subject, level, actor }),
    approved: approvers.length > 0,
    approved_by: approvers.map((user) => ({ user: presentBasicUser(user, baseUrl) })),
  }
}

/** The pipelines of either project that the caller may read. */
async function readableOf({ db, actor }: RequestContext, project: Project | undefined) {
  const found = project && (await findVisibleProject(db, actor, { id: project.id }))
  const facts = found && { subject: found.project, level: found.level, actor }
  return facts && readPipelines(facts) ? found.project : undefined
}

export const mergeRequestActionEndpoints = [
  endpoint({
    route: `GET ${base}/approvals`,
    summary: 'Get who has approved a merge request',
    allow: readIssuable,
    answer: ApprovalsJson,
    run: approvals,
  }),

  endpoint({
    route: `GET ${base}/approval_state`,
    summary: 'Get the rules of approval of a merge request, of which there are none',
    allow: readIssuable,
    answer: Type.Object({
      approval_rules_overwritten: Type.Boolean(),
      rules: Type.Array(Type.Unknown()),
    }),
    run: async () => ({ approval_rules_overwritten: false, rules: [] }),
  }),

  endpoint({
    route: `POST ${base}/approve`,
    summary: 'Approve a merge request',
    allow: updateIssuable,
    input: Type.Object({ sha: optionalText }),
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { db, clock, user, input } = context
      const { request, issuable } = await getWholeRequest(context)
      if (input.sha && input.sha !== request.head_sha) throw staleSha(request.head_sha)
      const isNew = await approveRequest(db, clock, { issuable, user_id: user.id })
      if (!isNew) throw unauthorized()
      return approvals(context)
    },
  }),

  endpoint({
    route: `POST ${base}/unapprove`,
    summary: 'Take back the approval of a merge request',
    allow: updateIssuable,
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { db, clock, subject, user } = context
      const approval = { issuable: subject.issuable, user_id: user.id }
      if (!(await unapproveRequest(db, clock, approval))) throw notFound()
      return approvals(context)
    },
  }),

  endpoint({
    route: `PUT ${base}/rebase`,
    summary: 'Rebase the source branch of a merge request onto its target',
    allow: readIssuable,
    transaction: 'none',
    input: Type.Object({ skip_ci: optionalBoolean }),
    status: 202,
    answer: Type.Object({ rebase_in_progress: Type.Boolean() }),
    load: getWholeRequest,
    async authorize({ db, actor, config, loaded: whole }) {
      const { request, source } = whole
      const { sourceTip } = headsOf(config, whole)
      if (!source || !sourceTip) return forbidden('Source branch does not exist')
      const found = await findVisibleProject(db, actor, { id: source.id })
      const who = { db, actor, config, level: found?.level ?? 0 }
      const isAllowed = found && (await mayRebase(who, found.project, request.source_branch))
      return isAllowed || forbidden('Cannot push to source branch')
    },
    async run(context) {
      const { user, input } = context
      const { issuable } = context.loaded
      const asked = {
        merge_request_id: issuable.id,
        user_id: user.id,
        skip_ci: input.skip_ci ?? false,
      }
      const isOpen = issuable.state === 'opened'
      if (!isOpen || !(await enqueueRebase(context, asked))) throw conflict('409 Conflict')
      return { rebase_in_progress: true }
    },
  }),

  endpoint({
    route: `GET ${base}/merge_ref`,
    summary: 'Get the commit that merging would make',
    allow: readIssuable,
    answer: Type.Object({ commit_id: Type.String() }),
    async run(context) {
      const { db, git, clock, config, subject } = context
      const whole = await refreshRequest(context, subject.issuable.id)
      const { issuable, request } = whole ?? (await getWholeRequest(context))
      const heads = headsOf(config, whole ?? (await getWholeRequest(context)))
      const { repository, sourceTip: theirs, targetTip: ours } = heads
      const refused = invalid('Merge request is not mergeable')
      if (issuable.state !== 'opened' || request.merge_status !== 'can_be_merged') throw refused
      if (!ours || !theirs) throw refused
      const name = { iid: issuable.iid, which: 'merge' } as const
      const known = readRef(repository, requestRef(name.iid, name.which))
      const kept = known && (await git.objects.commit(repository, known))
      if (kept?.parents[0] === ours && kept.parents[1] === theirs) return { commit_id: kept.oid }
      const { tree } = await checkMerge(git, repository, { ours, theirs, isTrial: false })
      const writer = await findUser(db, issuable.author_id)
      if (!tree || !writer) throw refused
      const author = { name: writer.name, email: writer.commit_email ?? writer.email }
      const made = newCommit({
        tree,
        parents: [ours, theirs],
        author,
        committer: author,
        date: clock(),
        message: `Merge ${theirs} into ${ours}`,
      })
      await writeObjects(repository, [...(tree === emptyTreeOid ? [newTree([])] : []), made])
      await setRequestRef(git.git, repository, { ...name, oid: made.oid })
      return { commit_id: made.oid }
    },
  }),

  endpoint({
    route: `GET ${base}/pipelines`,
    summary: 'List the pipelines of a merge request, newest first',
    allow: readIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(BasicPipelineJson),
    async load(context) {
      const { target, source, request } = await getWholeRequest(context)
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
      const { rows, total } = await listRequestPipelines(db, {
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
    allow: updateIssuable,
    transaction: 'none',
    answer: nullable(ShownPipelineJson),
    async run(context) {
      const { user, subject } = context
      const whole =
        (await refreshRequest(context, subject.issuable.id)) ?? (await getWholeRequest(context))
      const project = whole.source ?? whole.target
      const pipeline = await createRequestPipeline(context, whole, { user })
      return showPipeline(context, project, pipeline)
    },
  }),
]
