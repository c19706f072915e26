import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const markOf = (data: string) => join(data, 'restore-unfinished')

/** Whether a restore into the data folder was begun and not finished; a server must not run on an incomplete folder. */
export function isRestoreUnfinished(data: string): boolean {
  return existsSync(markOf(data))
}

export function markRestoreBegun(data: string): void {
  writeFileSync(markOf(data), '')
}

export function markRestoreEnded(data: string): void {
  rmSync(markOf(data))
}
