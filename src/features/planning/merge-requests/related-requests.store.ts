import type { SelectQueryBuilder } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import type { Db, Schema } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { type Issuable, visibleIssuable } from '../../../subjects/issuable.ts'

type Range = { offset: number; per_page: number }
type Page = { rows: Issuable[]; total: number | undefined }
type Query = SelectQueryBuilder<Schema, 'issuables', object>

async function pageOf(db: Db, matching: Query, { offset, per_page }: Range): Promise<Page> {
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** Those of a project that have the commit among theirs, or were merged by it; newest first. */
export function listOfCommit(
  db: Db,
  { project_id, sha, range }: { project_id: number; sha: string; range: Range },
): Promise<Page> {
  const matching = db
    .selectFrom('issuables')
    .where('issuables.project_id', '=', project_id)
    .where((eb) =>
      eb(
        'issuables.id',
        'in',
        eb
          .selectFrom('merge_request_commits')
          .select('merge_request_commits.issuable_id as id')
          .where('merge_request_commits.sha', '=', sha)
          .union(
            eb
              .selectFrom('merge_requests')
              .select('merge_requests.issuable_id as id')
              .where('merge_requests.merge_commit_sha', '=', sha),
          )
          .union(
            eb
              .selectFrom('merge_requests')
              .select('merge_requests.issuable_id as id')
              .where('merge_requests.squash_commit_sha', '=', sha),
          ),
      ),
    )
  return pageOf(db, matching, range)
}

function visible(db: Db, viewer: Viewer): Query {
  return db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('projects.state', '=', 'ready')
    .where('issuables.kind', '=', 'merge_request')
    .where((eb) => visibleIssuable(viewer, 'merge_request')(eb as never)) as unknown as Query
}

/** Those of a project that close an issue. */
export function listClosers(
  db: Db,
  {
    issue_id,
    project_id,
    viewer,
    range,
  }: { issue_id: number; project_id: number; viewer: Viewer; range: Range },
): Promise<Page> {
  const matching = visible(db, viewer)
    .where('issuables.project_id', '=', project_id)
    .where((eb) =>
      eb(
        'issuables.id',
        'in',
        eb
          .selectFrom('closing_issues')
          .select('closing_issues.merge_request_id')
          .where('closing_issues.issue_id', '=', issue_id),
      ),
    )
  return pageOf(db, matching, range)
}

/** Those whose texts or notes name an issue, as the notes on it say. */
export function listMentioners(
  db: Db,
  { issue_id, viewer, range }: { issue_id: number; viewer: Viewer; range: Range },
): Promise<Page> {
  const matching = visible(db, viewer).where((eb) =>
    eb(
      'issuables.id',
      'in',
      eb
        .selectFrom('notes')
        .select('notes.mentioned_by_id')
        .where('notes.issuable_id', '=', issue_id)
        .where('notes.mentioned_by_id', 'is not', null),
    ),
  )
  return pageOf(db, matching, range)
}
