// A good request for every endpoint there is, from the examples of the families.
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { Examples } from './examples.ts'
import type { Who, World } from './world.ts'

const features = join(import.meta.dirname, '../../src/features')
const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.examples.ts'),
)
const modules = await Promise.all(
  files.map(async (name) => {
    const { examples }: { examples: Examples } = await import(join(features, name))
    return { domain: name.split(sep)[0], examples }
  }),
)
const examples: Examples = Object.assign({}, ...modules.map((module) => module.examples))

/** The names of the endpoints that families of a domain have examples for. */
export const namesOf = (domain: string): Set<string> =>
  new Set(
    modules
      .filter((module) => module.domain === domain)
      .flatMap((module) => Object.keys(module.examples)),
  )

export const nameOf = ({ method, path }: Endpoint) =>
  `${method} ${path.replace(/\(\^[^)]*\)/g, '')}`

/** The example a family has for an endpoint. */
export function exampleOf(endpoint: Endpoint): Examples[string] {
  const example = examples[nameOf(endpoint)]
  if (!example) throw new Error(`No family has an example for ${nameOf(endpoint)}`)
  return example
}

/** Makes what the request is about; what is answered sends it, with `more` in its body, and tells the status. */
export async function askExample(
  world: World,
  endpoint: Endpoint,
  who: Who,
  more: object = {},
): Promise<() => Promise<number>> {
  const { path = {}, client = world.as(who), ...given } = await exampleOf(endpoint)(world, who)
  const isChanged = Object.keys(more).length > 0
  const body = isChanged ? { ...(given.body as object), ...more } : given.body
  const template = nameOf(endpoint).split(' ')[1] ?? ''
  const url = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(body as Record<string, string>).toString()
    return async () => (await client.get(query ? `${url}?${query}` : url)).statusCode
  }
  const method = endpoint.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  return async () => (await client[method](url, body)).statusCode
}
