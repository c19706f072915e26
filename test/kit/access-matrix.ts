// Who may do what, as committed tables: every endpoint of a domain times everybody. A change of a permission is a
// visible line in docs/access-matrix/. UPDATE=1 npm test -- test/access-matrix rewrites the tables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { askExample, nameOf, namesOf } from './every-example.ts'
import { forgetKept } from './examples.ts'
import { everybody, newWorld, sharedApp, type World, type WorldOptions } from './world.ts'

const folder = join(import.meta.dirname, '../../docs/access-matrix')

type Variant = {
  file: string
  title: string
  /** What the requests are about. */
  about: string
  options: WorldOptions
  /** Whether an endpoint may answer otherwise than in the private world with protected branches. */
  concerns: (endpoint: Endpoint) => boolean
}

const isOfProjectOrGroup = ({ path }: Endpoint) =>
  /^\/(projects|groups|jobs?|ci|runners)\b/.test(path)

const isOfBranch = ({ path }: Endpoint) =>
  /^\/projects\b.*\/(repository|merge_requests|protected_|releases|statuses|pipeline|trigger|jobs|deployments|environments)/.test(
    path,
  )

const privately: Variant = {
  file: '',
  title: 'private projects and groups',
  about:
    'a private project or group of which the roles are members; its default branch is protected',
  options: {},
  concerns: () => true,
}
/** Of these only the lines are kept that differ from those of `privately`. */
const others: readonly Variant[] = [
  {
    file: '-internal',
    title: 'internal projects and groups',
    about: 'an internal project or group',
    options: { visibility: 'internal' },
    concerns: isOfProjectOrGroup,
  },
  {
    file: '-public',
    title: 'public projects and groups',
    about: 'a public project or group',
    options: { visibility: 'public' },
    concerns: isOfProjectOrGroup,
  },
  {
    file: '-unprotected',
    title: 'branches that are not protected',
    about: 'a private project whose default branch is not protected',
    options: { protectedBranches: 'none' },
    concerns: isOfBranch,
  },
  {
    file: '-protected',
    title: 'branches that are all protected',
    about: 'a private project of which every branch is protected',
    options: { protectedBranches: 'all' },
    concerns: isOfBranch,
  },
]

/** The status that everybody gets for a good request about what nobody has changed, in the order of `everybody`. */
async function askEverybody(world: World, endpoint: Endpoint): Promise<number[]> {
  const statuses: number[] = []
  for (const who of everybody) {
    const status = await (await askExample(world, endpoint, who))()
    statuses.push(status)
    if (isChange(endpoint, status)) forgetKept(world)
  }
  return statuses
}

/**
 * The same where tables have the statuses, with a third of the work: whoever is refused is asked first, about what nobody has
 * changed, and the others change the same thing one after another. Whoever gets another status than that of the table is asked
 * again, about a new thing.
 */
async function confirmStatuses(
  world: World,
  endpoint: Endpoint,
  known: readonly number[],
): Promise<number[]> {
  const statuses = [...known]
  const callers = everybody.map((who, at) => ({ who, at, status: known[at] ?? 0 }))
  const [refused = [], others = []] = [false, true].map((changes) =>
    callers.filter(({ status }) => isChange(endpoint, status) === changes),
  )
  for (const { who, at, status } of [...refused, ...others]) {
    const ask = async () => (await askExample(world, endpoint, who))()
    // What was changed may be gone, so that not even the example can be made.
    if ((await ask().catch(() => undefined)) === status) continue
    forgetKept(world)
    statuses[at] = await ask()
    forgetKept(world)
  }
  if (others.length > 0) forgetKept(world)
  return statuses
}

function isChange({ method }: Endpoint, status: number): boolean {
  return method !== 'GET' && status < 300
}

/**
 * A table's lines, by the name of the endpoint. The table of private projects and groups is asked anew on SQLite, everybody about
 * a thing of their own; the others differ from it in rules about places, or in what a database does.
 */
async function askAll(
  domain: string,
  variant: Variant,
  asked: readonly Endpoint[],
): Promise<Map<string, string>> {
  const world = await newWorld(await sharedApp(), variant.options)
  const isAnew = process.env.UPDATE || (variant === privately && process.env.TEST_DB !== 'postgres')
  const known = isAnew ? new Map() : readStatuses(domain, variant)
  const lines = new Map<string, string>()
  for (const endpoint of asked) {
    const name = labelOf(endpoint)
    const expected = known.get(name)
    const statuses = expected
      ? await confirmStatuses(world, endpoint, expected)
      : await askEverybody(world, endpoint)
    lines.set(nameOf(endpoint), `| ${name} | ${statuses.join(' | ')} |`)
  }
  return lines
}

const labelOf = (endpoint: Endpoint) =>
  nameOf(endpoint) + (endpoint.tier === 'free' ? '' : ` (${endpoint.tier})`)

/** What the tables say of a variant, by the label of the endpoint. */
function readStatuses(domain: string, variant: Variant): Map<string, number[]> {
  const statuses = new Map<string, number[]>()
  for (const table of [privately, variant]) {
    for (const line of readLines(domain, table)) {
      const [label = '', ...cells] = line.slice(2, -2).split(' | ')
      if (cells.length === everybody.length) statuses.set(label, cells.map(Number))
    }
  }
  return statuses
}

function pathOf(domain: string, { file }: Variant): string {
  return join(folder, `${domain}${file}.md`)
}

function documentOf(domain: string, variant: Variant, lines: readonly string[]): string {
  const only =
    variant === privately
      ? []
      : [`Only operations that answer otherwise than [there](${domain}.md).`]
  return [
    `# Who may do what: ${domain}, ${variant.title}`,
    '',
    `The status each caller gets for a good request about ${variant.about}.`,
    ...only,
    'Made by `test/access-matrix`, which fails when it is no longer true.',
    '',
    `| operation | ${everybody.join(' | ')} |`,
    `|---|${everybody.map(() => '---|').join('')}`,
    ...lines,
    '',
  ].join('\n')
}

function compare(domain: string, variant: Variant, lines: readonly string[]): void {
  const document = documentOf(domain, variant, lines)
  const path = pathOf(domain, variant)
  if (process.env.UPDATE) writeFileSync(path, document)
  expect(document).toBe(readFileSync(path, 'utf8'))
}

/** The lines of a table that is committed already. */
function readLines(domain: string, variant: Variant): Set<string> {
  return new Set(readFileSync(pathOf(domain, variant), 'utf8').split('\n'))
}

function endpointsOf(domain: string): Endpoint[] {
  const names = namesOf(domain)
  return endpoints.filter((endpoint) => names.has(nameOf(endpoint)))
}

/** The test of a domain's table of private projects and groups, where branches are protected. */
export function describePrivateMatrix(domain: string): void {
  it(`${domain}: is as its table says`, { timeout: 300_000 }, async () => {
    const lines = await askAll(domain, privately, endpointsOf(domain))
    compare(domain, privately, [...lines.values()])
  })
}

/**
 * The tests of a domain's further tables, each beside the first one: of internal and public projects and groups, and of
 * branches that are not protected.
 */
export function describeFurtherMatrices(domain: string): void {
  const asked = endpointsOf(domain)
  const variants = others.filter(({ concerns }) => asked.some(concerns))
  describe(domain, () => {
    it.each(variants)('is as its table of $title says', { timeout: 300_000 }, async (variant) => {
      const known = readLines(domain, privately)
      const lines = await askAll(domain, variant, asked.filter(variant.concerns))
      compare(
        domain,
        variant,
        [...lines.values()].filter((line) => !known.has(line)),
      )
    })
  })
}
