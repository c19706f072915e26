// Measures the free space where the server writes. Below a limit nothing is started that needs more; reading, deleting
// and administration continue (docs/operating/disk.md).
import { type StatsFs, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { monotonic_ms } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { ownValue } from '../kernel/own-value.ts'

/** The settings that say where the server writes. The limit may change while the server runs. */
export type DiskLocations = {
  readonly data: string
  readonly storages: Readonly<Record<string, { readonly path: string }>>
  /** 0 for no limit. */
  readonly diskFreeMin_bytes: number
}

export type DiskSpace = {
  /** `data`, or the name of a storage. */
  place: string
  path: string
  free_bytes: number
  size_bytes: number
}

/** How long a measurement of a disk is reused. */
const kept_ms = 1000

type Known = { disk: DiskSpace; read_ms: number }
const known = new WeakMap<DiskLocations, Map<string, Known>>()

/** Returns all folders that an instance writes to, the data folder first. */
export function listDisks(places: DiskLocations): DiskSpace[] {
  return [
    lookAt(places, 'data', places.data),
    ...Object.entries(places.storages).map(([name, { path }]) => lookAt(places, name, path)),
  ]
}

function lookAt(places: DiskLocations, place: string, path: string): DiskSpace {
  const disks = known.get(places) ?? new Map<string, Known>()
  known.set(places, disks)
  const now_ms = monotonic_ms()
  const kept = disks.get(path)
  if (kept && now_ms - kept.read_ms < kept_ms) return { ...kept.disk, place }
  const { bavail, blocks, bsize } = statfsOf(path) as StatsFs
  const disk = { place, path, free_bytes: bavail * bsize, size_bytes: blocks * bsize }
  disks.set(path, { disk, read_ms: now_ms })
  return disk
}

/** Returns the statistics of a folder; for one that does not exist yet, those of the folder above. */
function statfsOf(path: string): ReturnType<typeof statfsSync> {
  try {
    return statfsSync(path)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isMissing || dirname(path) === path) throw error
    return statfsOf(dirname(path))
  }
}

export function isNearlyFull(
  { diskFreeMin_bytes }: DiskLocations,
  { free_bytes }: DiskSpace,
): boolean {
  return free_bytes < diskFreeMin_bytes
}

/** Returns the data folder or the storage if it has too little free space. Space that is unknown counts as enough. */
export function findFullDisk(places: DiskLocations, storage?: string): DiskSpace | undefined {
  if (places.diskFreeMin_bytes === 0) return undefined
  const data = lookAt(places, 'data', places.data)
  if (isNearlyFull(places, data)) return data
  const path = storage === undefined ? undefined : ownValue(places.storages, storage)?.path
  const disk = path === undefined ? undefined : lookAt(places, storage ?? '', path)
  return disk && isNearlyFull(places, disk) ? disk : undefined
}

/** Returns the message for a disk without free space. */
export function diskFullText({ path, place }: DiskSpace, { data }: DiskLocations): string {
  const name = path === data ? 'The data disk' : `The disk of storage ${place}`
  return `${name} is nearly full: nothing more can be written until an administrator makes room.`
}

/** Throws 507 if the data folder or the storage has too little free space. */
export function refuseIfDiskFull(places: DiskLocations, storage?: string): void {
  const disk = findFullDisk(places, storage)
  if (disk) throw new ApiError('insufficient-storage', `507 ${diskFullText(disk, places)}`)
}
