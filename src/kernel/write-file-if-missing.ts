import { link, rm, writeFile } from 'node:fs/promises'
import { randomHex } from './ids.ts'

/**
 * Writes a file that only its owner can read, unless it exists. The file is complete when it gets its name, and if several
 * servers write it at once, one of them succeeds. Read it afterwards to get its content.
 */
export async function writeFileIfMissing(path: string, content: string | Buffer): Promise<void> {
  const unnamed = `${path}.${randomHex(8)}`
  await writeFile(unnamed, content, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(unnamed, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(unnamed)
  }
}
