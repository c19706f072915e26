// Whether a push changes files that another user has locked.
import type { Db } from '../../../db/db.ts'
import type { Git } from '../../../git/command.ts'
import { zeroOid } from '../../../git/names.ts'
import type { Quarantine } from '../../../git/quarantine.ts'
import type { Repository } from '../../../git/repository.ts'
import { listTouchedPaths } from '../../../git/touched-paths.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import type { Project } from '../../../subjects/project.ts'
import { listLfsLocksOfOthers } from './lfs-lock.store.ts'

/**
 * Returns the reason to refuse a push whose new commits change a path that another user has locked. Costs a query, and one
 * process if others have locks in the project.
 */
export async function findLfsLockPushRefusal(push: {
  db: Db
  git: Git
  repository: Repository
  project: Project
  user_id: number | undefined
  quarantine: Quarantine | undefined
  updates: readonly RefUpdate[]
}): Promise<string | undefined> {
  const { db, git, repository, project, user_id, quarantine, updates } = push
  if (!project.lfs_enabled) return undefined
  const locks = await listLfsLocksOfOthers(db, { project_id: project.id, user_id: user_id ?? 0 })
  if (locks.length === 0) return undefined
  const tips = updates.map(({ newOid }) => newOid).filter((oid) => oid !== zeroOid)
  const paths = locks.map(({ path }) => path)
  const [path] = await listTouchedPaths(git, repository, { quarantine, tips, paths })
  const lock = locks.find((one) => one.path === path)
  return lock && `The path '${lock.path}' is locked in Git LFS by ${lock.owner_name}`
}
