// Settings that may change while the server runs. All code holds the same Config object; values that may change are read
// from it at each use.
import { type Config, readConfig, readSettings, type SettingName } from './config.ts'

/** The settings that take effect without a restart, and the members of Config that each changes. */
const reloadable: Partial<Record<SettingName, keyof Config>> = {
  log_level: 'logLevel',
  rate_limits: 'rateLimits',
  metrics_from: 'metricsFrom',
  metrics_token: 'metricsToken',
  pipeline_schedules_max: 'schedules_max',
  push_size_max: 'sizeLimits',
  repository_size_max: 'sizeLimits',
  lfs_object_size_max: 'sizeLimits',
  artifact_size_max: 'sizeLimits',
  artifacts_expire_in: 'artifactsExpireIn',
  ci_remote_includes: 'remoteIncludes',
  disk_free_min: 'diskFreeMin_bytes',
}

export type ReloadResult = {
  /** Names of settings that are in effect now. */
  changed: SettingName[]
  /** Names of those that differ and wait for a restart. */
  waiting: SettingName[]
}

export type LiveConfig = {
  config: Config
  /** Reads the settings again. Throws ConfigError, and changes nothing, where one cannot be used. */
  reload: () => ReloadResult
}

export function openConfig(environment: Record<string, string | undefined>): LiveConfig {
  let current = readConfig(environment)
  let settings = readSettings(environment)
  /** The values at startup, which settings that need a restart keep. */
  const first = settings
  const live = new Set<string>(Object.values(reloadable))
  const config = {} as Config
  for (const name of Object.keys(current) as (keyof Config)[]) {
    const value = current[name]
    Object.defineProperty(config, name, {
      enumerable: true,
      get: live.has(name) ? () => current[name] : () => value,
    })
  }
  Object.freeze(config)
  return {
    config,
    reload() {
      const next = readConfig(environment)
      const nextSettings = readSettings(environment)
      const differ = (a: typeof settings) =>
        ([...new Set([...Object.keys(a), ...Object.keys(nextSettings)])] as SettingName[]).filter(
          (name) => JSON.stringify(a[name]) !== JSON.stringify(nextSettings[name]),
        )
      const changed = differ(settings).filter((name) => reloadable[name] !== undefined)
      const waiting = differ(first).filter((name) => reloadable[name] === undefined)
      current = next
      settings = nextSettings
      return { changed, waiting }
    },
  }
}
