import { Type } from 'typebox'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { notBlank } from '../../../http/parameters.ts'
import { namedObject, optionalText } from '../../../http/schema.ts'
import { type Project, projectLoader, projectUrl } from '../../../subjects/project.ts'
import {
  branchRefusal,
  mayPush,
  mayPushToAtLeastOneBranch,
  pushableProjectLoader,
  pushRefusal,
} from '../pushes/push.ts'
import { recheckerForCommit } from '../pushes/recheck-access.ts'
import { type CherryPickOrRevertRequest, cherryPickOrRevert } from './cherry-pick-or-revert.ts'
import { CommitJson, presentCommit } from './commit.ts'
import { commitShaInput } from './find-commit.ts'

const endpoint = endpointFactory({ tag: 'Commits', on: projectLoader })
const DryRunJson = namedObject('DryRun', { dry_run: Type.Literal('success') })

const pickInput = {
  ...commitShaInput,
  branch: Type.String(),
  dry_run: Type.Optional(Type.Boolean({ default: false })),
}

type PickContext = Context<
  Project,
  { sha: string; branch: string; dry_run?: boolean; message?: string }
>

async function pick(
  context: PickContext,
  kind: CherryPickOrRevertRequest['kind'],
): Promise<Answer> {
  const { subject: project, input, user, baseUrl } = context
  const { sha, branch, dry_run: isDryRun = false, message } = input
  if (!(await mayPush(context, project, branch))) throw branchRefusal()
  const confirm = recheckerForCommit(context, project, { branch, refusal: branchRefusal })
  const request = { kind, project, user, sha, branch, isDryRun, message, confirm }
  const commit = await cherryPickOrRevert(context, request)
  if (!commit) return Answer.json(200, { dry_run: 'success' })
  return Answer.json(201, presentCommit(commit, projectUrl(baseUrl, project)))
}

export const pickCommitEndpoints = [
  endpoint({
    route: 'POST /projects/:id/repository/commits/:sha/cherry_pick',
    summary: 'Cherry-pick a commit',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    refusal: pushRefusal,
    transaction: 'none',
    input: Type.Object({ ...pickInput, message: optionalText }),
    rules: [notBlank('branch')],
    status: 201,
    answer: CommitJson,
    otherAnswers: { 200: DryRunJson },
    run: (context) => pick(context, 'cherry-pick'),
  }),

  endpoint({
    route: 'POST /projects/:id/repository/commits/:sha/revert',
    summary: 'Revert a commit',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    refusal: pushRefusal,
    transaction: 'none',
    input: Type.Object(pickInput),
    rules: [notBlank('branch')],
    status: 201,
    answer: CommitJson,
    otherAnswers: { 200: DryRunJson },
    run: (context) => pick(context, 'revert'),
  }),
]
