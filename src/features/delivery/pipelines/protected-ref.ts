import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  isAdmitted,
  listRules,
  rulesFor,
} from '../../repository/protected-branches/protected-branch.ts'

/** Whether what protects the branch of a job or pipeline, as it is now, lets the caller change it. */
export async function mayMoveOn(
  { db, subject, actor, level }: { db: Db; subject: Project; actor: Actor; level: number },
  of: { ref: string; tag: boolean },
): Promise<boolean> {
  if (of.tag) return true
  const matching = rulesFor(await listRules(db, subject.id, actor), of.ref)
  const caller = { actor, level }
  return (
    matching.length === 0 ||
    isAdmitted(matching, 'push', caller) ||
    isAdmitted(matching, 'merge', caller)
  )
}
