// Opens the target that an operator gives on the command line: a folder, a file `*.tar`, or `s3://bucket/folder`.
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { readS3Place, type S3Place } from '../blobs/s3-place.ts'
import { BackupError } from './backup-error.ts'
import { type BackupReader, type BackupTarget, isBackupName } from './backup-target.ts'
import { FolderReader, FolderTarget } from './folder-target.ts'
import { S3Target } from './s3-target.ts'
import type { BackupPlaces } from './take-backup.ts'
import { TarReader, TarTarget } from './tar-target.ts'

/** The environment, with the credentials for S3 such as AWS_ACCESS_KEY_ID (docs/operating/s3.md). */
type Environment = Record<string, string | undefined>

/**
 * Returns the target of new backups. Throws BackupError for a malformed one, and for one within what is backed up, which
 * would grow by itself each time.
 */
export function openBackupTarget(
  given: string,
  places: Pick<BackupPlaces, 'data' | 'storages' | 'blobs'>,
  environment: Environment,
): BackupTarget {
  if (given.startsWith('s3:')) {
    const place = readPlace(given, environment)
    if (places.blobs && isWithin(place, places.blobs)) {
      throw new BackupError(
        `The backup target ${place.name} is inside ${places.blobs.name}, which is backed up. Choose a folder outside of it, or another bucket.`,
      )
    }
    return new S3Target(place)
  }
  const path = resolve(given)
  refuseOwnFolders(places, path)
  return path.endsWith('.tar') ? new TarTarget(path) : new FolderTarget(path)
}

/**
 * Opens a backup: the given one, or the newest in a folder of backups. Returns undefined if no backup is found. Throws
 * BackupError for a malformed URL of S3.
 */
export async function openNewestBackup(
  given: string,
  environment: Environment,
): Promise<BackupReader | undefined> {
  if (given.startsWith('s3:')) return openNewestInS3(given, environment)
  const path = resolve(given)
  if (!existsSync(path)) return undefined
  if (!statSync(path).isDirectory()) return new TarReader(path)
  const target = new FolderTarget(path)
  const newest = (await target.list()).at(-1)
  return newest === undefined ? new FolderReader(path) : target.open(newest)
}

async function openNewestInS3(
  given: string,
  environment: Environment,
): Promise<BackupReader | undefined> {
  const [address = '', query] = given.split('?', 2)
  const last = address.split('/').at(-1) ?? ''
  const isOne = isBackupName(last)
  const folder = isOne ? address.slice(0, -last.length) : address
  const target = new S3Target(readPlace(query ? `${folder}?${query}` : folder, environment))
  const names = await target.list()
  const wanted = isOne ? names.find((name) => name === last) : names.at(-1)
  return wanted === undefined ? undefined : target.open(wanted)
}

function readPlace(given: string, environment: Environment): S3Place {
  const problem = (text: string) => new BackupError(text)
  return readS3Place(given, environment, problem, { name: 'backup', takesBlobOptions: false })
}

/** Returns whether objects of `place` would be listed among the blobs. */
function isWithin(place: S3Place, blobs: S3Place): boolean {
  return place.url === blobs.url && place.prefix.startsWith(blobs.prefix)
}

function refuseOwnFolders(
  { data, storages }: Pick<BackupPlaces, 'data' | 'storages'>,
  target: string,
): void {
  const own = [join(data, 'blobs'), ...Object.values(storages).map(({ path }) => path)]
  for (const folder of own) {
    const inside = relative(resolve(folder), target)
    if (inside === '' || (!inside.startsWith('..') && !isAbsolute(inside))) {
      throw new BackupError(
        `The backup target ${target} is inside ${folder}, which is backed up. Choose another target.`,
      )
    }
  }
}
