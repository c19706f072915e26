// Packs the artifacts and reports of a job for the upload.
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, copyFile, lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { JobArtifacts } from '../src/ci/protocol.ts'
import { packArchive } from './archive.ts'
import { selectFiles } from './files.ts'

export type PackedArtifacts = {
  /** The file name on the server. */
  filename: string
  files: number
}

/**
 * Packs the files of `folder` that `artifacts` selects into a new file at `path`; returns undefined if there are none. A
 * report is a single file, or several compressed one after another.
 */
export async function packArtifacts(
  artifacts: JobArtifacts,
  { folder, path, untracked }: { folder: string; path: string; untracked: string[] },
): Promise<{ packed: PackedArtifacts | undefined; warnings: string[] }> {
  const { names, warnings } = await selectFiles(folder, {
    paths: artifacts.paths ?? [],
    exclude: artifacts.exclude ?? [],
    others: untracked,
  })
  const format = artifacts.artifact_format ?? 'zip'
  if (format === 'zip') {
    if (names.length === 0) return { packed: undefined, warnings }
    await packArchive(path, folder, names)
    const filename = `${artifacts.name || 'artifacts'}.zip`
    const files = names.filter((name) => !name.endsWith('/')).length
    return { packed: { filename, files }, warnings }
  }
  const files: string[] = []
  for (const name of names) {
    // Links are not read, since they may point anywhere.
    if ((await lstat(join(folder, name))).isFile()) files.push(name)
  }
  const [first] = files
  if (first === undefined) return { packed: undefined, warnings }
  if (format === 'raw') {
    if (files.length > 1) warnings.push(`Of ${files.length} files only ${first} is handed in`)
    await copyFile(join(folder, first), path)
    return { packed: { filename: artifacts.name || basename(first), files: 1 }, warnings }
  }
  await appendFile(path, '', { mode: 0o600 })
  for (const name of files) {
    await pipeline(
      createReadStream(join(folder, name)),
      createGzip(),
      createWriteStream(path, { flags: 'a' }),
    )
  }
  const filename = `${artifacts.name || artifacts.artifact_type}.gz`
  return { packed: { filename, files: files.length }, warnings }
}
