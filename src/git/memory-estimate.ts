// Estimates the memory that git programs need from the number of objects in a repository. The numbers per object were
// measured with git 2.39 on repositories of 400,000 and 1,000,000 objects; docs/decisions/0043 has them.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gitConfigEnvironment } from './command.ts'
import type { Repository } from './repository.ts'

const megabyte = 1024 * 1024
/** Caches and windows that a program has whatever the size of the repository (`core.deltaBaseCacheLimit`). */
const fixed_bytes = 48 * megabyte

const bytesPerObject = {
  /** pack-objects that walks to all objects itself. */
  walk: 260,
  /** The larger one of rev-list and pack-objects, when the second reads what the first has listed. */
  steps: 170,
  /** pack-objects that reads a reachability bitmap instead. */
  bitmap: 16,
  /** index-pack, with the links between objects checked. */
  index: 140,
  /** rev-list --objects. */
  list: 130,
  /** repack and multi-pack-index with a bitmap. */
  repack: 280,
}

export type PackStats = { objects: number; hasBitmap: boolean }

/**
 * Returns the number of objects in the packs of a repository, and whether a bitmap covers most of them. Loose objects are
 * not counted.
 */
export async function readPackStats({ path }: Repository): Promise<PackStats> {
  const folder = join(path, 'objects', 'pack')
  const names = await readdir(folder).catch(() => [])
  const indexes = names.filter((name) => name.endsWith('.idx'))
  const counts = await Promise.all(indexes.map((name) => countObjects(join(folder, name))))
  return {
    objects: counts.reduce((sum, count) => sum + count, 0),
    hasBitmap: names.some((name) => name.endsWith('.bitmap')),
  }
}

/** The last entry of the fan-out table is the number of all objects (gitformat-pack, version 2 of the index). */
const lastFanOut_bytes = 8 + 255 * 4

async function countObjects(index: string): Promise<number> {
  // A repack may remove the file at any moment.
  const file = await open(index, 'r').catch(() => undefined)
  if (!file) return 0
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, lastFanOut_bytes)
    return bytesRead === 4 ? buffer.readUInt32BE(0) : 0
  } finally {
    await file.close()
  }
}

/** How packs are made for clients that fetch from a repository. */
export type FetchPlan = {
  /** Settings for git-upload-pack. */
  env: Record<string, string>
  /** What a pack for a client that has nothing of the repository yet needs. */
  clone_bytes: number
}

const stepsScript = fileURLToPath(new URL('./pack-in-steps.sh', import.meta.url))
const stepsCommand = `sh '${stepsScript.replaceAll("'", "'\\''")}'`

/**
 * Plans fetches from a repository. `most_bytes` is the memory that one process could use alone: if a clone needs more, its
 * objects are listed first and packed afterwards, which takes less memory and more time.
 */
export async function planFetches(repository: Repository, most_bytes: number): Promise<FetchPlan> {
  const { objects, hasBitmap } = await readPackStats(repository)
  const kind = hasBitmap ? 'bitmap' : 'walk'
  const clone_bytes = fixed_bytes + objects * bytesPerObject[kind]
  if (hasBitmap || clone_bytes <= most_bytes) return { env: {}, clone_bytes }
  return {
    env: gitConfigEnvironment([['uploadpack.packObjectsHook', stepsCommand]]),
    clone_bytes: fixed_bytes + objects * bytesPerObject.steps,
  }
}

/** Estimates the memory for answering a fetch request (gitprotocol-v2, "fetch"; gitprotocol-pack). */
export function estimateFetch_bytes({ clone_bytes }: FetchPlan, request: Buffer): number {
  // A list of references, or a history that ends after some commits.
  if (!request.includes('want ') || request.includes('deepen ')) return fixed_bytes
  // A client that has a part of the history is sent the rest: the walk ends at the commits it has.
  return request.includes('have ') ? clone_bytes / 4 : clone_bytes
}

/** Estimates the memory for indexing a pack with that number of objects. */
export function estimateIndex_bytes(objects: number): number {
  return fixed_bytes + objects * bytesPerObject.index
}

/** Estimates the memory for listing that number of new objects with their paths. */
export function estimateObjectList_bytes(objects: number): number {
  return fixed_bytes + objects * bytesPerObject.list
}

/** Estimates the memory for repacking a repository with a bitmap. */
export function estimateRepack_bytes({ objects }: PackStats): number {
  return fixed_bytes + objects * bytesPerObject.repack
}
