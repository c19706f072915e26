// Public functions of commits: their JSON, which branches, files and pipelines include too.

import { type Static, Type } from 'typebox'
import type { Commit } from '../../../git/objects.ts'
import { parseTrailers } from '../../../git/trailers.ts'
import { namedObject } from '../../../http/schema.ts'

export const CommitJson = namedObject('Commit', {
  id: Type.String(),
  short_id: Type.String(),
  created_at: Type.String(),
  parent_ids: Type.Array(Type.String()),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: Type.String(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: Type.String(),
  trailers: Type.Record(Type.String(), Type.String()),
  web_url: Type.String(),
})

/**
 * Presents a commit in a list. `projectUrl` is the project's `web_url`. Trailers are parsed on demand; of those with the
 * same key the last one counts.
 */
export function presentCommit(
  commit: Commit,
  projectUrl: string,
  { withTrailers = false }: { withTrailers?: boolean } = {},
): Static<typeof CommitJson> {
  return {
    id: commit.oid,
    short_id: commit.oid.slice(0, 8),
    created_at: commit.committer.date,
    parent_ids: commit.parents,
    title: commit.message.split('\n', 1)[0] || 'No commit message',
    message: commit.message,
    author_name: commit.author.name,
    author_email: commit.author.email,
    authored_date: commit.author.date,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
    committed_date: commit.committer.date,
    trailers: withTrailers ? Object.fromEntries(parseTrailers(commit.message)) : {},
    web_url: `${projectUrl}/-/commit/${commit.oid}`,
  }
}
