// Files of a repository that are stored outside of its archive: large packs, which later backups share.
import { basename } from 'node:path'
import { type ArchivedRepository, RepositoryChangedWhileRead } from './archive-repositories.ts'
import type { BackupFile, BackupWriter } from './backup-target.ts'
import type { StoredRepository } from './repositories.ts'
import type { LargeFile, RepositoryReader } from './repository-reader.ts'

/** Returns the folder of the large files of a repository in the backup. */
export function largeFilesPathOf({ storage, name }: StoredRepository): string {
  const flat = encodeURIComponent(name)
  return `repositories/${storage}/${basename(name).slice(0, 2)}/${flat}`
}

export type ReuseFromPreviousBackup = {
  /** The files of the previous backup, by path. */
  previous: { name: string; files: ReadonlyMap<string, BackupFile> } | undefined
  /** Packs that several repositories share under different names, by `LargeFile.identity`. */
  packs: Map<string, BackupFile>
}

/**
 * Writes the large files of a repository that was read. Throws RepositoryChangedWhileRead when it was packed at the same time:
 * then the caller begins again.
 */
export async function writeLargeFiles(
  { writer, reader }: { writer: BackupWriter; reader: RepositoryReader },
  repository: StoredRepository,
  { large, stamp }: ArchivedRepository,
  sharing: ReuseFromPreviousBackup,
): Promise<BackupFile[]> {
  if (large.length === 0) return []
  const place = largeFilesPathOf(repository)
  const files: BackupFile[] = []
  for (const path of large) {
    const file = await reader.openLargeFile(repository, path)
    try {
      files.push(await writeLarge(writer, `${place}/${path}`, file, sharing))
    } finally {
      file.close()
    }
  }
  if ((await reader.readPacksSignature(repository)) !== stamp)
    throw new RepositoryChangedWhileRead('It was packed meanwhile.')
  return files
}

async function writeLarge(
  writer: BackupWriter,
  target: string,
  { size, identity, read }: LargeFile,
  { previous, packs }: ReuseFromPreviousBackup,
): Promise<BackupFile> {
  // The name of a pack is a digest of its content, so a pack with the same name and size is the same.
  const before = previous?.files.get(target)
  if (previous && before?.size === size && isNamedByContent(target)) {
    if (await writer.share({ ...before, backup: previous.name }, target)) return before
  }
  const twin = identity === undefined ? undefined : packs.get(identity)
  if (twin && (await writer.share(twin, target))) return { ...twin, path: target }
  const out = writer.begin(target)
  for await (const bytes of read()) await out.write(bytes)
  const written = await out.end()
  if (written.size < size) throw new RepositoryChangedWhileRead('A file became shorter.')
  if (identity !== undefined) packs.set(identity, written)
  return written
}

function isNamedByContent(path: string): boolean {
  return /\/pack-[0-9a-f]{40}\.(pack|idx|rev)$/.test(path)
}
