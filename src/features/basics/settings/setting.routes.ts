import { type TSchema, Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf, type ParameterRule, type RawParameters } from '../../../http/parameters.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { recordAuditEvent } from '../audit-events/audit-event.ts'
import { knownSettings, type SettingName, type Settings, settingNames } from './known-settings.ts'
import { saveSettings } from './setting.store.ts'
import { readSettings } from './setting.ts'
import { readStorageWeights } from './storage-weights.ts'

const endpoint = endpointFactory({ tag: 'Settings' })

const visibility = oneOf(['private', 'internal', 'public'])
const kinds = {
  flag: Type.Boolean(),
  number: Type.Integer(),
  text: nullableText,
  texts: Type.Array(Type.String()),
  visibility,
  visibilities: Type.Array(visibility),
  weights: Type.Record(Type.String(), Type.Integer()),
} as const satisfies Record<string, TSchema>

function schemaOf(name: SettingName): TSchema {
  const { kind, usual } = knownSettings[name]
  return usual === null && kind === 'number' ? nullable(kinds[kind]) : kinds[kind]
}

const schemas = settingNames.map((name) => [name, schemaOf(name)] as const)

const SettingsJson = namedObject('Settings', {
  id: Type.Integer(),
  ...Object.fromEntries(schemas),
  // The weights in the server's own configuration may be fractions.
  repository_storages_weighted: Type.Record(Type.String(), Type.Number()),
})

/** The parameter that is required with a flag that is switched on (docs/api/settings.md, "Settings"). */
const companions = {
  enforce_terms: 'terms',
  domain_denylist_enabled: 'domain_denylist',
  require_two_factor_authentication: 'two_factor_grace_period',
  plantuml_enabled: 'plantuml_url',
  kroki_enabled: 'kroki_url',
  recaptcha_enabled: 'recaptcha_site_key',
  akismet_enabled: 'akismet_api_key',
} as const satisfies Partial<Record<SettingName, SettingName>>

const withCompanions: ParameterRule = (values) =>
  Object.entries(companions)
    .filter(([flag]) => ownValue(values, flag) === true)
    .filter(([, companion]) => ownValue(values, companion) === undefined)
    .map(([, companion]) => `${companion} is missing`)

/** Returns the messages of model validation: numbers must not be negative, and texts have a maximum length. */
function settingProblems(values: RawParameters): Record<string, string[]> {
  const problems: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number') {
      const least = positive.has(name) ? 1 : 0
      const words = least === 1 ? 'must be greater than 0' : 'must be greater than or equal to 0'
      if (value < least) problems[name] = [words]
      if (value > limits.integer_max)
        problems[name] = [`must be less than ${limits.integer_max + 1}`]
    }
    if (typeof value === 'string' && value.length > limits.setting_characters) {
      problems[name] = [`is too long (maximum is ${limits.setting_characters} characters)`]
    }
  }
  return problems
}

const positive: ReadonlySet<string> = new Set(
  settingNames.filter(
    (name) =>
      ['max_attachment_size', 'max_artifacts_size'].includes(name) ||
      /^throttle_.*_(period|seconds)$/.test(name),
  ),
)

/** Moves the value of a setting's former name to its present name, unless that is given too. */
function withAliases(given: RawParameters): RawParameters {
  const { allow_local_requests_from_hooks_and_services: former, ...values } = given
  if (former === undefined) return values
  return { allow_local_requests_from_web_hooks_and_services: former, ...values }
}

async function showSettings({ db, config }: Pick<Context<unknown, unknown>, 'db' | 'config'>) {
  const repository_storages_weighted = await readStorageWeights(db, config)
  return { id: 1, ...(await readSettings(db)), repository_storages_weighted }
}

/** Returns the changes for the audit event: texts may be secrets, so only their names are included. */
function changesForAudit(
  before: Settings,
  after: RawParameters,
): Record<string, { from: unknown; to: unknown }> {
  const told = settingNames.filter(
    (name) => ownValue(after, name) !== undefined && knownSettings[name].kind !== 'text',
  )
  const changes = told.map(
    (name) => [name, { from: before[name], to: ownValue(after, name) }] as const,
  )
  return Object.fromEntries(
    changes.filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  )
}

export const settingEndpoints = [
  endpoint({
    route: 'GET /application/settings',
    summary: 'Get the settings of the instance',
    allow: administrators,
    answer: SettingsJson,
    run: showSettings,
  }),

  endpoint({
    route: 'PUT /application/settings',
    summary: 'Change settings of the instance',
    allow: administrators,
    // The rate limits of this node are reloaded after the commit, so `run` opens the transaction itself.
    transaction: 'none',
    input: Type.Object(
      Object.fromEntries(schemas.map(([name, schema]) => [name, Type.Optional(schema)])),
    ),
    rules: [atLeastOneOf(...settingNames), withCompanions],
    answer: SettingsJson,
    async run(context) {
      const { db, clock, rateLimiter } = context
      const values = withAliases(context.input)
      const problems = settingProblems(values)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      await runTransaction(db, async (tx) => {
        const before = await readSettings(tx)
        await saveSettings(tx, values, timestamp(clock))
        await recordAuditEvent(
          { ...context, db: tx },
          {
            action: 'settings_changed',
            entity: { kind: 'instance', id: 0 },
            details: { names: Object.keys(values), changes: changesForAudit(before, values) },
          },
        )
      })
      await rateLimiter.reload()
      return showSettings(context)
    },
  }),
]
