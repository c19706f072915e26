// Closes the issues that commits on the default branch and merge requests into it name.

import type { Actor } from '../../../access/actor.ts'
import type { Tier } from '../../../config.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { findIssuable, type Issuable, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { changeIssuable } from '../issuables/change-issuable.ts'
import { listReferencedIssuables } from '../issuables/list-references.ts'
import type { IssuableReference } from '../issuables/text-references.ts'
import { isAutocloseEnabled } from './issue.store.ts'

type Uses = Pick<Instance, 'db' | 'clock'> & {
  actor: Actor
  config: { tier: Tier }
  baseUrl: string
}

/**
 * Returns the referenced issues that the actor can see; none from a project whose settings do not close referenced issues.
 */
export async function findIssuesToClose(
  { db, actor }: Pick<Uses, 'db' | 'actor'>,
  { project, references }: { project: Project; references: readonly IssuableReference[] },
): Promise<Issuable[]> {
  if (references.length === 0 || !(await isAutocloseEnabled(db, project.id))) return []
  return listReferencedIssuables(db, actor, { project, references })
}

/** Closes those of the issues that are open and that the actor may change, in one transaction. */
export async function closeIssues(
  uses: Uses,
  issues: readonly Pick<Issuable, 'id'>[],
): Promise<void> {
  const { db, actor } = uses
  for (const { id } of issues) {
    const found = await findIssuable(db, actor, { id })
    if (found?.issuable.kind !== 'issue' || found.issuable.state !== 'opened') continue
    const place = await findVisibleProject(db, actor, { id: found.issuable.project_id })
    if (!place) continue
    const subject = { ...place.project, ...found }
    const { level } = place
    if (!mayUpdateIssuable({ subject, level, actor })) continue
    await changeIssuable(uses, { subject, level, fields: { state_event: 'close' } })
  }
}
