import { type Static, Type } from 'typebox'
import {
  namedObject,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
} from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { CommitComment } from './commit-comment.store.ts'

export const CommitCommentJson = namedObject('CommitComment', {
  note: Type.String(),
  path: nullableText,
  line: nullableInteger,
  line_type: nullable(oneOf(['new', 'old'])),
  author: Type.Object({
    ...BasicUserJson.properties,
    email: nullableText,
    created_at: nullableText,
  }),
  created_at: Type.String(),
})

/**
 * Presents a comment. The author has `email` and `created_at` (docs/api/repository.md, "Commit comments") if the user shows
 * them to everybody: a public email address, and the date unless the profile is private.
 */
export function presentCommitComment(
  { note, path, line, line_type, author, created_at }: Omit<CommitComment, 'id'>,
  baseUrl: string,
): Static<typeof CommitCommentJson> {
  return {
    note,
    path,
    line,
    line_type,
    author: {
      ...presentBasicUser(author, baseUrl),
      email: author.public_email || null,
      created_at: author.private_profile ? null : author.created_at,
    },
    created_at,
  }
}
