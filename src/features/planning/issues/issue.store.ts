import type { Db } from '../../../db/db.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { generateDiscussionId } from '../issuables/issuable.ts'

/** Returns the titles of an issue's labels and milestone. */
export async function findLabelAndMilestoneTitles(
  db: Db,
  issue: Issuable,
): Promise<{ labels: string[]; milestone: string | undefined }> {
  const labels = await db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .select('labels.title')
    .where('issuable_labels.issuable_id', '=', issue.id)
    .execute()
  const milestone = await db
    .selectFrom('milestones')
    .select('title')
    .where('id', '=', issue.milestone_id ?? 0)
    .executeTakeFirst()
  return { labels: labels.map(({ title }) => title), milestone: milestone?.title }
}

/** Copies notes and awards of an issue to its copy, with new ids. */
export async function copyIssueNotes(
  tx: Db,
  { from, to }: { from: Issuable; to: Issuable },
): Promise<void> {
  const notes = await tx
    .selectFrom('notes')
    .selectAll()
    .where('issuable_id', '=', from.id)
    .where('mentioned_by_id', 'is', null)
    .where('mentioned_by_commit', 'is', null)
    .orderBy('id')
    .execute()
  const threads = new Map<string, string>()
  const copies = notes.map(({ id: _, position, original_position, ...note }) => {
    const discussion_id = threads.get(note.discussion_id) ?? generateDiscussionId()
    threads.set(note.discussion_id, discussion_id)
    return { ...note, discussion_id, issuable_id: to.id, project_id: to.project_id }
  })
  for (const some of splitIntoBatches(copies, rows_a_statement)) {
    await tx.insertInto('notes').values(some).execute()
  }
  const written = notes.filter(({ system }) => !system).length
  await tx.updateTable('issuables').set({ notes_count: written }).where('id', '=', to.id).execute()
}

const rows_a_statement = 200

export async function copyIssueAwards(
  tx: Db,
  { from, to }: { from: Issuable; to: Issuable },
): Promise<void> {
  await tx
    .insertInto('award_emojis')
    .columns(['issuable_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('award_emojis as old')
        .select([
          eb.val(to.id).as('issuable_id'),
          'old.user_id',
          'old.name',
          'old.created_at',
          'old.updated_at',
        ])
        .where('old.issuable_id', '=', from.id),
    )
    .execute()
  const { upvotes, downvotes } = from
  await tx.updateTable('issuables').set({ upvotes, downvotes }).where('id', '=', to.id).execute()
}

export async function updateMovedToIssue(
  tx: Db,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.updateTable('issuables').set({ moved_to_id: to }).where('id', '=', from).execute()
}

/** Returns the issues of a project with these ids. */
export function findIssuesOfProject(
  db: Db,
  { project_id, ids }: { project_id: number; ids: readonly number[] },
): Promise<Issuable[]> {
  return db
    .selectFrom('issuables')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('kind', '=', 'issue')
    .where('id', 'in', [...ids, 0])
    .execute()
}

export async function setRelativePosition(tx: Db, id: number, position: number): Promise<void> {
  await tx.updateTable('issuables').set({ position }).where('id', '=', id).execute()
}

/** Whether commits and merge requests close the issues they reference in the project. */
export async function isAutocloseEnabled(db: Db, project_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select('autoclose_referenced_issues')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return Boolean(row?.autoclose_referenced_issues)
}
