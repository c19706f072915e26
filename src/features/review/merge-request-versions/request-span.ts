// The commits of a merge request for downloads as a diff or patch.
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { CommitSpan } from '../../../git/patch-stream.ts'
import { findIssuable, mayReadIssuable } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { findNewestVersion, loadRequestOfIssuable } from '../merge-requests/merge-request.ts'

/**
 * Returns the range of the newest version: for a diff from the merge base, for patches the commits that the target did not
 * have. Returns undefined if the caller may not read the merge request, or if a branch never existed.
 */
export async function findRequestCommitRange(
  db: Db,
  {
    project,
    level,
    actor,
    iid,
    format,
  }: { project: Project; level: number; actor: Actor; iid: number; format: 'diff' | 'patch' },
): Promise<CommitSpan | undefined> {
  const by = { project_id: project.id, kind: 'merge_request', iid } as const
  const found = await findIssuable(db, actor, by)
  if (!found || !mayReadIssuable({ subject: { ...project, ...found }, level, actor }))
    return undefined
  const whole = await loadRequestOfIssuable(db, found.issuable)
  const version = whole && (await findNewestVersion(db, whole.request))
  if (!version) return undefined
  const from = format === 'diff' ? version.base_sha : version.start_sha
  return { from: (from ?? undefined) as Oid | undefined, to: version.head_sha as Oid }
}
