import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { apiVersion, revision } from '../../../kernel/version.ts'

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
]
