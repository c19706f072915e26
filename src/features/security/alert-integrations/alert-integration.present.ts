import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import type { AlertIntegration } from './alert-integration.ts'

export const alertIntegrationTypes = ['http', 'prometheus'] as const
export const alertFieldMappingTypes = ['STRING', 'ARRAY', 'DATETIME', 'NUMBER'] as const

const MappingJson = namedObject('AlertMapping', {
  field_name: Type.String(),
  path: Type.Array(Type.String()),
  type: oneOf(alertFieldMappingTypes),
  label: nullableText,
})

export const AlertIntegrationJson = namedObject('AlertIntegration', {
  id: Type.Integer(),
  name: nullableText,
  type: oneOf(alertIntegrationTypes),
  active: Type.Boolean(),
  url: Type.String(),
  token: Type.String(),
  payload_example: Type.Optional(nullable(Type.Unknown())),
  payload_attribute_mappings: Type.Optional(Type.Array(MappingJson)),
})

/** Presents an integration for Maintainers, with its key. Mappings are included on paid tiers. */
export function presentAlertIntegration(
  { id, name, type, active, ...row }: AlertIntegration,
  {
    subject: project,
    baseUrl,
    secretKey,
    config,
  }: { subject: Project; baseUrl: string; secretKey: Buffer; config: { tier: Tier } },
): Static<typeof AlertIntegrationJson> {
  const { identifier, token, payload_example, payload_attribute_mappings } = row
  const tail =
    type === 'prometheus'
      ? 'prometheus/alerts/notify'
      : `alerts/notify/${slugOf(name)}/${identifier}`
  return {
    id,
    name,
    type,
    active,
    url: `${projectUrl(baseUrl, project)}/${tail}.json`,
    token: openSecret(secretKey, token),
    ...(config.tier !== 'free' && {
      payload_example: payload_example === null ? null : JSON.parse(payload_example),
      payload_attribute_mappings,
    }),
  }
}

/** Returns the name for use in a URL; the URL works with any name. */
function slugOf(name: string | null): string {
  const words = (name ?? '').toLowerCase().split(/[^a-z0-9]/)
  return words.filter((word) => word !== '').join('-') || 'http-endpoint'
}
