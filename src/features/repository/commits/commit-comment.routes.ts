import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { hasChangedLine } from '../../../git/diff.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Repository } from '../../../git/repository.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import { oneOf, optionalInteger, optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  isUnarchived,
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { recordContribution } from '../../projects/contributions/contribution.ts'
import { CommitCommentJson, presentCommitComment } from './commit-comment.present.ts'
import { insertCommitComment, listCommitComments } from './commit-comment.store.ts'
import { commitShaInput, getCommit } from './find-commit.ts'

const endpoint = endpointFactory({ tag: 'Commits', on: projectLoader })

/** Callers who may read the code may comment on it, unless the project is archived. */
const commentOnCommits: Rule<Project> = (facts) =>
  mayDownloadCode(facts) && isUnarchived(facts.subject)

const lineWithPath: ParameterRule = ({ path, line }) =>
  path !== undefined && line === undefined ? 'line is missing' : undefined

type Position = { path: string; line: number; line_type: 'new' | 'old' }
const nowhere = { path: null, line: null, line_type: null }

/**
 * Returns the position of the line that the comment is about, if the commit added or removed that line;
 * undefined for a comment on the whole commit.
 */
async function findPosition(
  git: GitAccess,
  { repository, commit }: { repository: Repository; commit: Commit },
  { path, line, line_type }: Position,
): Promise<Position | typeof nowhere> {
  const { files } = await git.diffs.diff(repository, { from: commit.parents[0], to: commit.oid })
  const isThere = files.some(
    (file) =>
      (line_type === 'new' ? file.newPath : file.oldPath) === path &&
      hasChangedLine(file.patch, { line, side: line_type }),
  )
  return isThere ? { path, line, line_type } : nowhere
}

export const commitCommentEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/comments',
    summary: 'List the comments on a commit',
    allow: mayDownloadCode,
    input: Type.Object({ ...commitShaInput, ...pageInput }),
    answer: Type.Array(CommitCommentJson),
    async run(context) {
      const { db, subject: project, input, git, config, baseUrl } = context
      const commit = await getCommit(git, projectRepository(config, project), input.sha)
      const { range } = context
      const of = { project_id: project.id, commit_id: commit.oid }
      const { rows, total } = await listCommitComments(db, of, range)
      const items = rows.map((row) => presentCommitComment(row, baseUrl))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/repository/commits/:sha/comments',
    summary: 'Comment on a commit or on a line of it',
    allow: commentOnCommits,
    // The diff of the commit may have to be computed first, which is not done inside a transaction.
    transaction: 'none',
    input: Type.Object({
      ...commitShaInput,
      note: Type.String(),
      path: optionalText,
      line: optionalInteger,
      line_type: Type.Optional(oneOf(['new', 'old'], { default: 'new' })),
    }),
    rules: [lineWithPath],
    status: 201,
    answer: CommitCommentJson,
    async run({ db, clock, subject: project, input, git, config, baseUrl, user }) {
      const { note, path, line, line_type = 'new' } = input
      const repository = projectRepository(config, project)
      const commit = await getCommit(git, repository, input.sha)
      if (note.trim() === '') throw badRequest(`Note {:note=>["can't be blank"]}`)
      if (note.length > limits.note_characters) {
        throw badRequest(
          `Note {:note=>["is too long (maximum is ${limits.note_characters} characters)"]}`,
        )
      }
      const position =
        path !== undefined && line !== undefined
          ? await findPosition(git, { repository, commit }, { path, line, line_type })
          : nowhere
      const comment = { note, ...position, created_at: timestamp(clock) }
      const project_id = project.id
      await runTransaction(db, async (tx) => {
        await insertCommitComment(tx, {
          ...comment,
          project_id,
          commit_id: commit.oid,
          author_id: user.id,
          type: comment.path === null ? null : 'DiffNote',
        })
        await recordContribution(tx, { user_id: user.id, project_id, now: comment.created_at })
      })
      const author = await findUser(db, user.id)
      if (!author)
        throw new Error(`User ${user.id} was deleted while commenting on commit ${commit.oid}.`)
      return presentCommitComment({ ...comment, author }, baseUrl)
    },
  }),
]
