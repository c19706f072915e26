import type { SelectQueryBuilder } from 'kysely'
import type { Db, Schema } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'

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

/** Returns the merge requests of a project that contain the commit or were merged by it, newest first. */
export function listMergeRequestsOfCommit(
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
