import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { CommitStatus } from './commit-status.store.ts'

export const CommitStatusJson = namedObject('CommitStatus', {
  id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  name: Type.String(),
  target_url: nullableText,
  description: nullableText,
  created_at: Type.String(),
  started_at: nullableText,
  finished_at: nullableText,
  allow_failure: Type.Boolean(),
  coverage: nullable(Type.Number()),
  author: nullable(BasicUserJson),
})

export function presentCommitStatus(
  { author, ...status }: CommitStatus,
  baseUrl: string,
): Static<typeof CommitStatusJson> {
  return { ...status, author: author ? presentBasicUser(author, baseUrl) : null }
}
