// The named places where repositories lie, each on a disk of its own, as the settings of the server name them.
import type { Config } from '../config.ts'
import { invalid } from '../kernel/errors.ts'
import { ownValue } from '../kernel/own-value.ts'

/** Where the storage lies on disk. */
export function storagePath({ storages }: Pick<Config, 'storages'>, name: string): string {
  const storage = ownValue(storages, name)
  if (!storage) throw new Error(`No storage is named ${name}.`)
  return storage.path
}

/**
 * One of the storages but those left out, each as likely as its weight says; undefined where none of them has
 * any.
 */
export function pickStorage(
  { storages }: Pick<Config, 'storages'>,
  { except = [] }: { except?: readonly string[] } = {},
): string | undefined {
  const entries = Object.entries(storages).filter(([name]) => !except.includes(name))
  const total = entries.reduce((sum, [, { weight }]) => sum + weight, 0)
  if (total === 0) return undefined
  let pick = Math.random() * total
  for (const [name, { weight }] of entries) {
    pick -= weight
    if (pick < 0) return name
  }
  return undefined
}

/** Where a new repository goes: to the storage asked for, or to one chosen by weight. */
export function chooseStorage(config: Pick<Config, 'storages'>, wanted?: string): string {
  const { storages } = config
  if (wanted === undefined) return pickStorage(config) ?? Object.keys(storages)[0] ?? 'default'
  if (ownValue(storages, wanted)) return wanted
  throw invalid({ repository_storage: ['is not included in the list'] })
}
