import { sql } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { hasProjectLevelCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { visibleIssuableCondition } from '../../../subjects/issuable.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'
import {
  type Milestone,
  milestoneFromRow,
  milestonesWithOwnersQuery,
} from '../../planning/milestones/milestone.ts'
import { joinNoteUsers, type NoteWithUsers, noteWithUsersFromRow } from '../../review/notes/note.ts'

type Range = { offset: number; per_page: number }

/** Members of a group and the groups above it, and of a project in it if one is named. */
export type MemberScope = { namespace_id: number; project_id?: number; today: string }

/**
 * Returns one page of the members whose name or username contains the text. Members of invited groups are omitted, since
 * not everyone who sees the project may see these groups.
 */
export async function searchMembers(
  db: Db,
  { namespace_id, project_id = 0, today }: MemberScope,
  search: string,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const members = sql<boolean>`users.id in (
    select members.user_id from members
    where (members.expires_at is null or members.expires_at > ${today})
      and (members.project_id = ${project_id} or members.namespace_id in (
        select ancestor_id from namespace_ancestors where namespace_id = ${namespace_id})))`
  const matching = db
    .selectFrom('users')
    .where(members)
    .where(containsTextCondition(db, ['users.name', 'users.username'], search))
  const rows = await matching
    .selectAll('users')
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}

/** Returns one page of the milestones of visible projects whose title or description contains the text, newest first. */
export async function searchMilestones(
  db: Db,
  viewer: Viewer,
  { project_id, group_id, text }: { project_id?: number; group_id?: number; text: string },
  { offset, per_page }: Range,
): Promise<{ rows: Milestone[]; total: number | undefined }> {
  const places = db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.state', '=', 'ready')
    .where(visibleProjectCondition(viewer))
    .where((eb) =>
      eb.or(
        (['projects.issues_access_level', 'projects.merge_requests_access_level'] as const).flatMap(
          (access) => [
            eb(access, '=', 'enabled'),
            eb.and([eb(access, '=', 'private'), hasProjectLevelCondition(eb, viewer, Level.guest)]),
          ],
        ),
      ),
    )
    .$if(project_id !== undefined, (query) => query.where('projects.id', '=', project_id ?? 0))
    .$if(group_id !== undefined, (query) =>
      query.where('projects.namespace_id', 'in', groupAndDescendantIdsQuery(db, group_id ?? 0)),
    )
  const matching = db
    .selectFrom('milestones')
    .select('milestones.id')
    .where('milestones.project_id', 'in', places)
    .where(containsTextCondition(db, ['milestones.title', 'milestones.description'], text))
  const rows = await milestonesWithOwnersQuery(db)
    .where('milestones.id', 'in', matching)
    .orderBy('milestones.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows: rows.map(milestoneFromRow), total: await countRows(db, matching) }
}

/** Returns one page of the user notes of a project that contain the text and that the reader can see, newest first. */
export async function searchNotes(
  db: Db,
  reader: NoteReader,
  { project_id, text }: { project_id: number; text: string },
  { offset, per_page }: Range,
): Promise<{ rows: NoteWithUsers[]; total: number | undefined }> {
  const things = db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .select('issuables.id')
    .where('issuables.project_id', '=', project_id)
    .where((eb) =>
      eb.or(
        (['issue', 'merge_request'] as const).map((kind) =>
          eb.and([
            eb('issuables.kind', '=', kind),
            visibleIssuableCondition(reader.actor, kind)(eb),
          ]),
        ),
      ),
    )
  const matching = db
    .selectFrom('notes')
    .where('notes.project_id', '=', project_id)
    .where('notes.system', '=', false)
    .where('notes.issuable_id', 'in', things)
    .where(containsTextCondition(db, 'notes.body', text))
    .where(visibleNotesCondition(db, reader))
  const rows = await joinNoteUsers(matching)
    .orderBy('notes.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: rows.map((row) => noteWithUsersFromRow(row)),
    total: await countRows(db, matching.select('notes.id')),
  }
}
