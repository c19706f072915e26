import { randomBytes } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { CommitCommentTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'

/** A comment with its author. */
export type CommitComment = Pick<
  Selectable<CommitCommentTable>,
  'id' | 'note' | 'path' | 'line' | 'line_type' | 'created_at'
> & { author: CommentAuthor }

export type CommentAuthor = Pick<
  User,
  | 'id'
  | 'username'
  | 'name'
  | 'state'
  | 'avatar'
  | 'public_email'
  | 'private_profile'
  | 'created_at'
>

/** Returns one page of a commit's comments in one project, oldest first, and their total. */
export async function listCommitComments(
  db: Db,
  of: { project_id: number; commit_id: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: CommitComment[]; total: number | undefined }> {
  const matching = db
    .selectFrom('commit_comments as comments')
    .where('comments.project_id', '=', of.project_id)
    .where('comments.commit_id', '=', of.commit_id)
  const rows = await matching
    .innerJoin('users', 'users.id', 'comments.author_id')
    .select([
      'comments.id',
      'comments.note',
      'comments.path',
      'comments.line',
      'comments.line_type',
      'comments.created_at',
      'users.id as author_id',
      'users.username',
      'users.name',
      'users.state',
      'users.avatar',
      'users.public_email',
      'users.private_profile',
      'users.created_at as author_created_at',
    ])
    .orderBy('comments.created_at')
    .orderBy('comments.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  const comments = rows.map(({ author_id, author_created_at, ...row }) => ({
    id: row.id,
    note: row.note,
    path: row.path,
    line: row.line,
    line_type: row.line_type,
    created_at: row.created_at,
    author: {
      id: author_id,
      username: row.username,
      name: row.name,
      state: row.state,
      avatar: row.avatar,
      public_email: row.public_email,
      private_profile: row.private_profile,
      created_at: author_created_at,
    },
  }))
  return { rows: comments, total: await countRows(db, matching.select('comments.id')) }
}

/** Inserts a comment that starts its own thread. */
export async function insertCommitComment(
  db: Db,
  comment: Insertable<CommitCommentTable>,
): Promise<void> {
  const discussion_id = randomBytes(20).toString('hex')
  await db
    .insertInto('commit_comments')
    .values({ ...comment, discussion_id, updated_at: comment.created_at })
    .execute()
}
