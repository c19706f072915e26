// A file on the disk of a storage with the same value as a row, so that a server does not serve another disk, or an
// empty mount point, as the storage.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../db/db.ts'
import { randomText } from '../../../kernel/ids.ts'
import { unlessGone } from '../../../kernel/unless-gone.ts'
import { writeFileIfMissing } from '../../../kernel/write-file-if-missing.ts'
import { findStorageMarker, insertStorageMarker } from './node.store.ts'
import { NodeConflictError } from './node-conflict-error.ts'

const file_name = '.bloomery-storage'
const marker_characters = 32

/**
 * Throws NodeConflictError if the folder of a storage is not on the disk that the database knows under its name. Creates the
 * marker of a new storage.
 */
export async function refuseOtherDisks(
  db: Db,
  storages: Readonly<Record<string, { path: string }>>,
): Promise<void> {
  for (const [name, { path }] of Object.entries(storages)) {
    const known = await findStorageMarker(db, name)
    if (known === undefined) await makeMarker(db, { name, path })
    const wanted = known ?? (await findStorageMarker(db, name))
    if ((await readMarker(path)) === wanted) continue
    throw new NodeConflictError(
      `${path} is not the disk of the storage ${name} that other servers have used. Mount that disk, or set the path of ${name} to null if another server has it. If the disk is lost, restore its repositories with \`bloomery restore --repositories\`, which writes ${file_name} anew.`,
    )
  }
}

/** Writes the markers that the database has for storages whose repositories were restored to disks. */
export async function writeKnownMarkers(
  db: Db,
  storages: Readonly<Record<string, { path: string }>>,
): Promise<void> {
  for (const [name, { path }] of Object.entries(storages)) {
    const known = await findStorageMarker(db, name)
    if (known === undefined) continue
    await mkdir(path, { recursive: true })
    await writeFile(join(path, file_name), `${known}\n`)
  }
}

/**
 * Stores the marker of the disk in the database, for a storage without a row. Creates the marker if the disk
 * has none.
 */
async function makeMarker(db: Db, { name, path }: { name: string; path: string }): Promise<void> {
  await mkdir(path, { recursive: true })
  await writeFileIfMissing(join(path, file_name), `${randomText(marker_characters)}\n`)
  await insertStorageMarker(db, name, (await readMarker(path)) ?? '')
}

async function readMarker(path: string): Promise<string | undefined> {
  return (await unlessGone(readFile(join(path, file_name), 'utf8')))?.trim()
}
