// Whether a push contains pointers to objects that the project does not have
// (docs/api/git-access.md, "Messages for pushes").

import type { Db } from '../../../db/db.ts'
import type { Git } from '../../../git/command.ts'
import type { Oid } from '../../../git/names.ts'
import { listPushedBlobs, readPushedBlobs } from '../../../git/pushed-blobs.ts'
import type { Quarantine } from '../../../git/quarantine.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { Project } from '../../../subjects/project.ts'
import { filterProjectLfsOids, markProjectUsesLfs } from './lfs.ts'
import { parseLfsPointer } from './lfs-pointer.ts'

/** The sizes of pointers: the shortest has a size of one digit, the longest has no extensions. */
const pointer_bytes = { bytes_min: 120, bytes_max: 200 }
const blobs_a_read = 20_000
const attributes_files_max = 100

export const missingLfsObjectsText =
  'LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'

export type LfsPushCheckInput = {
  db: Db
  git: Git
  repository: Repository
  project: Project
  quarantine: Quarantine | undefined
  /** The attribute files that the push contains. */
  gitAttributes: readonly Oid[]
}

/**
 * Whether LFS objects are missing. Pushes are checked once the project has received attributes with `filter=lfs` or an LFS
 * object. Until then a push costs nothing; from then on one process, and another one if it contains blobs of a pointer's
 * size.
 */
export async function hasMissingLfsObjects(push: LfsPushCheckInput): Promise<boolean> {
  const { db, git, repository, project, quarantine } = push
  if (!quarantine || !(project.uses_lfs || (await beginsLfs(push, quarantine)))) return false
  if (!project.lfs_enabled) return false
  const oids = await listPushedBlobs(git, repository, { quarantine, ...pointer_bytes })
  for (const some of splitIntoBatches(oids, blobs_a_read)) {
    const contents = await readPushedBlobs(git, repository, { quarantine, oids: some })
    const wanted = new Set(contents.flatMap((content) => parseLfsPointer(content)?.oid ?? []))
    const own = await filterProjectLfsOids(db, project.id, [...wanted])
    if (own.size < wanted.size) return true
  }
  return false
}

/**
 * Returns whether the push contains attribute files with `filter=lfs`. If so, later pushes to the project are
 * checked too.
 */
async function beginsLfs(
  { db, git, repository, project, gitAttributes }: LfsPushCheckInput,
  quarantine: Quarantine,
): Promise<boolean> {
  if (gitAttributes.length === 0) return false
  const small = new Set(
    await listPushedBlobs(git, repository, {
      quarantine,
      bytes_min: 1,
      bytes_max: limits.git_attributes_bytes,
    }),
  )
  const oids = gitAttributes.filter((oid) => small.has(oid)).slice(0, attributes_files_max)
  const contents = await readPushedBlobs(git, repository, { quarantine, oids })
  if (!contents.some((content) => content.includes('filter=lfs'))) return false
  await markProjectUsesLfs(db, project.id)
  return true
}
