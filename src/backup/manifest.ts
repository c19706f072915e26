// The metadata of a backup. manifest.json is written last: a backup without it is incomplete.
import { hash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { BackupError } from './backup-error.ts'
import type { BackupFile, BackupReader } from './backup-target.ts'

export const manifestPath = 'manifest.json'
export const filesListPath = 'files.ndjson'
export const repositoriesListPath = 'repositories.ndjson'

export const backupFormat = 2

export type Manifest = {
  format: typeof backupFormat
  /** The time of the database snapshot, ISO 8601 in UTC. */
  made_at: string
  version: string
  database: 'sqlite' | 'postgres'
  /** The migrations of the schema, in order. */
  migrations: string[]
  /** The number of rows of each table. */
  tables: Record<string, number>
  /** The highest id that each table had assigned after all references were read. */
  sequences: Record<string, number>
  /** Identifies the key that encrypted the secrets in the rows, without revealing anything else about it. */
  key_fingerprint: string
  has_keys: boolean
  repositories: number
  blobs: number
  bytes: number
  /** The digests of the two lists. */
  lists: Record<string, string>
}

/** The location of an archive: a range of a container, which is a file with many archives. */
export type ArchiveLocation = { container: string; offset: number; size: number; sha256: string }

/** A repository in the backup: an archive with its small files, and its large packs. */
export type BackedUpRepository = {
  storage: string
  /** The path relative to the storage. */
  name: string
  /** Changes when anything in the repository changes. */
  signature: string
  archive: ArchiveLocation
  files: string[]
}

export function secretKeyFingerprint(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('bloomery backup key\0'), key])).slice(0, 16)
}

export function toNdjsonLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** Reads the manifest. Throws BackupError if it is missing or has an unknown format. */
export async function readManifest(reader: BackupReader): Promise<Manifest> {
  let source: Buffer
  try {
    source = await readBackupFile(reader, manifestPath)
  } catch {
    throw new BackupError('The backup is incomplete: manifest.json is missing.')
  }
  const manifest = JSON.parse(source.toString('utf8')) as Manifest
  if (manifest.format === backupFormat) return manifest
  throw new BackupError(
    `The backup has format ${manifest.format}. This version reads format ${backupFormat}.`,
  )
}

export async function readBackupFile(reader: BackupReader, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of reader.read(path)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The lines of a list, parsed. */
export async function* readNdjsonLines<T>(bytes: AsyncIterable<Buffer>): AsyncGenerator<T> {
  const input = Readable.from(bytes)
  // An error of the source ends the lines silently, so it is thrown afterwards.
  let problem: unknown
  input.on('error', (error) => {
    problem = error
  })
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') yield JSON.parse(line) as T
  }
  if (problem) throw problem
}

export function listBackupFiles(reader: BackupReader): AsyncGenerator<BackupFile> {
  return readNdjsonLines<BackupFile>(reader.read(filesListPath))
}

export function listBackedUpRepositories(reader: BackupReader): AsyncGenerator<BackedUpRepository> {
  return readNdjsonLines<BackedUpRepository>(reader.read(repositoriesListPath))
}
