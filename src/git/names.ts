// Branded strings: a value of these types has been validated, so it may be part of a git command.
declare const brand: unique symbol

/** A full object name: 40 lower-case hex digits (SHA-1). */
export type Oid = string & { readonly [brand]: 'oid' }
/** A full reference name that git accepts: `refs/heads/main`. */
export type RefName = string & { readonly [brand]: 'ref' }
/** A path inside a tree: no leading slash, no empty, `.`, `..` or `.git` part. */
export type TreePath = string & { readonly [brand]: 'path' }

export const zeroOid = '0'.repeat(40) as Oid
/** The tree without entries; every git knows it without storing it. */
export const emptyTreeOid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as Oid

export function asOid(text: string): Oid | undefined {
  return /^[0-9a-f]{40}$/.test(text) ? (text as Oid) : undefined
}

/** Whether the text is a full object name. It is then never looked up as a reference. */
export function isOid(text: string | undefined): text is Oid {
  return text !== undefined && asOid(text) !== undefined
}

/** Converts an object name that git printed. */
export function parseGitOid(text: string): Oid {
  const oid = asOid(text)
  if (!oid) throw new Error(`git printed an invalid object name: ${text.slice(0, 80)}`)
  return oid
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const forbiddenInRef = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/

/** The longest file name that file systems allow, minus the `.lock` that git appends. */
const part_bytes_max = 250

/** The rules of git-check-ref-format(1) for what follows `refs/`, `refs/heads/` or `refs/tags/`. */
function isRefSuffix(text: string): boolean {
  if (text === '' || Buffer.byteLength(text) > 1024 || forbiddenInRef.test(text)) return false
  const parts = text.split('/')
  if (text.length * 3 > part_bytes_max && parts.some(isTooLong)) return false
  return parts.every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

function isTooLong(part: string): boolean {
  return Buffer.byteLength(part) > part_bytes_max
}

/** Returns the reference of a branch; undefined if git would not accept the name. */
export function branchRef(name: string): RefName | undefined {
  if (!isRefSuffix(name) || name.startsWith('-') || name === 'HEAD') return undefined
  return `refs/heads/${name}` as RefName
}

/**
 * As `branchRef`, for a branch that is to be created. git allows branches that are named like a full reference, but its
 * commands would take the name for the full reference.
 */
export function newBranchRef(name: string): RefName | undefined {
  return name.startsWith('refs/') ? undefined : branchRef(name)
}

export function tagRef(name: string): RefName | undefined {
  return isRefSuffix(name) && !name.startsWith('-') ? (`refs/tags/${name}` as RefName) : undefined
}

/** As `newBranchRef`, for a tag. */
export function newTagRef(name: string): RefName | undefined {
  return name.startsWith('refs/') ? undefined : tagRef(name)
}

/**
 * Returns a full reference name as sent by a push, with at least two levels below `refs/` as git-receive-pack requires: a
 * reference `refs/heads` would be in the way of the folder of all branches.
 */
export function asRefName(text: string): RefName | undefined {
  const suffix = text.startsWith('refs/') ? text.slice(5) : ''
  return suffix.includes('/') && isRefSuffix(suffix) ? (text as RefName) : undefined
}

// What a case-insensitive or NTFS or HFS file system takes for `.git` (git fsck: hasDotgit): letter
// case, ignorable code points, the short name and trailing dots, spaces or stream names.
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
const dotGit = /^(\.git|git~1)[ .]*(:.*)?$/i

/** Whether a path part could overwrite the `.git` of a working copy. Windows also splits at backslashes. */
export function isDotGit(part: string): boolean {
  return part.split('\\').some((piece) => dotGit.test(piece.replace(ignorable, '')))
}

export type TreePathProblem = 'empty' | 'traversal' | 'invalid'

/**
 * Checks a path before it is written, and drops a leading slash. Returns the name of the problem if the path is not valid.
 */
export function checkTreePath(text: string): { path: TreePath } | { problem: TreePathProblem } {
  const path = text.replace(/^\/+/, '')
  if (path === '') return { problem: 'empty' }
  const parts = path.split('/')
  if (parts.includes('..')) return { problem: 'traversal' }
  const isBad = (part: string) => part === '' || part === '.' || isDotGit(part)
  if (path.includes('\0') || Buffer.byteLength(path) > 4096 || parts.some(isBad)) {
    return { problem: 'invalid' }
  }
  return { path: path as TreePath }
}

/** Returns the name of the branch that a reference is, without `refs/heads/`; undefined for any other reference. */
export function branchNameOf(name: RefName): string | undefined {
  return name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined
}
