// A tree that is changed in memory: folders are loaded when they are first needed, and only changed ones are written.
// There is no working copy, so a symlink in the repository leads nowhere.
import type { Oid, TreePath } from './names.ts'
import { emptyTreeOid } from './names.ts'
import type { ObjectReader, TreeEntryMode } from './objects.ts'
import type { Repository } from './repository.ts'
import { type NewObject, newTree } from './write.ts'

type File = { kind: 'file'; mode: TreeEntryMode; oid: Oid }
type Folder = { kind: 'folder'; oid: Oid | undefined; entries: Map<string, Node> | undefined }
type Node = File | Folder

/** Names are kept as latin1 texts of their bytes, so that those that are no UTF-8 survive. */
const toKey = (name: string) => Buffer.from(name).toString('latin1')

export class TreeEdit {
  readonly #objects: ObjectReader
  readonly #repository: Repository
  readonly #root: Folder

  constructor(objects: ObjectReader, repository: Repository, root: Oid | undefined) {
    this.#objects = objects
    this.#repository = repository
    this.#root = {
      kind: 'folder',
      oid: root === emptyTreeOid ? undefined : root,
      entries: undefined,
    }
  }

  /** What stands at `path` now: a file with its mode, a folder, or nothing. */
  async find(
    path: TreePath,
  ): Promise<{ kind: 'file'; mode: TreeEntryMode; oid: Oid } | { kind: 'folder' } | undefined> {
    let node: Node = this.#root
    for (const part of path.split('/')) {
      if (node.kind === 'file') return undefined
      const next: Node | undefined = (await this.#entries(node)).get(toKey(part))
      if (!next) return undefined
      node = next
    }
    return node.kind === 'file' ? node : { kind: 'folder' }
  }

  /** Whether a file stands where `path` needs a folder. */
  async isBelowFile(path: TreePath): Promise<boolean> {
    const parts = path.split('/')
    for (let length = 1; length < parts.length; length++) {
      const found = await this.find(parts.slice(0, length).join('/') as TreePath)
      if (!found) return false
      if (found.kind === 'file') return true
    }
    return false
  }

  /** Puts a file at `path`, making the folders above it. */
  async put(path: TreePath, file: { mode: TreeEntryMode; oid: Oid }): Promise<void> {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    let folder = this.#root
    for (const part of parts) {
      const entries = await this.#entries(folder)
      folder.oid = undefined
      let next = entries.get(toKey(part))
      if (next?.kind !== 'folder') {
        next = { kind: 'folder', oid: undefined, entries: new Map() }
        entries.set(toKey(part), next)
      }
      folder = next
    }
    const entries = await this.#entries(folder)
    folder.oid = undefined
    entries.set(toKey(name), { kind: 'file', ...file })
  }

  /** Removes the file at `path`; folders that become empty vanish when the tree is written. */
  async remove(path: TreePath): Promise<void> {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    let folder = this.#root
    for (const part of parts) {
      const next = (await this.#entries(folder)).get(toKey(part))
      if (next?.kind !== 'folder') return
      folder.oid = undefined
      folder = next
    }
    if ((await this.#entries(folder)).delete(toKey(name))) folder.oid = undefined
    this.#root.oid = undefined
  }

  /** The changed trees, the root last; all are needed to store the result. */
  build(): { root: Oid; trees: NewObject[] } {
    const trees: NewObject[] = []
    const root = build(this.#root, trees)
    if (root) return { root, trees }
    const empty = newTree([])
    return { root: empty.oid, trees: [empty] }
  }

  async #entries(folder: Folder): Promise<Map<string, Node>> {
    if (folder.entries) return folder.entries
    const entries = new Map<string, Node>()
    for (const { mode, oid, raw } of (folder.oid && (await this.#load(folder.oid))) || []) {
      const node: Node =
        mode === '040000'
          ? { kind: 'folder', oid, entries: undefined }
          : { kind: 'file', mode, oid }
      entries.set(raw.toString('latin1'), node)
    }
    folder.entries = entries
    return entries
  }

  async #load(oid: Oid) {
    const entries = await this.#objects.tree(this.#repository, oid)
    if (!entries) throw new Error(`Tree ${oid} not found in ${this.#repository.path}.`)
    return entries
  }
}

/** The folder's name once written, or undefined when it is empty. */
function build(folder: Folder, trees: NewObject[]): Oid | undefined {
  if (folder.oid) return folder.oid
  const entries: Parameters<typeof newTree>[0][number][] = []
  for (const [key, node] of folder.entries ?? []) {
    const name = Buffer.from(key, 'latin1')
    if (node.kind === 'file') entries.push({ mode: node.mode, name, oid: node.oid })
    else {
      const oid = build(node, trees)
      if (oid) entries.push({ mode: '040000', name, oid })
    }
  }
  if (entries.length === 0) return undefined
  const tree = newTree(entries)
  trees.push(tree)
  return tree.oid
}
