// Warm reads at 16 connections beside a bare server with one look-up, and beside starting git.
import { type Bench, fileUrl, projectOf } from '../bench.ts'
import { paths } from '../histories.ts'
import { rateOf } from '../load.ts'
import { runGit, runScript } from '../machine.ts'
import { atLeast, type Figure, type Row } from '../row.ts'
import type { Site, SiteProject } from '../site.ts'
import type { Sizes } from '../sizes.ts'
import type { SpawnRate } from '../spawn-loop.ts'

const kinds = ['GET user', 'GET file', 'GET raw'] as const
type Kind = (typeof kinds)[number]
type Where = (bench: Bench) => Promise<{ site: Site; project: SiteProject }>

function urlOf(kind: Kind, project: SiteProject): string {
  if (kind === 'GET user') return '/api/v4/user'
  return fileUrl(project, paths.read, kind === 'GET raw' ? '/raw?ref=main' : '?ref=main')
}

async function rateOfOurs(bench: Bench, kind: Kind, where: Where): Promise<Figure> {
  const { site, project } = await where(bench)
  const { server, headers } = await bench.serve(site)
  const options = { duration_s: bench.sizes.rate_s, headers }
  return { value: await rateOf(server.url + urlOf(kind, project), options), unit: '/s' }
}

async function rateOfBareServer(bench: Bench): Promise<Figure> {
  const { url } = await bench.floorServer()
  const value = await rateOf(`${url}/things/thing-5`, { duration_s: bench.sizes.rate_s })
  return { value, unit: '/s', of: 'bare Fastify, one look-up' }
}

async function rateOfSpawning(bench: Bench, project: SiteProject): Promise<Figure> {
  const blob = await runGit([`--git-dir=${project.repository}`, 'rev-parse', `main:${paths.read}`])
  const { rate } = await runScript<SpawnRate>(new URL('../spawn-loop.ts', import.meta.url), [
    'rate',
    String(bench.sizes.rate_s),
    ...[`--git-dir=${project.repository}`, 'cat-file', 'blob', blob.trim()],
  ])
  return { value: rate, unit: '/s', of: 'spawning git cat-file' }
}

function besideBareServer(kind: Kind, name: string, where: Where): Row {
  return {
    name: `${kind}, ${name}`,
    goal: atLeast(0.25),
    async measure(bench) {
      await where(bench)
      return { floor: await rateOfBareServer(bench), ours: await rateOfOurs(bench, kind, where) }
    },
  }
}

function besideSpawning(kind: Kind, where: Where): Row {
  return {
    name: `${kind} beside git`,
    goal: atLeast(20),
    async measure(bench) {
      const { project } = await where(bench)
      return {
        floor: await rateOfSpawning(bench, project),
        ours: await rateOfOurs(bench, kind, where),
      }
    },
  }
}

export function readRows({ projects, commits, branches }: Sizes): Row[] {
  const inMass =
    (count: number): Where =>
    async (bench) => {
      const site = await bench.massSite(count)
      return { site, project: projectOf(site, 'plain') }
    }
  const inRepository =
    (name: string): Where =>
    async (bench) => {
      const site = await bench.repositorySite()
      return { site, project: projectOf(site, name) }
    }
  const fewest = inMass(projects[0] ?? 100)
  return [
    ...projects.flatMap((count) =>
      kinds.map((kind) => besideBareServer(kind, `${count} projects`, inMass(count))),
    ),
    ...(['GET file', 'GET raw'] as const).flatMap((kind) => [
      besideBareServer(kind, `${commits[1]} commits`, inRepository('long')),
      besideBareServer(kind, `${branches[1]} branches`, inRepository('branchy')),
    ]),
    besideSpawning('GET file', fewest),
    besideSpawning('GET raw', fewest),
  ]
}
