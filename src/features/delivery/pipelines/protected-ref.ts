import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import {
  listTagProtectionRules,
  mayCreateTag,
} from '../../repository/protected-tags/protected-tag.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { getPipeline } from './pipeline.ts'
import { sourceRefOfPipeline } from './pipeline-variables.ts'

type Moved = { ref: string; tag: boolean } & (
  | Pick<Pipeline, 'event_variables'>
  | Pick<Job, 'pipeline_id'>
)

/** Whether the protection of the job's or pipeline's branch or tag, as it is now, allows the caller to act on it. */
export async function mayActOnProtectedRef(
  { db, subject, actor, level }: { db: Db; subject: Project; actor: Actor; level: number },
  of: Moved,
): Promise<boolean> {
  if (of.tag)
    return mayCreateTag(await listTagProtectionRules(db, subject.id, actor), of.ref, {
      actor,
      level,
    })
  const matching = rulesMatchingBranch(
    await listBranchProtectionRules(db, subject.id, actor),
    await branchOf(db, of),
  )
  const caller = { actor, level }
  return (
    matching.length === 0 ||
    isAllowedByProtectionRules(matching, 'push', caller) ||
    isAllowedByProtectionRules(matching, 'merge', caller)
  )
}

/** Returns the branch that decides about protection: for a merge request, its source branch. */
async function branchOf(db: Db, of: Moved): Promise<string> {
  const isForRequest = of.ref.startsWith('refs/')
  if (!isForRequest) return of.ref
  return sourceRefOfPipeline('pipeline_id' in of ? await getPipeline(db, of.pipeline_id) : of)
}
