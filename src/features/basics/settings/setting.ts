// Public functions of instance settings: values set by an administrator, and defaults for the rest. They are not cached:
// every node reads them from the database.

import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { knownSettings, type SettingName, type Settings, settingNames } from './known-settings.ts'

const setRows = defineListLoader((db) => db.selectFrom('settings').select(['name', 'value']))

/** Returns all settings; one query. */
export async function readSettings(db: Db): Promise<Settings> {
  const set = new Map((await setRows(db, {})).map(({ name, value }) => [name, value]))
  const values = settingNames.map((name) => [
    name,
    set.has(name) ? set.get(name) : knownSettings[name].usual,
  ])
  const settings: Settings = Object.fromEntries(values)
  const { allow_local_requests_from_web_hooks_and_services: isOpen } = settings
  // The former name of the setting has the same value.
  return { ...settings, allow_local_requests_from_hooks_and_services: isOpen }
}

/** Returns a setting as an administrator has set it, if anybody has; one query, which loads all stored settings. */
export async function findStoredSetting<Name extends SettingName>(
  db: Db,
  name: Name,
): Promise<Settings[Name] | undefined> {
  const row = (await setRows(db, {})).find((candidate) => candidate.name === name)
  return row && (row.value as Settings[Name])
}

/** Returns one setting or its default; one query. */
export async function readSettingOrDefault<Name extends SettingName>(
  db: Db,
  name: Name,
): Promise<Settings[Name]> {
  const set = await findStoredSetting(db, name)
  return set === undefined ? (knownSettings[name].usual as Settings[Name]) : set
}

const throttled = [
  'authenticated_api',
  'authenticated_files_api',
  'incident_management_notification',
  'unauthenticated_api',
  'unauthenticated_files_api',
] as const

/** The rate limits that are switched on by settings (docs/api/settings.md, "Rate limits"). */
export async function readRateLimits(db: Db): Promise<RateLimits> {
  const settings = await readSettings(db)
  const limits = throttled
    .filter((name) => settings[`throttle_${name}_enabled`])
    .map((name) => {
      const requests = settings[`throttle_${name}_requests_per_period`]
      const period_s = settings[`throttle_${name}_period_in_seconds`]
      return [name, { requests, period_s }]
    })
  return Object.fromEntries(limits)
}
