import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { namedObject } from '../../../http/schema.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { apiVersion, serverRevision } from '../../../kernel/version.ts'
import { ConfigurationJson, describeConfiguration } from './configuration.ts'
import { HealthJson, readHealth } from './health.ts'
import { countActiveUsers, countEverything } from './statistics.store.ts'

const tag = 'Instance'
const endpoint = endpointFactory({ tag, scope: 'read_user' })
const ofServer = endpointFactory({ tag })

const MetadataJson = namedObject('InstanceMetadata', {
  version: Type.String(),
  revision: Type.String(),
  kas: Type.Object({
    enabled: Type.Boolean(),
    externalUrl: Type.Null(),
    version: Type.Null(),
  }),
  enterprise: Type.Boolean(),
})

const StatisticsJson = namedObject('InstanceStatistics', {
  forks: Type.String(),
  issues: Type.String(),
  merge_requests: Type.String(),
  notes: Type.String(),
  snippets: Type.String(),
  ssh_keys: Type.String(),
  milestones: Type.String(),
  users: Type.String(),
  groups: Type.String(),
  projects: Type.String(),
  active_users: Type.String(),
})

function metadata({ tier }: Config) {
  const isPaidTier = tier !== 'free'
  return {
    version: isPaidTier ? `${apiVersion}-ee` : apiVersion,
    revision: serverRevision,
    kas: { enabled: false, externalUrl: null, version: null },
    enterprise: isPaidTier,
  }
}

const LicenseJson = namedObject('License', {
  id: Type.Integer(),
  plan: Type.String(),
  created_at: Type.String(),
  starts_at: Type.String(),
  expires_at: Type.Null(),
  historical_max: Type.Integer(),
  maximum_user_count: Type.Integer(),
  licensee: Type.Record(Type.String(), Type.String()),
  add_ons: Type.Record(Type.String(), Type.Integer()),
  expired: Type.Boolean(),
  overage: Type.Integer(),
  user_limit: Type.Integer(),
  active_users: Type.Integer(),
})

/** The id of the only licence. There is no key: the plan is the configured tier, without expiry. */
const theLicense = 1

export const instanceEndpoints = [
  endpoint({
    route: 'GET /license',
    summary: 'Get the license of the instance',
    tier: 'premium',
    allow: administrators,
    answer: LicenseJson,
    async run({ db, config }) {
      const { active_users, since } = await countActiveUsers(db)
      return {
        id: theLicense,
        plan: config.tier,
        created_at: since,
        starts_at: since.slice(0, 10),
        expires_at: null,
        historical_max: active_users,
        maximum_user_count: active_users,
        licensee: {},
        add_ons: {},
        expired: false,
        overage: 0,
        user_limit: 0,
        active_users,
      }
    },
  }),
  endpoint({
    route: 'POST /license',
    summary: 'Add a license key (not needed, always refused)',
    tier: 'premium',
    allow: administrators,
    input: Type.Object({ license: Type.String() }),
    status: 201,
    answer: LicenseJson,
    async run() {
      throw invalid({ license: ['The license key is invalid.'] })
    },
  }),
  endpoint({
    route: 'DELETE /license/:id',
    summary: 'Delete a license key (there is none)',
    tier: 'premium',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run() {
      throw recordNotFound()
    },
  }),
  endpoint({
    route: 'GET /version',
    summary: 'Get the version of the API',
    allow: anyone,
    answer: MetadataJson,
    run: async ({ config }) => metadata(config),
  }),
  endpoint({
    route: 'GET /metadata',
    summary: 'Get metadata of the instance',
    allow: anyone,
    answer: MetadataJson,
    run: async ({ config }) => metadata(config),
  }),
  endpoint({
    route: 'GET /application/statistics',
    summary: 'Get statistics of the instance',
    allow: administrators,
    answer: StatisticsJson,
    run: ({ db }) => countEverything(db),
  }),
  ofServer({
    route: 'GET /admin/health',
    summary:
      'Get how the instance fares: disks, background tasks, emails, runners, the last backup',
    allow: administrators,
    answer: HealthJson,
    run: readHealth,
  }),
  ofServer({
    route: 'GET /admin/configuration',
    summary: 'List the configuration of the server, without secrets',
    allow: administrators,
    answer: ConfigurationJson,
    run: async ({ config }) => describeConfiguration(config),
  }),
]
