// The blobs of an instance, on the local disk or in S3. The only file that knows both; README.md describes the rules.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobBackend, BlobRange, ListedBlob, ReceivedBlob } from './backend.ts'
import type { BlobPlace } from './blob-place.ts'
import { LocalBlobs } from './local-blobs.ts'
import type { S3Place } from './s3-place.ts'

export type BlobStore = {
  readonly path: string
  /** Undefined if all blobs are on the disk. */
  readonly s3?: S3Place | undefined
}

/** The settings that say where blobs are; `data` is the data folder. */
export type BlobSettings = { readonly data: string; readonly blobs: S3Place | undefined }

/** The blobs of an instance. */
export function blobStoreOf({ data, blobs }: BlobSettings): BlobStore {
  return { path: join(data, 'blobs'), s3: blobs }
}

export type BlobBackends = {
  /** Where new blobs are stored. */
  target: BlobBackend
  /** Where older blobs may still be stored, until `bloomery blobs move` has moved them. */
  source?: BlobBackend
}

/** Opens the stores of blobs. The S3 client is loaded only if the setting names a bucket. */
export async function openBlobBackends({ path, s3 }: BlobStore): Promise<BlobBackends> {
  const local = new LocalBlobs(path)
  if (!s3) return { target: local }
  const { s3BlobsAt } = await import('./s3-blobs.ts')
  const remote = s3BlobsAt(s3)
  return s3.storesNewBlobs ? { target: remote, source: local } : { target: local, source: remote }
}

/** Searches the target, then the source. A blob that is moved between the two searches is found by the third. */
async function findIn<T>(
  store: BlobStore,
  find: (backend: BlobBackend) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { target, source } = await openBlobBackends(store)
  const found = await find(target)
  if (found !== undefined || !source) return found
  return (await find(source)) ?? (await find(target))
}

/**
 * Receives a stream for a place. Throws BlobReceiveError after `bytes_max` bytes or when none come for
 * `limits.upload_idle_ms`, the stream's own error, and a 503 if S3 does not take the bytes; nothing is left then, but the
 * rest of the stream. The blob exists once `commit` of the result has ended.
 */
export async function receiveBlob(
  store: BlobStore,
  stream: Readable,
  options: { place: BlobPlace; bytes_max: number },
): Promise<ReceivedBlob> {
  // The client may disconnect before the first byte is read. The reading loop then gets the error, so it is
  // ignored here.
  stream.on('error', () => {})
  const { target } = await openBlobBackends(store)
  return target.receive(stream, options)
}

/**
 * Gives a blob a second location, which stays when the first is deleted: a hard link on disk, a copy in S3. Returns false
 * if the blob does not exist.
 */
export async function linkBlob(
  store: BlobStore,
  from: BlobPlace,
  place: BlobPlace,
): Promise<boolean> {
  const { target, source } = await openBlobBackends(store)
  if (await target.link(from, place)) return true
  const stream = await source?.read(from, {})
  if (!stream) return source !== undefined && target.link(from, place)
  const received = await target.receive(stream, { place, bytes_max: Number.MAX_SAFE_INTEGER })
  await received.commit()
  return true
}

/** Returns the size of a blob in bytes; undefined if it does not exist. */
export function findBlobSize(store: BlobStore, place: BlobPlace): Promise<number | undefined> {
  return findIn(store, (backend) => backend.findSize(place))
}

/**
 * Streams a blob or a range of it; undefined if the blob does not exist. A whole blob from S3 is compared with its
 * checksum: if they differ, the stream fails before its last bytes.
 */
export function readBlob(
  store: BlobStore,
  place: BlobPlace,
  range: BlobRange = {},
): Promise<Readable | undefined> {
  return findIn(store, (backend) => backend.read(place, range))
}

/**
 * Throws a 503 if S3 does not answer. Call this before a transaction in which a blob is deleted: others would wait for the
 * transaction while it waits for S3.
 */
export async function ensureBlobStorageReachable(
  store: BlobStore,
  place: BlobPlace,
): Promise<void> {
  if (store.s3) await findBlobSize(store, place)
}

/** Lists a first blob of S3, so that a wrong setting is reported at the start (`subscribeToS3Failures`). Never throws. */
export async function probeBlobStorage({ path, s3 }: BlobStore): Promise<void> {
  if (!s3) return
  const { target, source } = await openBlobBackends({ path, s3 })
  const remote = s3.storesNewBlobs ? target : source
  await remote
    ?.list()
    [Symbol.asyncIterator]()
    .next()
    .catch(() => {})
}

/** Deletes a blob; does nothing if the blob does not exist. */
export async function deleteBlob(store: BlobStore, place: BlobPlace): Promise<void> {
  const { target, source } = await openBlobBackends(store)
  await source?.delete(place)
  await target.delete(place)
}

/** Lists all blobs. One that is being moved may be listed twice, but is never missed. */
export async function* listBlobs(store: BlobStore): AsyncGenerator<ListedBlob> {
  const { target, source } = await openBlobBackends(store)
  if (source) yield* source.list()
  yield* target.list()
}

/**
 * Removes files of interrupted uploads that ended long before `now_ms`, a time of the system's clock. Returns their names.
 */
export async function removeBlobLeftovers(store: BlobStore, now_ms: number): Promise<string[]> {
  const { target, source } = await openBlobBackends(store)
  return [
    ...(await target.removeLeftovers(now_ms)),
    ...((await source?.removeLeftovers(now_ms)) ?? []),
  ]
}

/**
 * Returns a URL by which anybody can download the blob from S3 for `limits.s3.presigned_s`;
 * `disposition` is the Content-Disposition of the answer. Undefined where clients have to ask this server: blobs on the disk, or the setting keeps S3 away from clients.
 */
export async function presignBlob(
  { path, s3 }: BlobStore,
  place: BlobPlace,
  options: { disposition?: string } = {},
): Promise<string | undefined> {
  if (!s3?.storesNewBlobs || !s3.isOpenToClients) return undefined
  if ((await new LocalBlobs(path).findSize(place)) !== undefined) return undefined
  const { s3BlobsAt } = await import('./s3-blobs.ts')
  return s3BlobsAt(s3).presign(place, options)
}
