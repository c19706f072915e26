// Discovery documents (RFC 8414; OpenID Connect Discovery; RFC 7033).

import type { FastifyInstance } from 'fastify'
import { oauthScopes } from '../../access/actor.ts'
import { listPublicKeys } from '../../features/people/oauth/signing-key.ts'
import { oauthGrantTypes } from '../../features/people/oauth/token-endpoints.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Instance } from '../../http/endpoint.ts'
import { queryParametersOf } from './form.ts'

const claims = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'sub_legacy',
  'name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'website',
  'profile',
  'picture',
  'groups',
  'groups_direct',
  'https://gitlab.org/claims/groups/owner',
  'https://gitlab.org/claims/groups/maintainer',
  'https://gitlab.org/claims/groups/developer',
]

function metadataOf(baseUrl: string): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    device_authorization_endpoint: `${baseUrl}/oauth/authorize_device`,
    jwks_uri: `${baseUrl}/oauth/discovery/keys`,
    scopes_supported: oauthScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: oauthGrantTypes,
    // `none`: applications without a secret, which name themselves alone.
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claim_types_supported: ['normal'],
    claims_supported: claims,
    code_challenge_methods_supported: ['plain', 'S256'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/** Serves the discovery documents, without sign-in. */
export function mountDiscovery(
  app: FastifyInstance,
  uses: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
): void {
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    app.get(`/.well-known/${name}`, async (request) => metadataOf(baseUrlOf(uses.config, request)))
  }
  for (const path of ['/oauth/discovery/keys', '/-/jwks']) {
    app.get(path, async () => ({ keys: await listPublicKeys(uses) }))
  }
  app.get('/.well-known/webfinger', async (request, reply) => {
    const { resource = '' } = queryParametersOf(request)
    if (resource === '') {
      return reply.code(400).send({ error: 'param is missing or the value is empty: resource' })
    }
    const href = baseUrlOf(uses.config, request)
    const links = [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href }]
    return reply
      .header('content-type', 'application/jrd+json')
      .send(JSON.stringify({ subject: resource, links }))
  })
}
