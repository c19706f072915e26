import type { Insertable, Selectable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import type { Db, VulnerabilityIssueLinkTable } from '../../../db/db.ts'
import { type Issuable, visibleIssuableCondition } from '../../../subjects/issuable.ts'

export type VulnerabilityIssueLink = Selectable<VulnerabilityIssueLinkTable>

/** The links of a vulnerability with their issues, as far as the viewer sees these; the oldest first. */
export async function listIssueLinks(
  db: Db,
  viewer: Viewer,
  vulnerability_id: number,
): Promise<{ link: VulnerabilityIssueLink; issue: Issuable }[]> {
  const links = await db
    .selectFrom('vulnerability_issue_links')
    .selectAll()
    .where('vulnerability_id', '=', vulnerability_id)
    .orderBy('id')
    .execute()
  const issues = await db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .selectAll('issuables')
    .where('issuables.id', 'in', [0, ...links.map(({ issue_id }) => issue_id)])
    .where('projects.state', '=', 'ready')
    .where(visibleIssuableCondition(viewer, 'issue'))
    .execute()
  const byId = new Map(issues.map((row) => [row.id, row]))
  return links.flatMap((link) => {
    const issue = byId.get(link.issue_id)
    return issue ? [{ link, issue }] : []
  })
}

export async function countIssueLinks(tx: Db, vulnerability_id: number): Promise<number> {
  const { count } = await tx
    .selectFrom('vulnerability_issue_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('vulnerability_id', '=', vulnerability_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Inserts a link; returns undefined if the two are linked already. */
export function insertIssueLink(
  tx: Db,
  link: Insertable<VulnerabilityIssueLinkTable>,
): Promise<VulnerabilityIssueLink | undefined> {
  return tx
    .insertInto('vulnerability_issue_links')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteIssueLink(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('vulnerability_issue_links').where('id', '=', id).execute()
}
