// A file in the data folder that records which S3 place the server uses: without the setting it would not find its
// blobs, and blobs may be moved only to where it looks for them.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobSettings } from './blob-store.ts'

const pathOf = ({ data }: BlobSettings) => join(data, 'blobs-in-s3')

function find(settings: BlobSettings): { name: string; goal: string } | undefined {
  try {
    const [name = '', goal = ''] = readFileSync(pathOf(settings), 'utf8').trim().split(' ')
    return { name, goal }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const goalOf = ({ storesNewBlobs }: NonNullable<BlobSettings['blobs']>) =>
  storesNewBlobs ? 's3' : 'disk'

/** Returns why the server must not start with these settings; undefined if it may. */
export function findBlobProblem(settings: BlobSettings): string | undefined {
  const before = find(settings)
  if (!before || before.name === settings.blobs?.name) return undefined
  return (
    `The blobs of this server are in ${before.name}. Set BLOOMERY_BLOBS to it. ` +
    `To leave it, set new=disk there, restart the server and run \`bloomery blobs move\`; ` +
    `if the blobs were copied by other means, delete ${pathOf(settings)}.`
  )
}

/** Records which store the server that is starting uses for new blobs. */
export function writeBlobMarker(settings: BlobSettings): void {
  const { blobs } = settings
  if (blobs) writeFileSync(pathOf(settings), `${blobs.name} ${goalOf(blobs)}\n`, { mode: 0o600 })
}

/** Whether the server was last started with the same place for new blobs. */
export function isBlobMarkerCurrent(settings: BlobSettings): boolean {
  const { blobs } = settings
  const found = find(settings)
  return blobs !== undefined && found?.name === blobs.name && found.goal === goalOf(blobs)
}

/** Records that no blob is in S3 any more, so that the server may start without the setting. */
export function deleteBlobMarker(settings: BlobSettings): void {
  rmSync(pathOf(settings), { force: true })
}
