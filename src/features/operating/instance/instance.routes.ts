import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { apiVersion, revision } from '../../../kernel/version.ts'
import { countEverything } from './statistics.store.ts'

const endpoint = endpointsWith({ tag: 'Instance', scope: 'read_user' })

const MetadataJson = Type.Object({
  version: Type.String(),
  revision: Type.String(),
  kas: Type.Object({
    enabled: Type.Boolean(),
    externalUrl: Type.Null(),
    version: Type.Null(),
  }),
  enterprise: Type.Boolean(),
})

const StatisticsJson = Type.Object({
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
    revision,
    kas: { enabled: false, externalUrl: null, version: null },
    enterprise: isPaidTier,
  }
}

export const instanceEndpoints = [
  endpoint({
    route: 'GET /version',
    summary: 'Get the version of the API',
    allow: anyone,
    answer: MetadataJson,
    run: async ({ config }) => metadata(config),
  }),
  endpoint({
    route: 'GET /metadata',
    summary: 'Get facts about the instance',
    allow: anyone,
    answer: MetadataJson,
    run: async ({ config }) => metadata(config),
  }),
  endpoint({
    route: 'GET /application/statistics',
    summary: 'Count what is on the instance',
    allow: administrators,
    answer: StatisticsJson,
    run: ({ db }) => countEverything(db),
  }),
]
