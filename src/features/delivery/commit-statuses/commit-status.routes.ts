import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import type { GitAccess } from '../../../git/git.ts'
import { branchRef, type Oid, tagRef } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, optionalInteger, optionalText, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { mayReadPipelines, type Pipeline } from '../../../subjects/pipeline.ts'
import {
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { commitShaInput, getCommit } from '../../repository/commits/find-commit.ts'
import {
  listTagProtectionRules,
  mayCreateTag,
} from '../../repository/protected-tags/protected-tag.ts'
import { mayPush } from '../../repository/pushes/push.ts'
import { sourceRefOfPipeline } from '../pipelines/pipeline-variables.ts'
import { CommitStatusJson, presentCommitStatus } from './commit-status.present.ts'
import { getCommitStatus, listCommitStatuses } from './commit-status.store.ts'
import {
  findPipelineForCommitStatus,
  recordCommitStatus,
  reportableCommitStates,
  validateCommitStatusReport,
} from './record-commit-status.ts'

const tag = 'Commits'
const endpoint = endpointFactory({ tag, on: projectLoader })

/**
 * Developers may report statuses unless the project is archived. For protected branches and tags see
 * `mayReportOn`.
 */
const reportStatuses: Rule<Project> = mayPushCode

/**
 * Returns whether the caller may push to the branch or create the tag. The right to push is required because
 * a status can be a condition for merging.
 */
async function mayReportOn(
  context: Context<Project, unknown>,
  { ref, tag, event_variables }: Pick<Pipeline, 'ref' | 'tag' | 'event_variables'>,
): Promise<boolean> {
  const { db, subject: project, actor, level } = context
  if (tag)
    return mayCreateTag(await listTagProtectionRules(db, project.id, actor), ref, { actor, level })
  return mayPush(context, project, sourceRefOfPipeline({ ref, event_variables }))
}

/** Returns the first branch that contains the commit. Throws 404 if no branch does. */
async function firstBranchWith(
  git: GitAccess,
  repository: Repository,
  commit: Oid,
): Promise<string> {
  const [first] = (await git.containing.of(repository, commit)).branches
  if (first === undefined) throw notFound('References for commit')
  return first
}

function isTag(repository: Repository, name: string): boolean {
  const [branch, tag] = [branchRef(name), tagRef(name)]
  if (branch && readRef(repository, branch)) return false
  return tag !== undefined && readRef(repository, tag) !== undefined
}

export const commitStatusEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/statuses',
    summary: 'List the statuses of a commit',
    signIn: 'always',
    allow: mayDownloadCode,
    input: Type.Object({
      ...commitShaInput,
      ref: optionalText,
      stage: optionalText,
      name: optionalText,
      all: Type.Optional(Type.Boolean({ default: false })),
      pipeline_id: optionalInteger,
      ...pageInput,
    }),
    answer: Type.Array(CommitStatusJson),
    async run(context) {
      const { db, subject: project, input, git, config, baseUrl } = context
      await getCommit(git, projectRepository(config, project), input.sha)
      const { range } = context
      const filter = {
        project_id: project.id,
        // Statuses are found by full hash only. `getCommit` above also accepts branch names, for which no
        // statuses are stored.
        sha: input.sha,
        ref: input.ref || undefined,
        stage: input.stage || undefined,
        name: input.name || undefined,
        pipeline_id: input.pipeline_id,
        all: input.all ?? false,
        withJobs: mayReadPipelines(context),
      }
      const { rows, total } = await listCommitStatuses(db, filter, range)
      const items = rows.map((row) => presentCommitStatus(row, baseUrl))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/statuses/:sha',
    summary: 'Report the status of a commit',
    allow: reportStatuses,
    // The commit and its branches are looked up first; recordCommitStatus opens the transaction.
    transaction: 'none',
    input: Type.Object({
      ...commitShaInput,
      state: oneOf(reportableCommitStates),
      ref: optionalText,
      name: optionalText,
      context: optionalText,
      target_url: optionalText,
      description: optionalText,
      coverage: Type.Optional(Type.Number()),
      pipeline_id: optionalInteger,
    }),
    status: 201,
    answer: CommitStatusJson,
    async load(context) {
      const { db, subject: project, input, git, config } = context
      const repository = projectRepository(config, project)
      const commit = await getCommit(git, repository, input.sha)
      const { state, coverage } = input
      const target_url = input.target_url || undefined
      const description = input.description || undefined
      const name = input.name ?? input.context ?? 'default'
      const report = { state, name, target_url, description, coverage }
      const ref = input.ref || undefined
      validateCommitStatusReport({ ...report, ref })
      const commitOf = { project_id: project.id, sha: commit.oid }
      const pipeline = await findPipelineForCommitStatus(db, {
        ...commitOf,
        ref,
        id: input.pipeline_id,
      })
      const newRef = pipeline?.ref ?? ref ?? (await firstBranchWith(git, repository, commit.oid))
      const tag = pipeline?.tag ?? isTag(repository, newRef)
      const event_variables = pipeline?.event_variables ?? null
      const committed_at = new Date(commit.committer.date).toISOString()
      const target = { ...commitOf, ref: newRef, tag, committed_at }
      return { report, pipeline, target, event_variables }
    },
    authorize: (context) => mayReportOn(context, { ...context.loaded, ...context.loaded.target }),
    async run(context) {
      const { db, baseUrl, user } = context
      const { report, pipeline, target } = context.loaded
      const id = await recordCommitStatus(context, { target, pipeline, user_id: user.id, report })
      return presentCommitStatus(await getCommitStatus(db, id), baseUrl)
    },
  }),
]
