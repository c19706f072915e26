import { type Static, Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { mutuallyExclusive, notBlank, type RawParameters } from '../../../http/parameters.ts'
import { fileContent, nonBlankText, oneOf, optionalText } from '../../../http/schema.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findNewestReadablePipeline } from '../../../subjects/pipeline.ts'
import {
  areInSameForkNetwork,
  findVisibleProject,
  mayDownloadCode,
  type Project,
  parseProjectId,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import {
  branchRefusal,
  mayPush,
  mayPushToAtLeastOneBranch,
  pushableProjectLoader,
  pushRefusal,
} from '../pushes/push.ts'
import { recheckerForCommit } from '../pushes/recheck-access.ts'
import { CommitDetailJson, presentCommitDetail } from './commit.present.ts'
import { decodeFileContent } from './content.ts'
import { createCommit, type FileAction } from './create-commit.ts'

const ActionInput = Type.Object({
  action: oneOf(['create', 'update', 'move', 'delete', 'chmod'], { notBlank: true }),
  file_path: nonBlankText(),
  previous_path: optionalText,
  content: Type.Optional(fileContent()),
  encoding: Type.Optional(oneOf(['text', 'base64'], { default: 'text' })),
  last_commit_id: optionalText,
  execute_filemode: Type.Optional(Type.Boolean()),
})

/** The parameter that each action requires besides its path. */
const requirements = {
  create: undefined,
  update: 'content',
  move: 'previous_path',
  delete: undefined,
  chmod: 'execute_filemode',
} as const

/** Returns a problem for each action that lacks its required parameter. */
function completeActions({ actions }: RawParameters): string[] {
  return (actions as Static<typeof ActionInput>[]).flatMap((action, index) => {
    const needed = requirements[action.action]
    const isGiven = needed === undefined || action[needed] !== undefined
    return isGiven ? [] : [`actions[${index}][${needed}] is missing`]
  })
}

/** Returns the project of the start commit: one in the same fork network whose code the caller may read. */
async function getStartProject(
  { db, actor, subject: project }: Context<Project, unknown>,
  idOrPath: string | undefined,
): Promise<Project | undefined> {
  if (!idOrPath) return undefined
  const by = parseProjectId(idOrPath)
  const found = by && (await findVisibleProject(db, actor, by))
  if (!found) throw notFound('Project')
  const isReadable = mayDownloadCode({ subject: found.project, level: found.level, actor })
  if (!areInSameForkNetwork(project, found.project) || !isReadable) {
    throw forbidden(`Project is not included in the fork network for ${project.full_name}`)
  }
  return found.project
}

const endpoint = endpointFactory({ tag: 'Commits', on: projectLoader })

export const commitEndpoints = [
  endpoint({
    route: 'POST /projects/:id/repository/commits',
    summary: 'Create a commit with several file actions',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    refusal: pushRefusal,
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({
      branch: Type.String(),
      commit_message: Type.String(),
      actions: Type.Array(ActionInput),
      start_branch: optionalText,
      start_sha: optionalText,
      start_project: optionalText,
      author_email: optionalText,
      author_name: optionalText,
      stats: Type.Optional(Type.Boolean({ default: true })),
      force: Type.Optional(Type.Boolean({ default: false })),
    }),
    rules: [
      notBlank('branch'),
      notBlank('commit_message'),
      notBlank('actions'),
      mutuallyExclusive('start_branch', 'start_sha'),
      completeActions,
    ],
    status: 201,
    answer: CommitDetailJson,
    async run(context) {
      const { subject: project, input, git, config, baseUrl, user } = context
      if (!(await mayPush(context, project, input.branch))) throw branchRefusal()
      const start_project = await getStartProject(context, input.start_project)
      const actions: FileAction[] = []
      for (const { content, encoding, ...action } of input.actions) {
        const bytes = content === undefined ? undefined : await decodeFileContent(content, encoding)
        const last_commit_id = action.last_commit_id || undefined
        actions.push({ ...action, content: bytes, last_commit_id })
      }
      const oid = await createCommit(context, {
        project,
        user,
        branch: input.branch,
        start_branch: input.start_branch || undefined,
        start_sha: input.start_sha || undefined,
        start_project,
        message: input.commit_message,
        author: { name: input.author_name, email: input.author_email },
        actions,
        force: input.force,
        confirm: recheckerForCommit(context, project, {
          branch: input.branch,
          refusal: branchRefusal,
        }),
        staleMessage: (action) =>
          `The file has changed since you started editing it: ${action.previous_path ?? action.file_path}`,
      })
      const repository = projectRepository(config, project)
      const commit = await git.objects.commit(repository, oid)
      if (!commit)
        throw new Error(
          `Commit ${oid}, which was just created in project ${project.id}, was not found.`,
        )
      const stats = input.stats ? (await git.stats.of(repository, [commit])).get(oid) : undefined
      const lastPipeline = await findNewestReadablePipeline(context, { project, sha: commit.oid })
      return presentCommitDetail(commit, { project, stats, lastPipeline, baseUrl })
    },
  }),
]
