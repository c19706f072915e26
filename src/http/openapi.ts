// The OpenAPI 3.1 document of the endpoints that are served, and a page that shows it.

import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { Config } from '../config.ts'
import { refusalKinds } from '../kernel/errors.ts'
import { ownValue } from '../kernel/own-value.ts'
import { serverVersion } from '../kernel/version.ts'
import { mountApiPage } from './api-page.ts'
import { baseUrlOf } from './base-url.ts'
import { type Endpoint, isTierSufficient } from './endpoint.ts'
import { sessionCookieName } from './session-cookie.ts'

const credentials = [{ token: [] }, { session: [] }]

type Json = Record<string, unknown>

/** The schemas of records by their names, filled while operations are described. */
type Records = Map<string, Json>

/**
 * Keywords that are omitted from the document: our own ones, and the media type of a body, which is written beside its
 * schema.
 */
const ownKeywords = new Set(['notBlank', 'excluded', 'contentMediaType'])

/** Returns a schema for the document. A named record (schema.ts) is described once, and referenced by its name. */
function plain(schema: unknown, records: Records): unknown {
  if (Array.isArray(schema)) return schema.map((one) => plain(one, records))
  if (schema === null || typeof schema !== 'object') return schema
  const { title, ...untitled } = schema as Json
  if (typeof title !== 'string') return plainly(schema as Json, records)
  if (!records.has(title)) records.set(title, plainly(untitled, records))
  return { $ref: `#/components/schemas/${title}` }
}

function plainly(schema: Json, records: Records): Json {
  if (schema.format === 'file') return { type: 'string', format: 'binary' }
  const kept = Object.entries(schema).filter(([name]) => !ownKeywords.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      value === 'content' && name === 'format' ? 'binary' : plain(value, records),
    ]),
  )
}

/** `/users/:id(^\\d+$)` to `/users/{id}`. */
function templateOf(path: string): string {
  return path.replace(/\(\^[^()]*\)/g, '').replace(/:(\w+)/g, '{$1}')
}

/** `/projects/{id}/-/search` to `ProjectsIdDashSearch`: the dash alone may tell two paths apart. */
function idOf(template: string): string {
  const words = template.replaceAll('/-/', '/dash/').split(/[^A-Za-z0-9]+/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function operationOf(endpoint: Endpoint, records: Records): Json {
  const template = templateOf(endpoint.path)
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const input = (endpoint.input ?? { properties: {} }) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  const declared = { ...endpoint.on?.parameters, ...input.properties }
  const parameters: Json[] = inPath.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: plain(ownValue(declared, name) ?? { type: 'string' }, records),
  }))
  const others = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && others.length > 0
  if (!hasBody) {
    for (const [name, schema] of others) {
      const isList = (schema as { type?: string }).type === 'array'
      parameters.push({
        name,
        in: 'query',
        required: input.required?.includes(name) ?? false,
        schema: plain(schema, records),
        // As `a,b`, which is accepted for every list.
        ...(isList ? { style: 'form', explode: false } : {}),
      })
    }
  }
  const body = {
    type: 'object',
    properties: Object.fromEntries(others.map(([name, schema]) => [name, plain(schema, records)])),
    required: (input.required ?? []).filter((name) => !inPath.includes(name)),
  }
  // A file comes with a form. Everything else may too, but usually comes as JSON.
  const takesFile = JSON.stringify(others).includes('"format":"file"')
  const types = ['application/json', ...(takesFile ? ['multipart/form-data'] : [])]
  const content = Object.fromEntries(types.map((type) => [type, { schema: body }]))
  return {
    summary: endpoint.summary,
    operationId: endpoint.method.toLowerCase() + idOf(template),
    tags: [endpoint.tag],
    parameters,
    ...(hasBody ? { requestBody: { content } } : {}),
    responses: responsesOf(endpoint, records),
    ...(endpoint.signIn === 'never' ? { security: [{}, ...credentials] } : {}),
    ...(endpoint.signIn === 'ignored' ? { security: [{}] } : {}),
  }
}

function responsesOf(endpoint: Endpoint, records: Records): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(endpoint.answers)) {
    responses[status] = {
      description: 'Success',
      ...(schema ? { content: contentOf(schema, records) } : {}),
    }
  }
  for (const status of refusalStatuses) {
    responses[status] = { $ref: `#/components/responses/Refused${status}` }
  }
  return responses
}

/** Describes a body by its media type. One that may be text or JSON has both types. */
function contentOf(schema: TSchema, records: Records): Json {
  const { anyOf = [] } = schema as { anyOf?: TSchema[] }
  const alone = anyOf.some(typeOf) ? anyOf : [schema]
  return Object.fromEntries(
    alone.map((one) => [typeOf(one) ?? 'application/json', { schema: plain(one, records) }]),
  )
}

/** The type of a body that is not JSON. */
const typeOf = (schema: TSchema) => (schema as { contentMediaType?: string }).contentMediaType

const refusalStatuses = [400, 401, 403, 404]

/** The error responses that every operation may return, referenced by name. */
function refusedResponses(): Json {
  const named = refusalStatuses.map((status) => {
    const kind = Object.entries(refusalKinds).find(([, refusal]) => refusal.status === status)?.[0]
    const schema = { $ref: '#/components/schemas/Error' }
    const content = { 'application/json': { schema } }
    return [`Refused${status}`, { description: kind ?? 'Refused', content }]
  })
  return Object.fromEntries(named)
}

/** Returns the HEAD operation for a GET: the same responses without bodies. */
function headOf(operation: Json): Json {
  const responses = Object.entries(operation.responses as Record<string, Json>)
  return {
    ...operation,
    operationId: String(operation.operationId).replace(/^get/, 'head'),
    responses: Object.fromEntries(
      responses.map(([status, { content: _, ...rest }]) => [status, rest]),
    ),
  }
}

/**
 * Returns the OpenAPI document without its server, which depends on the request. `baseUrl` is the configured one, if any.
 */
export function describeOpenApi(endpoints: readonly Endpoint[], baseUrl = ''): Json {
  const paths: Record<string, Json> = {}
  const records: Records = new Map()
  records.set('Error', {
    type: 'object',
    properties: { message: {}, error: {}, error_description: { type: 'string' } },
  })
  for (const endpoint of endpoints) {
    const template = templateOf(endpoint.path)
    const operation = operationOf(endpoint, records)
    paths[template] = {
      ...ownValue(paths, template),
      [endpoint.method.toLowerCase()]: operation,
      ...(endpoint.method === 'GET' ? { head: headOf(operation) } : {}),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bloomery', version: serverVersion },
    security: credentials,
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(baseUrl),
          description: 'Writes need the header X-CSRF-Token too.',
        },
      },
      schemas: Object.fromEntries(records),
      responses: refusedResponses(),
    },
  }
}

/** Serves `openapi.json` and its page, without sign-in, below the API's prefix. */
export function mountOpenApi(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  config: Config,
): void {
  const served = endpoints.filter(({ tier }) => isTierSufficient(config.tier, tier))
  let document: object | undefined
  app.get('/openapi.json', async (request, reply) => {
    // Created at the first request, since it is rarely read.
    document ??= describeOpenApi(served, config.url)
    const servers = [{ url: `${baseUrlOf(config, request)}/api/v4` }]
    return reply
      .header('content-type', 'application/json')
      .send(JSON.stringify({ ...document, servers }))
  })
  mountApiPage(app)
}
