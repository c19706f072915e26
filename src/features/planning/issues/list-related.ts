// Lists merge requests that are related to an issue.
import type { Viewer } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { type Issuable, visibleIssuableCondition } from '../../../subjects/issuable.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'

type Asked = { issue: Issuable; range: { offset: number; per_page: number } }
type Listed = { rows: Issuable[]; total: number | undefined }

const closing = (db: Db, issue: Issuable) =>
  db
    .selectFrom('closing_issues')
    .select('closing_issues.merge_request_id as id')
    .where('closing_issues.issue_id', '=', issue.id)

/** Selects the merge requests that the viewer can see. */
function visibleRequests(db: Db, viewer: Viewer) {
  return db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('issuables.kind', '=', 'merge_request')
    .where('projects.state', '=', 'ready')
    .where(visibleIssuableCondition(viewer, 'merge_request'))
}

async function pageOf(
  db: Db,
  matching: ReturnType<typeof visibleRequests>,
  { offset, per_page }: Asked['range'],
): Promise<Listed> {
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** Returns one page of the merge requests of the project that would close the issue. */
export function listClosingMergeRequests(
  db: Db,
  { actor }: NoteReader,
  { issue, range }: Asked,
): Promise<Listed> {
  const matching = visibleRequests(db, actor)
    .where('issuables.project_id', '=', issue.project_id)
    .where('issuables.id', 'in', closing(db, issue))
  return pageOf(db, matching, range)
}

/** Returns one page of the merge requests that would close the issue or mention it, if the reader can see where. */
export function listRelatedMergeRequests(
  db: Db,
  reader: NoteReader,
  { issue, range }: Asked,
): Promise<Listed> {
  const mentioning = db
    .selectFrom('notes')
    .where('notes.issuable_id', '=', issue.id)
    .where(visibleNotesCondition(db, reader))
    .select((eb) => eb.ref('notes.mentioned_by_id').$notNull().as('id'))
    .where('notes.mentioned_by_id', 'is not', null)
  const matching = visibleRequests(db, reader.actor).where(
    'issuables.id',
    'in',
    mentioning.union(closing(db, issue)),
  )
  return pageOf(db, matching, range)
}
