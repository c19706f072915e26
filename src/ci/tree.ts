// A configuration as a tree of values that know where they were written. Trees never change, so that
// aliases, `extends` and references share parts instead of copying them.

/** Where in which file something stands; lines and columns count from 1. */
export type SourceLocation = { file: string; line: number; column: number }

/** A text, number, boolean or nothing. `text` is how it reads where a text is asked for. */
export type Scalar = {
  kind: 'scalar'
  value: string | number | boolean | null
  text: string
  at: SourceLocation
}
export type List = { kind: 'list'; items: readonly Tree[]; at: SourceLocation; size: TreeSize }
/** `isName` is whether the key is a text; the others are written like one. */
export type DictEntry = { at: SourceLocation; isName: boolean; value: Tree }
export type Dict = {
  kind: 'dict'
  entries: ReadonlyMap<string, DictEntry>
  at: SourceLocation
  size: TreeSize
}
/** What `!reference` stands before, until it is resolved. */
export type Reference = { kind: 'reference'; path: Tree; at: SourceLocation }
export type Tree = Scalar | List | Dict | Reference

/**
 * What a tree amounts to with every shared part counted each time it occurs: this is how a few lines of
 * aliases become known as the millions of values they stand for, without walking them.
 */
export type TreeSize = { characters: number; depth: number }

/** Of a value beside its text, so that empty ones are not free. */
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

/** The value under a key of a tree; undefined where there is none or it is no dict. */
export function childOfDict(tree: Tree | undefined, key: string): Tree | undefined {
  return tree?.kind === 'dict' ? tree.entries.get(key)?.value : undefined
}

export function isNullScalar(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null
}

/** The same as plain values, for what is carried and not looked into. */
export function toPlainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'reference') return toPlainValue(tree.path)
  if (tree.kind === 'list') return tree.items.map(toPlainValue)
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, toPlainValue(value)]))
}

/** What counts the steps that are taken. */
type Counter = { count(steps: number): void }

/** Both, where they are dicts: key by key, the second winning. Anything else: the second. */
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
