// Does what `git lfs clean` does in a working copy for contents sent by the API: a file with the LFS attribute is stored
// as an object, and a pointer to it is committed (docs/api/repository.md, "Files").

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { findGitAttribute, type GitAttributesFile } from '../../../git/git-attributes.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Project } from '../../../subjects/project.ts'
import { missingLfsObjectsText } from './check-pointers.ts'
import { findLfsObject, markProjectUsesLfs } from './lfs.ts'
import { formatLfsPointer, parseLfsPointer } from './lfs-pointer.ts'
import { storeLfsObject } from './store-object.ts'

const gitAttributesName = '.gitattributes'

/** A file to commit. */
export type FileToCommit = {
  path: string
  content: Buffer
  /** Returns the attribute file at the path in the commit; undefined if the commit has no such file. */
  gitAttributesAt: (path: string) => Promise<GitAttributesFile | undefined>
}

/**
 * Returns what to commit at the path: the content itself, or a pointer to the LFS object that was created from it. Throws
 * 400 if the content is a pointer to an object that the project does not have.
 */
export async function applyLfsCleanFilter(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  project: Project,
  file: FileToCommit,
): Promise<Buffer> {
  const { path, content } = file
  const isAttributes = path.split('/').at(-1) === gitAttributesName
  if (isAttributes && !project.uses_lfs && content.includes('filter=lfs')) {
    await markProjectUsesLfs(uses.db, project.id)
  }
  if (!project.lfs_enabled) return content
  const pointer = parseLfsPointer(content)
  if (pointer) {
    const own = await findLfsObject(uses.db, { project_id: project.id, oid: pointer.oid })
    if (!own) throw invalid(missingLfsObjectsText)
    return content
  }
  // git-lfs stores empty files unchanged. Attribute files are never replaced by pointers, since git could not
  // read them then.
  if (content.length === 0 || isAttributes || !(await isForLfs(file))) return content
  const object = { oid: hash('sha256', content), size: content.length }
  const own = await findLfsObject(uses.db, { project_id: project.id, oid: object.oid })
  if (!own) {
    await storeLfsObject(uses, project, { ...object, stream: Readable.from([content]) })
  }
  return formatLfsPointer(object)
}

async function isForLfs({ path, gitAttributesAt }: FileToCommit): Promise<boolean> {
  const folders = path.split('/').slice(0, -1)
  const files: { folder: string; file: GitAttributesFile }[] = []
  for (let depth = 0; depth <= folders.length; depth++) {
    const folder = folders.slice(0, depth).join('/')
    const file = await gitAttributesAt(
      folder === '' ? gitAttributesName : `${folder}/${gitAttributesName}`,
    )
    if (file) files.push({ folder, file })
  }
  if (files.length === 0) return false
  // Matching thousands of files against thousands of lines takes long, so other requests can run in between.
  await setImmediate()
  return findGitAttribute(files, path, 'filter') === 'lfs'
}
