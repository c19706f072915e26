import type { Selectable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import type { Db, IssueLinkTable } from '../../../db/db.ts'
import { type Issuable, visibleIssuableCondition } from '../../../subjects/issuable.ts'

export type IssueLink = Selectable<IssueLinkTable>

/** The maximum number of links of an issue that are listed, since the list has no pages. */
const listed_links_max = 1000

/** Returns the links of an issue with the issues on the other side, as far as the viewer can see them. */
export async function listIssueLinks(
  db: Db,
  viewer: Viewer,
  issue_id: number,
): Promise<{ link: IssueLink; other: Issuable }[]> {
  const links = await db
    .selectFrom('issue_links')
    .selectAll()
    .where((eb) => eb.or([eb('source_id', '=', issue_id), eb('target_id', '=', issue_id)]))
    .orderBy('id')
    .limit(listed_links_max)
    .execute()
  const otherOf = ({ source_id, target_id }: IssueLink) =>
    source_id === issue_id ? target_id : source_id
  const others = await db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .selectAll('issuables')
    .where('issuables.id', 'in', [0, ...links.map(otherOf)])
    .where('projects.state', '=', 'ready')
    .where(visibleIssuableCondition(viewer, 'issue'))
    .execute()
  const byId = new Map(others.map((row) => [row.id, row]))
  return links.flatMap((link) => {
    const other = byId.get(otherOf(link))
    return other ? [{ link, other }] : []
  })
}

/** Inserts a link; returns undefined if the two are already linked in either direction. */
export function insertIssueLink(
  tx: Db,
  link: Omit<IssueLink, 'id'>,
): Promise<IssueLink | undefined> {
  return tx
    .insertInto('issue_links')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findIssueLink(
  db: Db,
  { issue_id, id }: { issue_id: number; id: number },
): Promise<IssueLink | undefined> {
  return db
    .selectFrom('issue_links')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => eb.or([eb('source_id', '=', issue_id), eb('target_id', '=', issue_id)]))
    .executeTakeFirst()
}

export async function deleteIssueLink(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('issue_links').where('id', '=', id).execute()
}
