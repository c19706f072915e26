import { Type } from 'typebox'
import { emptyTreeOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { newCommit, newTree, writeObjects } from '../../../git/write.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, optionalBoolean, optionalText } from '../../../http/schema.ts'
import { conflict, forbidden, invalid, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  findIssuable,
  type IssuableSubject,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import {
  CommitIdJson,
  getRequestWithProjects,
  readBranchTips,
} from '../merge-requests/merge-request.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { mergeRequestRefName, setMergeRequestRef } from '../merge-requests/request-refs.ts'
import { MergeRequestJson, showMergeRequest } from '../merge-requests/show-request.ts'
import { tryMerge } from '../merge-requests/try-merge.ts'
import { cancelAutoMerge } from './auto-merge.ts'
import { mayMergeRequest, mergeOrEnableAutoMerge } from './merge-or-enable-auto-merge.ts'
import { enqueueMergeRequestRebase, mayRebaseSourceBranch } from './rebase-request.ts'

const tag = 'Merge requests'
const endpoint = endpointFactory({ tag, on: mergeRequestLoader, signIn: 'always' })
const onRequest = endpointFactory({ tag, on: mergeRequestLoader })
const base = '/projects/:id/merge_requests/:merge_request_iid'

const mergeInput = Type.Object({
  merge_commit_message: optionalText,
  squash_commit_message: optionalText,
  squash: optionalBoolean,
  should_remove_source_branch: optionalBoolean,
  merge_when_pipeline_succeeds: optionalBoolean,
  auto_merge: optionalBoolean,
  sha: optionalText,
})

async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showMergeRequest(context, subject, found?.issuable ?? subject.issuable)
}

const CancelledJson = namedObject('CancelledMerge', {
  status: Type.String(),
  message: Type.Optional(Type.String()),
  http_status: Type.Optional(Type.Integer()),
})

export const mergeEndpoints = [
  endpoint({
    route: `PUT ${base}/merge`,
    summary: 'Merge a merge request, at once or when its pipeline succeeds',
    allow: mayReadIssuable,
    transaction: 'none',
    body_bytes_max: limits.form_body_bytes,
    input: mergeInput,
    answer: MergeRequestJson,
    load: getRequestWithProjects,
    authorize: async (context) =>
      (await mayMergeRequest(context, context.loaded)) || unauthorized(),
    async run(context) {
      await mergeOrEnableAutoMerge(context, context.loaded, context.input)
      return showChanged(context)
    },
  }),

  endpoint({
    route: `POST ${base}/cancel_merge_when_pipeline_succeeds`,
    summary: 'Cancel auto-merge',
    allow: mayReadIssuable,
    transaction: 'none',
    status: 201,
    answer: CancelledJson,
    load: getRequestWithProjects,
    async authorize(context) {
      const { user, loaded } = context
      const isAllowed = await mayMergeRequest(context, loaded)
      return isAllowed || loaded.issuable.author_id === user.id || unauthorized()
    },
    async run(context) {
      const { user } = context
      const { issuable } = context.loaded
      if (await cancelAutoMerge(context, issuable, user.id)) return { status: 'success' }
      return {
        message: "Can't cancel the automatic merge",
        status: 'error',
        http_status: 406,
      }
    },
  }),

  onRequest({
    route: `PUT ${base}/rebase`,
    summary: 'Rebase the source branch of a merge request onto its target',
    allow: mayReadIssuable,
    transaction: 'none',
    input: Type.Object({ skip_ci: optionalBoolean }),
    status: 202,
    answer: Type.Object({ rebase_in_progress: Type.Boolean() }),
    load: getRequestWithProjects,
    async authorize({ db, actor, config, loaded: whole }) {
      const { request, source } = whole
      const { sourceTip } = readBranchTips(config, whole)
      if (!source || !sourceTip) return forbidden('Source branch does not exist')
      const found = await findVisibleProject(db, actor, { id: source.id })
      const who = { db, actor, config, level: found?.level ?? 0 }
      const isAllowed =
        found && (await mayRebaseSourceBranch(who, found.project, request.source_branch))
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
      if (!isOpen || !(await enqueueMergeRequestRebase(context, asked)))
        throw conflict('409 Conflict')
      return { rebase_in_progress: true }
    },
  }),

  onRequest({
    route: `GET ${base}/merge_ref`,
    summary: 'Get the commit that a merge would create',
    allow: mayReadIssuable,
    answer: CommitIdJson,
    async run(context) {
      const { db, git, clock, config, subject } = context
      const whole = await syncMergeRequestWithBranches(context, subject.issuable.id)
      const { issuable, request } = whole ?? (await getRequestWithProjects(context))
      const heads = readBranchTips(config, whole ?? (await getRequestWithProjects(context)))
      const { repository, sourceTip: theirs, targetTip: ours } = heads
      const refused = invalid('Merge request is not mergeable')
      if (issuable.state !== 'opened' || request.merge_status !== 'can_be_merged') throw refused
      if (!ours || !theirs) throw refused
      const name = { iid: issuable.iid, which: 'merge' } as const
      const known = readRef(repository, mergeRequestRefName(name.iid, name.which))
      const kept = known && (await git.objects.commit(repository, known))
      if (kept?.parents[0] === ours && kept.parents[1] === theirs) return { commit_id: kept.oid }
      const { tree } = await tryMerge(git, repository, { ours, theirs, isTrial: false })
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
      await setMergeRequestRef(git.git, repository, { ...name, oid: made.oid })
      return { commit_id: made.oid }
    },
  }),
]
