// Copies a repository from the disk of another server with all files of objects, including objects that are not
// reachable from any reference.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts'
import type { Git } from './command.ts'
import {
  digestRefs,
  hasObjects,
  initRepository,
  makeInAttempts,
  type ObjectFile,
  type OnCopiedBytes,
  writePackedRefs,
} from './copy-repository.ts'
import { syncFolder } from './fsync.ts'
import type { RefName } from './names.ts'
import { listRefs } from './refs.ts'
import type { Repository } from './repository.ts'

/** A repository on another server. Its references must not move while it is read. */
export type RemoteRepository = {
  head: RefName | undefined
  /** As `digestRefs` has it. */
  refsDigest: string
  /** Lines of packed-refs, in the order of names. */
  readRefs: () => Promise<AsyncIterable<Buffer>>
  listObjectFiles: () => Promise<readonly ObjectFile[]>
  /** Undefined once a repack has removed the file. */
  readObjectFile: (path: string) => Promise<AsyncIterable<Buffer> | undefined>
}

/** How many files are read at once; most of them are small. */
const files_at_once = 8

/**
 * Creates `copy` like `copyRepository`, with all references of `source`. Each object file is read again after it was written
 * to disk. Throws if anything differs from the source, and rethrows errors of reading it.
 */
export async function copyRemoteRepository(
  git: Git,
  source: RemoteRepository,
  copy: Repository,
  onBytes: OnCopiedBytes,
): Promise<void> {
  await makeInAttempts(copy, onBytes, async (unfinished, tell = onBytes) => {
    await initRepository(git, unfinished, source.head)
    if (!(await copyObjectFiles(source, unfinished, tell))) return false
    await writePackedRefs(unfinished, await source.readRefs())
    const refs = await listRefs(unfinished, 'refs/')
    if ((await digestRefs(refs)) !== source.refsDigest) {
      throw new Error(`References of ${copy.path} differ from those of its source.`)
    }
    if (!(await hasObjects(git, unfinished, [refs]))) return false
    await syncFolder(unfinished.path)
    return true
  })
}

/** Returns false where the source has been repacked meanwhile. */
async function copyObjectFiles(
  source: RemoteRepository,
  copy: Repository,
  onBytes: OnCopiedBytes,
): Promise<boolean> {
  const files = await source.listObjectFiles()
  const folders = new Set(files.map(({ path }) => dirname(join(copy.path, path))))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  let isWhole = true
  await forEachConcurrently(files, files_at_once, async ({ path }) => {
    const bytes = isWhole ? await source.readObjectFile(path) : undefined
    if (bytes) await writeAndReadAgain(join(copy.path, path), bytes, onBytes)
    else isWhole = false
  })
  for (const folder of folders) await syncFolder(folder)
  await syncFolder(join(copy.path, 'objects'))
  return isWhole
}

async function writeAndReadAgain(
  path: string,
  bytes: AsyncIterable<Buffer>,
  onBytes: OnCopiedBytes,
): Promise<void> {
  const written = createHash('sha256')
  const file = await open(path, 'wx', 0o444)
  try {
    for await (const chunk of bytes) {
      written.update(chunk)
      await file.writeFile(chunk)
      await onBytes(chunk.length)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  const found = createHash('sha256')
  await pipeline(createReadStream(path), async (read: AsyncIterable<Buffer>) => {
    for await (const chunk of read) {
      found.update(chunk)
      await onBytes(chunk.length)
    }
  })
  if (found.digest('hex') !== written.digest('hex')) {
    throw new Error(`${path} is not what was written to it.`)
  }
}
