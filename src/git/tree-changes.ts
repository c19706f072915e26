import { setImmediate } from 'node:timers/promises'
import type { Oid } from './names.ts'
import type { ObjectReader, TreeEntry } from './objects.ts'
import type { Repository } from './repository.ts'

/** A folder in two commits; undefined where a commit has no folder of that path. */
type FolderPair = { from: Oid | undefined; to: Oid | undefined; prefix: string }

/**
 * Returns false if no wanted file was added, removed or changed between two commits. Returns true if one was, and also if more
 * than `folders_max` folders differ or a commit or a folder cannot be read. Reads only the folders that differ, and starts no
 * process for those that are cached, as after a commit by the API.
 */
export async function mayHaveChangedFiles(
  objects: ObjectReader,
  repository: Repository,
  between: {
    from: Oid
    to: Oid
    isWanted: (path: string) => boolean
    folders_max: number
  },
): Promise<boolean> {
  const { isWanted, folders_max } = between
  const [from, to] = await Promise.all([
    objects.commit(repository, between.from),
    objects.commit(repository, between.to),
  ])
  if (!from || !to) return true
  const pairs: FolderPair[] = [{ from: from.tree, to: to.tree, prefix: '' }]
  let folders = 0
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    if (pair.from === pair.to) continue
    if (++folders > folders_max) return true
    const [before, after] = await Promise.all(
      [pair.from, pair.to].map((oid) => (oid ? objects.tree(repository, oid) : [])),
    )
    if (!before || !after) return true
    for (const { name, from: old, to: now } of listDifferences(before, after)) {
      const path = pair.prefix + name
      if ([old, now].some((entry) => entry && !isFolder(entry)) && isWanted(path)) return true
      const [from, to] = [folderOid(old), folderOid(now)]
      if (from ?? to) pairs.push({ from, to, prefix: `${path}/` })
    }
    // Cached folders are returned immediately, so without this other work would get no turn.
    await setImmediate()
  }
  return false
}

type Difference = { name: string; from: TreeEntry | undefined; to: TreeEntry | undefined }

/** The entries that only one of two versions of a folder has, or that differ in content or mode. */
function listDifferences(before: readonly TreeEntry[], after: readonly TreeEntry[]): Difference[] {
  const old = new Map(before.map((entry) => [entry.name, entry]))
  const differences: Difference[] = []
  for (const to of after) {
    const from = old.get(to.name)
    old.delete(to.name)
    if (from?.oid !== to.oid || from.mode !== to.mode) differences.push({ name: to.name, from, to })
  }
  for (const from of old.values()) differences.push({ name: from.name, from, to: undefined })
  return differences
}

const isFolder = ({ mode }: TreeEntry) => mode === '040000'
const folderOid = (entry: TreeEntry | undefined) =>
  entry && isFolder(entry) ? entry.oid : undefined
