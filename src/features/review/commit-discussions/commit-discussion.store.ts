// Threads of comments on commits, which the operations of commits store too.
import type { Insertable, Selectable } from 'kysely'
import type { CommitCommentTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { generateDiscussionId } from '../../planning/issuables/issuable.ts'

/** Inserts a comment, as its own thread unless it names one, and returns the row. */
export function insertCommitComment(
  db: Db,
  comment: Insertable<CommitCommentTable>,
): Promise<CommitCommentRow> {
  const discussion_id = comment.discussion_id ?? generateDiscussionId()
  return db
    .insertInto('commit_comments')
    .values({ ...comment, discussion_id, updated_at: comment.created_at })
    .returningAll()
    .executeTakeFirstOrThrow()
}
export type CommitCommentRow = Selectable<CommitCommentTable>

type OfCommit = { project_id: number; commit_id: string }

const commentsOf = (db: Db, { project_id, commit_id }: OfCommit) =>
  db
    .selectFrom('commit_comments')
    .where('project_id', '=', project_id)
    .where('commit_id', '=', commit_id)

/** Returns one page of the ids of a commit's threads, in the order of their first comments. */
export async function listCommitThreadIds(
  db: Db,
  of: OfCommit,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: string[]; total: number | undefined }> {
  const matching = commentsOf(db, of).groupBy('discussion_id')
  const rows = await matching
    .select('discussion_id')
    .orderBy(({ fn }) => fn.min('id'))
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: rows.map(({ discussion_id }) => discussion_id),
    total: await countRows(
      db,
      matching.select(({ fn }) => fn.min('id').as('id')),
    ),
  }
}

/** Returns the comments of these threads of a commit, oldest first. */
export function listCommitThreadComments(
  db: Db,
  of: OfCommit,
  discussion_ids: readonly string[],
): Promise<CommitCommentRow[]> {
  return commentsOf(db, of)
    .selectAll()
    .where('discussion_id', 'in', ['', ...discussion_ids])
    .orderBy('id')
    .execute()
}

/** Returns the first comment of a thread, or the one with the given id, without reading the others. */
export function findCommitThreadComment(
  db: Db,
  of: OfCommit,
  { discussion_id, id }: { discussion_id: string; id?: number },
): Promise<CommitCommentRow | undefined> {
  let ids = commentsOf(db, of).where('discussion_id', '=', discussion_id)
  if (id !== undefined) ids = ids.where('id', '=', id)
  return db
    .selectFrom('commit_comments')
    .selectAll()
    .where(
      'id',
      '=',
      ids.select(({ fn }) => fn.min('id').as('id')),
    )
    .executeTakeFirst()
}

/** Turns a single comment into the first one of a thread. */
export async function convertCommitCommentToThread(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('commit_comments')
    .set({ type: 'DiscussionNote' })
    .where('id', '=', id)
    .where('type', 'is', null)
    .execute()
}

export async function updateCommitComment(
  tx: Db,
  id: number,
  fields: { note: string; updated_at: string },
): Promise<void> {
  await tx.updateTable('commit_comments').set(fields).where('id', '=', id).execute()
}

export async function deleteCommitComment(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('commit_comments').where('id', '=', id).execute()
}
