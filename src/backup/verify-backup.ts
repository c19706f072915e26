import { createHash } from 'node:crypto'
import { BackupError } from './backup-error.ts'
import type { BackupFile, BackupReader } from './backup-target.ts'
import { readRepositoryArchive } from './containers.ts'
import {
  listBackedUpRepositories,
  listBackupFiles,
  type Manifest,
  readManifest,
  repositoriesListPath,
} from './manifest.ts'

/** Reads every file of a backup and compares it with its digest. Returns the problems, each with a path. */
export async function verifyBackup(
  reader: BackupReader,
): Promise<{ manifest: Manifest; files: number; problems: string[] }> {
  const manifest = await readManifest(reader)
  const problems: string[] = []
  let files = 0
  const broken = new Set<string>()
  const check = async (path: string, sha256: string) => {
    files++
    try {
      for await (const _ of readVerifiedFile(reader, { path, sha256 }));
    } catch (error) {
      problems.push((error as Error).message)
      broken.add(path)
    }
  }
  for (const [path, sha256] of Object.entries(manifest.lists)) await check(path, sha256)
  if (problems.length === 0) {
    for await (const { path, sha256 } of listBackupFiles(reader)) await check(path, sha256)
  }
  if (broken.size > 0) problems.push(...(await brokenArchives(reader, broken)))
  return { manifest, files, problems }
}

/** Returns a problem for each repository whose archive is in a broken container. */
async function brokenArchives(
  reader: BackupReader,
  broken: ReadonlySet<string>,
): Promise<string[]> {
  const problems: string[] = []
  if (broken.has(repositoriesListPath)) return problems
  for await (const repository of listBackedUpRepositories(reader)) {
    if (!broken.has(repository.archive.container)) continue
    try {
      await readRepositoryArchive(reader, repository)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return problems
}

/** Streams a file. Throws at its end if its size or digest differs from those that were recorded. */
export async function* readVerifiedFile(
  reader: BackupReader,
  { path, sha256 }: Pick<BackupFile, 'path' | 'sha256'>,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  try {
    for await (const chunk of reader.read(path)) {
      digest.update(chunk)
      yield chunk
    }
  } catch (error) {
    throw new BackupError(`${path} cannot be read: ${(error as Error).message}`)
  }
  if (digest.digest('hex') !== sha256) throw new BackupError(`${path} does not match its digest.`)
}
