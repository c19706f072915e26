// A configuration as a tree of values with their locations. Trees never change, so aliases, `extends` and references
// share parts instead of copying them.

/** A position in a file; lines and columns count from 1. */
export type SourceLocation = { file: string; line: number; column: number }

/** A string, number, boolean or null. `text` is the value as a string, for keywords that take strings. */
export type Scalar = {
  kind: 'scalar'
  value: string | number | boolean | null
  text: string
  at: SourceLocation
}
export type List = { kind: 'list'; items: readonly Tree[]; at: SourceLocation; size: TreeSize }
/** `isName` is whether the key is a string; other keys are converted to one. */
export type DictEntry = { at: SourceLocation; isName: boolean; value: Tree }
export type Dict = {
  kind: 'dict'
  entries: ReadonlyMap<string, DictEntry>
  at: SourceLocation
  size: TreeSize
}
/** The argument of `!reference`, until it is resolved. */
export type Reference = { kind: 'reference'; path: Tree; at: SourceLocation }
export type Tree = Scalar | List | Dict | Reference

/**
 * The size of a tree. A shared part counts each time it occurs, so a few lines of aliases that expand to
 * millions of values are recognized without visiting these.
 */
export type TreeSize = { characters: number; depth: number }

/** The size of a value besides its text, so that empty values count too. */
const value_characters = 8

export function treeSizeOf(tree: Tree): TreeSize {
  if (tree.kind === 'reference') return treeSizeOf(tree.path)
  if (tree.kind !== 'scalar') return tree.size
  return { characters: tree.text.length + value_characters, depth: 0 }
}

export function createScalarNode(
  value: Scalar['value'],
  at: SourceLocation,
  text = String(value ?? ''),
): Scalar {
  return { kind: 'scalar', value, text, at }
}

export function createListNode(items: readonly Tree[], at: SourceLocation): List {
  let characters = value_characters
  let depth = 0
  for (const item of items) {
    const size = treeSizeOf(item)
    characters += size.characters
    depth = Math.max(depth, size.depth)
  }
  return { kind: 'list', items, at, size: { characters, depth: depth + 1 } }
}

export function createDictNode(entries: ReadonlyMap<string, DictEntry>, at: SourceLocation): Dict {
  let characters = value_characters
  let depth = 0
  for (const [key, { value }] of entries) {
    const size = treeSizeOf(value)
    characters += key.length + size.characters
    depth = Math.max(depth, size.depth)
  }
  return { kind: 'dict', entries, at, size: { characters, depth: depth + 1 } }
}

/** Returns the value under a key; undefined if the tree is not a dict or has no such key. */
export function childOfDict(tree: Tree | undefined, key: string): Tree | undefined {
  return tree?.kind === 'dict' ? tree.entries.get(key)?.value : undefined
}

export function isNullScalar(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null
}

/** Returns a tree as plain JavaScript values. */
export function toPlainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'reference') return toPlainValue(tree.path)
  if (tree.kind === 'list') return tree.items.map(toPlainValue)
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, toPlainValue(value)]))
}

/** Counts the steps of a computation. */
type Counter = { count(steps: number): void }

/**
 * Merges two dicts key by key; where both have a key that is not a dict, `over` wins. Returns `over` if either is not a
 * dict.
 */
export function deepMergeTrees(base: Tree, over: Tree, counter: Counter): Tree {
  if (base.kind !== 'dict' || over.kind !== 'dict') return over
  counter.count(base.entries.size + over.entries.size)
  const entries = new Map(base.entries)
  for (const [key, entry] of over.entries) {
    const known = base.entries.get(key)
    const value = known ? deepMergeTrees(known.value, entry.value, counter) : entry.value
    entries.set(key, { ...entry, value })
  }
  return createDictNode(entries, over.at)
}
