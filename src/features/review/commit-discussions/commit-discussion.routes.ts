// Threads of comments on commits (docs/api/notes.md, "Commits").

import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Commit } from '../../../git/objects.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { dateTime, nonBlankText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, formatFieldErrors, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  isUnarchived,
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import { recordContribution } from '../../projects/contributions/contribution.ts'
import { commitShaInput, getCommit } from '../../repository/commits/find-commit.ts'
import { DiscussionJson, presentDiscussion } from '../notes/discussion.ts'
import { NoteJson, presentNote } from '../notes/note.ts'
import { type DiffPositionInput, diffPositionInput } from '../notes/position.ts'
import { resolveDiffPosition } from '../notes/resolve-diff-position.ts'
import { checkNoteBody } from '../notes/write-note.ts'
import {
  type CommitCommentRow,
  convertCommitCommentToThread,
  deleteCommitComment,
  findCommitThreadComment,
  insertCommitComment,
  listCommitThreadComments,
  listCommitThreadIds,
  updateCommitComment,
} from './commit-discussion.store.ts'

const endpoint = endpointFactory({ tag: 'Notes', on: projectLoader, signIn: 'always' })
const base = '/projects/:id/repository/commits/:sha/discussions'
const threadInput = { ...commitShaInput, discussion_id: Type.String() }
const noteInput = { ...threadInput, note_id: Type.Integer() }

type CommitContext<Input = unknown> = Context<Project, { sha: string } & Input>

/** Callers who may write comments. Whether they may change a comment is checked for each comment. */
const writeComments: Rule<Project> = (facts) =>
  mayDownloadCode(facts) && isUnarchived(facts.subject)

function readCommit({ git, config, subject, input }: CommitContext): Promise<Commit> {
  return getCommit(git, projectRepository(config, subject), input.sha)
}

const ofCommit = ({ subject }: CommitContext, { oid }: Commit) => ({
  project_id: subject.id,
  commit_id: oid,
})

/** Presents comments, with one query for their authors. */
async function showComments(
  { db, baseUrl }: CommitContext,
  commit: Commit,
  comments: readonly CommitCommentRow[],
): Promise<Static<typeof NoteJson>[]> {
  const authors = await findUsersByIds(
    db,
    comments.map(({ author_id }) => author_id),
  )
  return comments.flatMap((comment) => {
    const author = authors.get(comment.author_id)
    return author ? [presentComment(comment, { author, commit, baseUrl })] : []
  })
}

function presentComment(
  comment: CommitCommentRow,
  { author, commit, baseUrl }: { author: User; commit: Commit; baseUrl: string },
): Static<typeof NoteJson> {
  const { id, project_id, commit_id, author_id, discussion_id, type, note, created_at } = comment
  return presentNote(
    {
      ...{ id, project_id, commit_id, author_id, discussion_id, type, created_at, author },
      body: note,
      updated_at: comment.updated_at ?? created_at,
      position: comment.position ?? positionOf(comment, commit),
      ...unresolvable,
    },
    undefined,
    baseUrl,
  )
}

/** Fields that comments on commits never have. */
const unresolvable = {
  issuable_id: null,
  system: false,
  confidential: false,
  resolvable: false,
  resolved_at: null,
  resolved_by_id: null,
  resolver: undefined,
  original_position: null,
  mentioned_by_project_id: null,
  mentioned_by_id: null,
  mentioned_by_commit: null,
  updated_by_id: null,
  about_id: null,
}

/** Returns the position of a comment that was created with a path and a line only. */
function positionOf({ path, line, line_type }: CommitCommentRow, { oid, parents }: Commit) {
  if (path === null) return null
  const base = parents[0] ?? null
  return {
    base_sha: base,
    start_sha: base,
    head_sha: oid,
    position_type: 'text',
    old_path: path,
    new_path: path,
    old_line: line_type === 'old' ? line : null,
    new_line: line_type === 'new' ? line : null,
    line_range: null,
  }
}

/** Returns the columns of a position. Throws 400 if it is not in the diff of the commit. */
async function placed(
  context: CommitContext,
  commit: Commit,
  given: DiffPositionInput | undefined,
) {
  if (!given) return { type: 'DiscussionNote' as const }
  if (given.head_sha.toLowerCase() !== commit.oid) {
    throw badRequest(`Note ${formatFieldErrors({ position: ['is incomplete'] })}`)
  }
  const { position = {} } = await resolveDiffPosition(context, given)
  const { new_line, old_line } = given
  const side = new_line !== undefined ? ('new' as const) : ('old' as const)
  const line = new_line ?? old_line
  const path = String((side === 'new' ? position.new_path : position.old_path) ?? '')
  const at = line === undefined ? {} : { path, line, line_type: side }
  return { type: 'DiffNote' as const, position: toJson(position), ...at }
}

/** Returns the comments of a thread. Throws 404 if there are none. */
async function getThread(
  context: CommitContext<{ discussion_id: string }>,
  commit: Commit,
): Promise<CommitCommentRow[]> {
  const { db, input } = context
  const comments = await listCommitThreadComments(db, ofCommit(context, commit), [
    input.discussion_id,
  ])
  if (comments.length === 0) throw notFound('Discussion')
  return comments
}

/** Returns the first comment of the thread. Throws 404 like `getThread`. */
async function getThreadStart(
  context: CommitContext<{ discussion_id: string }>,
  commit: Commit,
): Promise<CommitCommentRow> {
  const { discussion_id } = context.input
  const of = ofCommit(context, commit)
  const first = await findCommitThreadComment(context.db, of, { discussion_id })
  if (!first) throw notFound('Discussion')
  return first
}

async function getComment(
  context: CommitContext<{ discussion_id: string; note_id: number }>,
  commit: Commit,
): Promise<CommitCommentRow> {
  const { db, input } = context
  const { discussion_id, note_id: id } = input
  const of = ofCommit(context, commit)
  const comment = await findCommitThreadComment(db, of, { discussion_id, id })
  if (comment) return comment
  await getThreadStart(context, commit)
  throw notFound('Note')
}

async function loadComment(
  context: CommitContext<{ discussion_id: string; note_id: number }>,
): Promise<{ commit: Commit; comment: CommitCommentRow }> {
  const commit = await readCommit(context)
  return { commit, comment: await getComment(context, commit) }
}

/** Returns whether the caller is the author of the comment or a Maintainer. */
function mayEditComment({
  user,
  level,
  loaded: { comment },
}: CommitContext & { loaded: { comment: CommitCommentRow } }): boolean {
  return comment.author_id === user.id || level >= Level.maintainer
}

type Written = Omit<
  Parameters<typeof insertCommitComment>[1],
  'project_id' | 'commit_id' | 'author_id'
>

async function write(
  context: CommitContext,
  commit: Commit,
  { tx, comment }: { tx: Db; comment: Written },
): Promise<CommitCommentRow> {
  const { clock, user, subject: project } = context
  const row = { ...ofCommit(context, commit), author_id: user.id, ...comment }
  const made = await insertCommitComment(tx, row)
  await recordContribution(tx, {
    user_id: user.id,
    project_id: project.id,
    now: timestamp(clock),
  })
  return made
}

const expiryInstant = ({ level, clock }: CommitContext, created_at: string | undefined): string =>
  (level >= Level.owner ? created_at : undefined) ?? timestamp(clock)

export const commitDiscussionEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List the threads on a commit',
    allow: mayDownloadCode,
    input: Type.Object({ ...commitShaInput, ...pageInput }),
    answer: Type.Array(DiscussionJson),
    async run(context) {
      const { db, range } = context
      const commit = await readCommit(context)
      const of = ofCommit(context, commit)
      const { rows, total } = await listCommitThreadIds(db, of, range)
      const comments = await listCommitThreadComments(db, of, rows)
      const shown = await showComments(context, commit, comments)
      const byId = new Map(shown.map((note) => [note.id, note]))
      const items = rows.map((id) => {
        const own = comments.filter(({ discussion_id }) => discussion_id === id)
        return presentDiscussion(
          id,
          own.flatMap((comment) => byId.get(comment.id) ?? []),
        )
      })
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: `GET ${base}/:discussion_id`,
    summary: 'Get a thread on a commit',
    allow: mayDownloadCode,
    input: Type.Object(threadInput),
    answer: DiscussionJson,
    async run(context) {
      const commit = await readCommit(context)
      const notes = await showComments(context, commit, await getThread(context, commit))
      return presentDiscussion(context.input.discussion_id, notes)
    },
  }),

  endpoint({
    route: `POST ${base}`,
    summary: 'Create a thread on a commit',
    allow: writeComments,
    // git reads the diff first, so no transaction is open meanwhile.
    transaction: 'none',
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      ...commitShaInput,
      body: Type.String(),
      created_at: Type.Optional(dateTime()),
      position: diffPositionInput,
    }),
    status: 201,
    answer: DiscussionJson,
    async run(context) {
      const { db, input } = context
      const commit = await readCommit(context)
      checkNoteBody(input.body)
      const created_at = expiryInstant(context, input.created_at)
      const place = await placed(context, commit, input.position)
      const comment = { note: input.body, created_at, ...place }
      const made = await runTransaction(db, (tx) => write(context, commit, { tx, comment }))
      return presentDiscussion(made.discussion_id, await showComments(context, commit, [made]))
    },
  }),

  endpoint({
    route: `POST ${base}/:discussion_id/notes`,
    summary: 'Reply to a thread on a commit',
    allow: writeComments,
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      ...threadInput,
      body: Type.String(),
      created_at: Type.Optional(dateTime()),
    }),
    status: 201,
    answer: NoteJson,
    async run(context) {
      const { db, input } = context
      const commit = await readCommit(context)
      checkNoteBody(input.body)
      const first = await getThreadStart(context, commit)
      await convertCommitCommentToThread(db, first.id)
      const { discussion_id, path, line, line_type, position } = first
      const made = await write(context, commit, {
        tx: db,
        comment: {
          note: input.body,
          created_at: expiryInstant(context, input.created_at),
          ...{ discussion_id, path, line, line_type },
          type: first.type ?? 'DiscussionNote',
          ...(position && { position: toJson(position) }),
        },
      })
      return (await showComments(context, commit, [made]))[0]
    },
  }),

  endpoint({
    route: `GET ${base}/:discussion_id/notes/:note_id`,
    summary: 'Get a note of a thread on a commit',
    allow: mayDownloadCode,
    input: Type.Object(noteInput),
    answer: NoteJson,
    async run(context) {
      const commit = await readCommit(context)
      return (await showComments(context, commit, [await getComment(context, commit)]))[0]
    },
  }),

  endpoint({
    route: `PUT ${base}/:discussion_id/notes/:note_id`,
    summary: 'Change a note of a thread on a commit',
    allow: writeComments,
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({ ...noteInput, body: nonBlankText() }),
    answer: NoteJson,
    load: loadComment,
    authorize: mayEditComment,
    async run(context) {
      const { db, clock, input } = context
      const { commit, comment } = context.loaded
      checkNoteBody(input.body)
      const fields = { note: input.body, updated_at: timestamp(clock) }
      await updateCommitComment(db, comment.id, fields)
      return (await showComments(context, commit, [{ ...comment, ...fields }]))[0]
    },
  }),

  endpoint({
    route: `DELETE ${base}/:discussion_id/notes/:note_id`,
    summary: 'Delete a note of a thread on a commit',
    allow: writeComments,
    input: Type.Object(noteInput),
    status: 204,
    load: loadComment,
    authorize: mayEditComment,
    async run(context) {
      const { comment } = context.loaded
      checkIfUnmodifiedSince(context.request, comment.updated_at ?? comment.created_at)
      await deleteCommitComment(context.db, comment.id)
    },
  }),
]
