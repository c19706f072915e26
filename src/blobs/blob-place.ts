// Names of blobs. A name never contains anything that a user chose.
import { randomBytes } from 'node:crypto'

declare const brand: unique symbol
/** The location of a blob, relative to its store; created only by contentAddressedPlace, ownBlobPlace and parseBlobPlace. */
export type BlobPlace = string & { readonly [brand]: 'blob place' }

/** The uses of blobs; each kind has its own folder. */
export const blobKinds = [
  'lfs',
  'avatars',
  'artifacts',
  'logs',
  'uploads',
  'pages',
  'exports',
] as const
export type BlobKind = (typeof blobKinds)[number]

const namePattern = /^[0-9a-f]{64}$/

/** The place of the content with that SHA-256 (64 lower-case hex digits). */
export function contentAddressedPlace(kind: BlobKind, sha256: string): BlobPlace {
  if (!namePattern.test(sha256)) {
    throw new Error(`The name of a ${kind} blob must be a SHA-256, not ${sha256.slice(0, 80)}.`)
  }
  return placeOf(kind, sha256)
}

/**
 * Returns the location of a blob that belongs to one row, whatever its content, under a name of `newBlobName`. No other
 * row can get the same one.
 */
export function ownBlobPlace(kind: BlobKind, name: string): BlobPlace {
  if (!namePattern.test(name))
    throw new Error(`Malformed name of a ${kind} blob: ${name.slice(0, 80)}`)
  return placeOf(kind, name)
}

/** Returns an unused name: 64 random hex digits. */
export function newBlobName(): string {
  return randomBytes(32).toString('hex')
}

/** Returns the place that a file or an object below a store has; undefined for what is not a blob. */
export function parseBlobPlace(path: string): BlobPlace | undefined {
  const [folder, , , name = ''] = path.split('/')
  const kind = blobKinds.find((known) => known === folder)
  if (!kind || !namePattern.test(name)) return undefined
  const place = placeOf(kind, name)
  return place === path ? place : undefined
}

/** Returns the SHA-256 that the name of a blob promises; undefined where names are random. */
export function sha256OfBlobPlace(place: BlobPlace): string | undefined {
  return place.startsWith('lfs/') ? place.slice(-64) : undefined
}

function placeOf(kind: BlobKind, name: string): BlobPlace {
  return `${kind}/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}` as BlobPlace
}
