import { type Static, Type } from 'typebox'
import { runTransaction } from '../../../db/run-transaction.ts'
import { Answer, acceptedAnswer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { keysetAnswer, Page } from '../../../http/pagination.ts'
import { mutuallyExclusive } from '../../../http/parameters.ts'
import {
  MessageJson,
  nonBlankText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import {
  mayAdminBranches,
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import {
  protectBranchWithDeveloperAccess,
  unprotectBranch,
} from '../protected-branches/protect-branch.ts'
import { BranchJson } from './branch.present.ts'
import { deleteMergedBranchesTask } from './branch.tasks.ts'
import {
  branchOrders,
  branchRefsAfterPageToken,
  getBranch,
  listBranchRefs,
  sliceBranches,
} from './branch.ts'
import { createBranch } from './create-branch.ts'
import { deleteBranch } from './delete-branch.ts'
import { showBranch, showBranches } from './show-branches.ts'

const endpoint = endpointFactory({ tag: 'Branches', on: projectLoader })
const branchInput = Type.Object({
  branch: Type.String({ description: 'URL-encoded name of the branch.' }),
})
type BranchContext = Context<Project, Static<typeof branchInput>>

function namedBranch({ config, subject, input }: BranchContext) {
  return getBranch(projectRepository(config, subject), input.branch)
}

export const branchEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/branches',
    summary: 'List the branches of a project',
    allow: mayDownloadCode,
    input: Type.Object({
      ...pageInput,
      pagination: Type.Optional(oneOf(['keyset', 'legacy'])),
      page_token: Type.Optional(
        Type.String({ description: 'With keyset pagination: the last name of the page before.' }),
      ),
      search: optionalText,
      regex: optionalText,
      sort: Type.Optional(oneOf(branchOrders)),
    }),
    rules: [mutuallyExclusive('search', 'regex')],
    answer: Type.Array(BranchJson),
    async run(context) {
      const { git, config, subject: project, input } = context
      const repository = projectRepository(config, project)
      const branches = await listBranchRefs(git.git, repository, input)
      const { range } = context
      if (input.pagination === 'keyset') {
        const rest = branchRefsAfterPageToken(branches, input.page_token)
        const page = sliceBranches(rest, 0, range.per_page)
        const shown = await showBranches(context, project, page)
        if (rest.positions.length === page.length) return shown
        return keysetAnswer(context, shown, { page_token: page.at(-1)?.name })
      }
      const page = sliceBranches(branches, range.offset, range.offset + range.per_page)
      const items = await showBranches(context, project, page)
      return new Page({ items, total: branches.positions.length })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/branches/:branch',
    summary: 'Get a branch',
    allow: mayDownloadCode,
    input: branchInput,
    answer: BranchJson,
    otherAnswers: { 204: undefined },
    async run(context) {
      const branch = namedBranch(context)
      if (context.request.method === 'HEAD') return Answer.empty(204)
      return showBranch(context, context.subject, branch)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/repository/branches',
    summary: 'Create a branch',
    allow: mayPushCode,
    transaction: 'none',
    input: Type.Object({ branch: nonBlankText(), ref: nonBlankText() }),
    status: 201,
    answer: BranchJson,
    async run(context) {
      const { subject: project, user, actor, level, input } = context
      const branch = await createBranch(context, {
        project,
        caller: { actor, level },
        user,
        name: input.branch,
        start: input.ref,
      })
      return showBranch(context, project, branch)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/repository/branches/:branch',
    summary: 'Delete a branch',
    allow: mayPushCode,
    transaction: 'none',
    input: branchInput,
    status: 204,
    async run(context) {
      const { git, config, subject: project, actor, level, request } = context
      const branch = namedBranch(context)
      const commit = await git.objects.commit(projectRepository(config, project), branch.oid)
      checkIfUnmodifiedSince(request, commit?.author.date)
      await deleteBranch(context, { project, caller: { actor, level }, branch })
    },
  }),

  endpoint({
    route: 'PUT /projects/:id/repository/branches/:branch/protect',
    summary: 'Protect a branch, or change what Developers may do with it',
    allow: mayAdminBranches,
    transaction: 'none',
    input: Type.Object({
      ...branchInput.properties,
      developers_can_push: optionalBoolean,
      developers_can_merge: optionalBoolean,
    }),
    answer: BranchJson,
    async run(context) {
      const { db, subject: project, actor, level, input } = context
      const branch = namedBranch(context)
      await runTransaction(db, (tx) =>
        protectBranchWithDeveloperAccess({ ...context, db: tx }, project, {
          name: branch.name,
          caller: { actor, level },
          access: input,
        }),
      )
      return showBranch(context, project, branch)
    },
  }),

  endpoint({
    route: 'PUT /projects/:id/repository/branches/:branch/unprotect',
    summary: 'Unprotect a branch',
    allow: mayAdminBranches,
    transaction: 'none',
    input: branchInput,
    answer: BranchJson,
    async run(context) {
      const { db, subject: project, actor, level } = context
      const branch = namedBranch(context)
      const { name } = branch
      await runTransaction(db, (tx) =>
        unprotectBranch(
          { ...context, db: tx },
          { project_id: project.id, name, caller: { actor, level } },
        ),
      )
      return showBranch(context, project, branch)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/repository/merged_branches',
    summary: 'Delete the branches merged into the default branch, in the background',
    allow: mayPushCode,
    status: 202,
    answer: MessageJson,
    async run({ db, clock, subject: project }) {
      await enqueue(db, clock, {
        task: deleteMergedBranchesTask,
        key: String(project.id),
        payload: { project_id: project.id },
      })
      return acceptedAnswer()
    },
  }),
]
