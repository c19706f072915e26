import { setImmediate } from 'node:timers/promises'
import { createLruCache } from '../kernel/lru.ts'
import { type Oid, parseGitOid } from './names.ts'
import type { ObjectReader, TreeEntry, TreeEntryMode } from './objects.ts'
import type { Repository } from './repository.ts'

/**
 * Returns the entry at `path` below the tree `root`, or undefined. `path` is compared with the stored names, so it need not
 * be valid for writing.
 */
export async function findTreeEntry(
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
    tree = parseGitOid(entry.oid)
  }
  return entry
}

export type ListedTreeEntry = { oid: Oid; name: string; mode: TreeEntryMode; path: string }

/** The limit of git since 2.45: deeper trees are attacks. */
const depth_max = 2048
/** How many entries are processed before other work gets a turn. */
const turn_entries = 5000

/** The number of entries below a tree, by its object id, so that a tree that was walked through once can be skipped. */
const counts = createLruCache<number>(50_000)

type Level = {
  entries: readonly TreeEntry[]
  at: number
  prefix: string
  key: string
  /** How many entries had been passed when it was opened. */
  began: number
}

/**
 * Yields all entries below a tree in batches, as `git ls-tree -r -t` lists them, folders before their contents, without
 * the first `skip`. Stops after `entries_max` entries, skipped ones included: a few small trees that contain each other
 * can stand for more entries than anybody could read. `path` is the path of the tree itself and prefixes all others.
 */
export async function* walkTree(
  objects: ObjectReader,
  repository: Repository,
  walk: { root: Oid; path: string; entries_max: number; skip?: number },
): AsyncGenerator<ListedTreeEntry[]> {
  const { root, path, entries_max, skip = 0 } = walk
  let count = 0
  let turn = turn_entries
  let isTooDeep = false
  const keyOf = (tree: Oid) => repository.path + tree
  const levelOf = async (tree: Oid, folder: string): Promise<Level> => ({
    entries: (await objects.tree(repository, tree)) ?? [],
    at: 0,
    prefix: folder === '' ? '' : `${folder}/`,
    key: keyOf(tree),
    began: count,
  })
  const levels = [await levelOf(root, path)]
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const run: ListedTreeEntry[] = []
    let folder: ListedTreeEntry | undefined
    while (!folder && level.at < level.entries.length && count < entries_max) {
      const entry = listed(level.entries[level.at++] as TreeEntry, level.prefix)
      if (count >= skip) run.push(entry)
      count++
      if (entry.mode !== '040000') continue
      isTooDeep ||= levels.length >= depth_max
      if (levels.length >= depth_max) continue
      const below = counts.get(keyOf(entry.oid))
      if (below !== undefined && count + below <= Math.min(skip, entries_max)) count += below
      else folder = entry
    }
    if (run.length > 0) yield run
    if (count >= entries_max) return
    // Cached trees are returned immediately, so without this other work would get no turn.
    if (count >= turn) {
      turn = count + turn_entries
      await setImmediate()
    }
    if (folder) levels.push(await levelOf(folder.oid, folder.path))
    else {
      levels.pop()
      // Elsewhere more of it might be told.
      if (!isTooDeep) counts.set(level.key, count - level.began)
    }
  }
}

/** Returns the entries of one tree: folders, then files, then submodules, each in the order of the tree. */
export async function listTree(
  objects: ObjectReader,
  repository: Repository,
  { root, path }: { root: Oid; path: string },
): Promise<ListedTreeEntry[]> {
  const entries = (await objects.tree(repository, root)) ?? []
  const prefix = path === '' ? '' : `${path}/`
  const rank = ({ mode }: TreeEntry) => (mode === '040000' ? 0 : mode === '160000' ? 2 : 1)
  return [0, 1, 2].flatMap((wanted) =>
    entries.filter((entry) => rank(entry) === wanted).map((entry) => listed(entry, prefix)),
  )
}

function listed({ oid, name, mode }: TreeEntry, prefix: string): ListedTreeEntry {
  return { oid, name, mode, path: prefix + name }
}
