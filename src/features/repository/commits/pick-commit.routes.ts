import { Type } from 'typebox'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { filledText, optionalText, record } from '../../../http/schema.ts'
import { aProject, type Project, projectUrl } from '../../../subjects/project.ts'
import { aPushedProject, pushSomewhere } from '../pushes/collaboration.ts'
import { branchRefusal, mayPush, pushRefusal } from '../pushes/push.ts'
import { confirmCommit } from '../pushes/recheck-access.ts'
import { CommitJson, presentCommit } from './commit.ts'
import { shaInput } from './find-commit.ts'
import { type PickRequest, pickCommit } from './pick-commit.ts'

const endpoint = endpointsWith({ tag: 'Commits', on: aProject })
const DryRunJson = record('DryRun', { dry_run: Type.Literal('success') })

const pickInput = {
  ...shaInput,
  branch: filledText(),
  dry_run: Type.Optional(Type.Boolean({ default: false })),
}

type PickContext = Context<
  Project,
  { sha: string; branch: string; dry_run?: boolean; message?: string }
>

async function pick(context: PickContext, kind: PickRequest['kind']): Promise<Answer> {
  const { subject: project, input, user, baseUrl } = context
  const { sha, branch, dry_run: isDryRun = false, message } = input
  if (!(await mayPush(context, project, branch))) throw branchRefusal()
  const confirm = confirmCommit(context, project, { branch, refusal: branchRefusal })
  const request = { kind, project, user, sha, branch, isDryRun, message, confirm }
  const commit = await pickCommit(context, request)
  if (!commit) return Answer.json(200, { dry_run: 'success' })
  return Answer.json(201, presentCommit(commit, projectUrl(baseUrl, project)))
}

export const pickCommitEndpoints = [
  endpoint({
    route: 'POST /projects/:id/repository/commits/:sha/cherry_pick',
    summary: 'Make the changes of a commit again on a branch',
    on: aPushedProject,
    allow: pushSomewhere,
    refusal: pushRefusal,
    transaction: 'none',
    input: Type.Object({ ...pickInput, message: optionalText }),
    status: 201,
    answer: CommitJson,
    otherAnswers: { 200: DryRunJson },
    run: (context) => pick(context, 'cherry-pick'),
  }),

  endpoint({
    route: 'POST /projects/:id/repository/commits/:sha/revert',
    summary: 'Undo the changes of a commit on a branch',
    on: aPushedProject,
    allow: pushSomewhere,
    refusal: pushRefusal,
    transaction: 'none',
    input: Type.Object(pickInput),
    status: 201,
    answer: CommitJson,
    otherAnswers: { 200: DryRunJson },
    run: (context) => pick(context, 'revert'),
  }),
]
