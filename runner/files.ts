// Finds the files for artifacts and caches in a job's folder, and deletes folders.
import type { Dirent } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import {
  type GlobPattern,
  globMatchesPath,
  literalPrefixOfGlob,
  maximumDepthOfGlob,
  parseGlobPatterns,
} from './glob.ts'

export type FileSelection = {
  /** Paths relative to the folder, sorted, each once. Folders end with a slash. */
  names: string[]
  /** Warnings about patterns that match nothing or are not allowed. */
  warnings: string[]
}

/**
 * Selects what `paths` means in `folder`: files and links, and folders with all they have. Links are not
 * followed. `exclude` takes away again; `others` are names selected beside (untracked files).
 */
export async function selectFiles(
  folder: string,
  { paths, exclude = [], others = [] }: { paths: string[]; exclude?: string[]; others?: string[] },
): Promise<FileSelection> {
  const names = new Set<string>()
  const warnings: string[] = []
  const excluded = exclude.flatMap((text) => parseGlobPatterns(insideOf(folder, text)) ?? [])
  const add = (name: string) => {
    const parts = name.split('/').filter((part) => part !== '')
    if (!excluded.some((pattern) => globMatchesPath(pattern, parts))) names.add(name)
  }
  for (const text of paths) {
    const patterns = parseGlobPatterns(insideOf(folder, text))
    if (!patterns) {
      warnings.push(`${text}: leads out of the folder of the project, so it is left out`)
      continue
    }
    let found = 0
    for (const pattern of patterns) {
      for (const name of await findMatches(folder, pattern)) {
        found++
        add(name)
      }
    }
    if (found === 0) warnings.push(`${text}: nothing has that name`)
  }
  for (const name of others) {
    // The list comes from a program of the job, so the names may point anywhere.
    const parts = name.split('/')
    const isInside = parts[0] !== '' && !parts.includes('..')
    if (isInside && (await isRealPath(folder, parts.slice(0, -1)))) add(name)
  }
  return { names: [...names].sort(), warnings }
}

/** Converts an absolute path inside the folder to a relative one. */
function insideOf(folder: string, text: string): string {
  if (!text.startsWith('/')) return text
  const path = relative(folder, text)
  return path.startsWith('..') ? text : path
}

/** Returns everything that matches the pattern, including the contents of matching folders. */
async function findMatches(folder: string, pattern: GlobPattern): Promise<string[]> {
  const begin = literalPrefixOfGlob(pattern)
  const found: string[] = []
  const visit = async (parts: string[], isTaken: boolean): Promise<void> => {
    const entries = await readFolder(join(folder, ...parts))
    for (const entry of entries) {
      const path = [...parts, entry.name]
      // Files of git, with its log and credentials, are never artifacts.
      if (path[0] === '.git') continue
      const isMeant = isTaken || globMatchesPath(pattern, path)
      const isFolder = entry.isDirectory()
      if (isMeant && (isFolder || entry.isFile() || entry.isSymbolicLink())) {
        found.push(path.join('/') + (isFolder ? '/' : ''))
      }
      if (isFolder && (isMeant || path.length < maximumDepthOfGlob(pattern)))
        await visit(path, isMeant)
    }
  }
  if (pattern.length === 0) {
    await visit([], true)
    return found
  }
  // The search starts at the literal beginning of the pattern, so that other folders are not read.
  const parents = begin.slice(0, begin.length === pattern.length ? -1 : undefined)
  if (!(await isRealPath(folder, parents))) return found
  if (begin.length === pattern.length) {
    const stats = await lstat(join(folder, ...begin)).catch(() => undefined)
    if (!stats || begin[0] === '.git') return found
    if (stats.isDirectory()) {
      found.push(`${begin.join('/')}/`)
      await visit(begin, true)
    } else if (stats.isFile() || stats.isSymbolicLink()) found.push(begin.join('/'))
    return found
  }
  await visit(parents, globMatchesPath(pattern, parents))
  return found
}

/** Returns whether all parts of a path are folders and not links. */
async function isRealPath(folder: string, parts: readonly string[]): Promise<boolean> {
  for (let i = 1; i <= parts.length; i++) {
    const stats = await lstat(join(folder, ...parts.slice(0, i))).catch(() => undefined)
    if (!stats?.isDirectory()) return false
  }
  return true
}

async function readFolder(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => [])
}

/** Removes a folder, also where a job has taken the right to write in it away. */
export async function removeFolderForcibly(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await allowWriting(path)
    await rm(path, { recursive: true, force: true })
  }
}

async function allowWriting(path: string): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readFolder(path)) {
    if (entry.isDirectory()) await allowWriting(join(path, entry.name))
  }
}
