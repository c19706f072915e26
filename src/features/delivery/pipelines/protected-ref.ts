import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  isAdmitted,
  listRules,
  rulesFor,
} from '../../repository/protected-branches/protected-branch.ts'

import { listTagRules, mayCreateTag } from '../../repository/protected-tags/protected-tag.ts'

/** Whether what protects the branch or tag of a job or pipeline, as it is now, lets the caller change it. */
export async function mayMoveOn(
  { db, subject, actor, level }: { db: Db; subject: Project; actor: Actor; level: number },
  of: { ref: string; tag: boolean },
): Promise<boolean> {
  if (of.tag)
    return mayCreateTag(await listTagRules(db, subject.id, actor), of.ref, { actor, level })
  const matching = rulesFor(await listRules(db, subject.id, actor), of.ref)
  const caller = { actor, level }
  return (
    matching.length === 0 ||
    isAdmitted(matching, 'push', caller) ||
    isAdmitted(matching, 'merge', caller)
  )
}
