// Merge requests that have to do with an issue.
import type { Viewer } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { type Issuable, visibleIssuable } from '../../../subjects/issuable.ts'

type Page = { offset: number; per_page: number }
type Listed = { rows: Issuable[]; total: number | undefined }

/** One page of the merge requests of the project that would close the issue. */
export async function listClosing(
  db: Db,
  viewer: Viewer,
  { issue, range: { offset, per_page } }: { issue: Issuable; range: Page },
): Promise<Listed> {
  const matching = db
    .selectFrom('issuables')
    .innerJoin('closing_issues', 'closing_issues.merge_request_id', 'issuables.id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('closing_issues.issue_id', '=', issue.id)
    .where('issuables.project_id', '=', issue.project_id)
    .where((eb) => visibleIssuable(viewer, 'merge_request')(eb as never))
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** One page of the merge requests that mention the issue or would close it. */
export async function listRelated(
  db: Db,
  viewer: Viewer,
  { issue, range: { offset, per_page } }: { issue: Issuable; range: Page },
): Promise<Listed> {
  const matching = db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('issuables.kind', '=', 'merge_request')
    .where((eb) =>
      eb(
        'issuables.id',
        'in',
        db
          .selectFrom('notes')
          .select((inner) => inner.ref('notes.mentioned_by_id').$notNull().as('id'))
          .where('notes.issuable_id', '=', issue.id)
          .where('notes.mentioned_by_id', 'is not', null)
          .union(
            db
              .selectFrom('closing_issues')
              .select('closing_issues.merge_request_id as id')
              .where('closing_issues.issue_id', '=', issue.id),
          ),
      ),
    )
    .where((eb) => visibleIssuable(viewer, 'merge_request')(eb as never))
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}
