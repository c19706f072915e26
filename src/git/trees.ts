import { type Oid, oidFrom } from './names.ts'
import type { ObjectReader, TreeEntry } from './objects.ts'
import type { Repository } from './repository.ts'

/**
 * The entry at `path` below the tree `root`, or undefined. `path` is compared with the names as they
 * are stored; it need not be valid for writing.
 */
export async function findEntry(
  objects: ObjectReader,
  repository: Repository,
  root: Oid,
  path: string,
): Promise<TreeEntry | undefined> {
  let tree = root
  let entry: TreeEntry | undefined
  for (const part of path.split('/')) {
    if (entry && entry.mode !== '040000') return undefined
    const entries = await objects.tree(repository, tree)
    entry = entries?.find(({ name }) => name === part)
    if (!entry) return undefined
    tree = oidFrom(entry.oid)
  }
  return entry
}
