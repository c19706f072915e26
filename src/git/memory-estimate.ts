// What programs of git are going to need, estimated from the number of objects in a repository. The figures per object
// were measured with git 2.39 on repositories of 400,000 and 1,000,000 objects; docs/decisions/0043 has them.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

const megabyte = 1024 * 1024
/** Caches and windows that a program has whatever the size of the repository (`core.deltaBaseCacheLimit`). */
const fixed_bytes = 48 * megabyte

const bytesPerObject = {
  /** pack-objects that walks to all objects itself. */
  walk: 260,
  /** pack-objects that reads a reachability bitmap instead. */
  bitmap: 16,
  /** index-pack, with the links between objects checked. */
  index: 140,
  /** rev-list --objects. */
  list: 130,
  /** repack and multi-pack-index with a bitmap. */
  repack: 280,
}

export type PackFigures = { objects: number; hasBitmap: boolean }

/** Objects in the packs of a repository, and whether a bitmap covers most of them. Loose objects are not counted. */
export async function readPackFigures({ path }: Repository): Promise<PackFigures> {
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

/** What making a pack for a client that has nothing of the repository yet needs. */
export async function estimateClone_bytes(repository: Repository): Promise<number> {
  const { objects, hasBitmap } = await readPackFigures(repository)
  return fixed_bytes + objects * (hasBitmap ? bytesPerObject.bitmap : bytesPerObject.walk)
}

/** What answering this request of a fetching client needs (gitprotocol-v2, "fetch"; gitprotocol-pack). */
export async function estimateFetch_bytes(
  repository: Repository,
  request: Buffer,
): Promise<number> {
  // A list of references, or a history that ends after some commits.
  if (!request.includes('want ') || request.includes('deepen ')) return fixed_bytes
  const clone_bytes = await estimateClone_bytes(repository)
  // A client that has a part is sent what is new; the walk ends at what the client has.
  return request.includes('have ') ? clone_bytes / 4 : clone_bytes
}

/** What indexing a pack of so many objects needs. */
export function estimateIndex_bytes(objects: number): number {
  return fixed_bytes + objects * bytesPerObject.index
}

/** What listing so many new objects with their paths needs. */
export function estimateObjectList_bytes(objects: number): number {
  return fixed_bytes + objects * bytesPerObject.list
}

/** What packing a repository anew, with a bitmap, needs. */
export function estimateRepack_bytes({ objects }: PackFigures): number {
  return fixed_bytes + objects * bytesPerObject.repack
}
