// The backups of a folder, each a folder of its own that is named by its time.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { manifestPath } from './manifest.ts'

export const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** Folders of backups that are whole, the oldest first. */
export function listBackups(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .filter((name) => namePattern.test(name))
    .filter((name) =>
      statSync(join(folder, name, manifestPath), { throwIfNoEntry: false })?.isFile(),
    )
    .sort()
    .map((name) => join(folder, name))
}
