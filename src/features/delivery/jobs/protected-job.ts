import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  isAdmitted,
  listRules,
  rulesFor,
} from '../../repository/protected-branches/protected-branch.ts'
import type { Job } from '../pipelines/job.ts'

/** Whether what protects the branch of a job, as it is now, lets the caller change the job. */
export async function mayMoveOn(
  { db, subject, actor, level }: { db: Db; subject: Project; actor: Actor; level: number },
  job: Pick<Job, 'ref' | 'tag'>,
): Promise<boolean> {
  if (job.tag) return true
  const matching = rulesFor(await listRules(db, subject.id, actor), job.ref)
  const caller = { actor, level }
  return (
    matching.length === 0 ||
    isAdmitted(matching, 'push', caller) ||
    isAdmitted(matching, 'merge', caller)
  )
}
