import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Namespace } from '../../../subjects/namespace.ts'
import type { Project } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { copyLfsObjectLinks } from '../lfs/lfs.ts'
import { maintainProjectTask } from '../maintenance/maintenance.tasks.ts'
import { protectDefaultBranch } from '../protected-branches/protected-branch.ts'

/**
 * Links the LFS objects of a copied project, protects its default branch and enqueues its maintenance, in the
 * transaction of the copy.
 */
export async function finishProjectCopy({
  tx,
  clock,
  id,
  default_branch,
  namespace,
  source,
}: {
  tx: Db
  clock: Clock
  id: number
  default_branch: string
  namespace: Namespace
  source: Project
}): Promise<void> {
  const now = timestamp(clock)
  await copyLfsObjectLinks(tx, { from: source.id, to: id, now })
  await protectDefaultBranch(tx, {
    project_id: id,
    name: default_branch,
    protection: namespace.default_branch_protection,
    now,
  })
  const task = { task: maintainProjectTask, key: String(id), payload: { project_id: id } }
  await enqueue(tx, clock, task)
}
