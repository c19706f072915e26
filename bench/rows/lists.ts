// Lists of commits and branches, one branch, one commit, and diffs: warm beside a bare server, cold
// beside git.
import { type Bench, projectOf } from '../bench.ts'
import { callWell } from '../client.ts'
import { rateOf } from '../load.ts'
import { runGit } from '../machine.ts'
import { median, time_ms, timePairs } from '../measure.ts'
import { atLeast, atMost, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

async function open(bench: Bench, name: string) {
  const site = await bench.repositorySite()
  const project = projectOf(site, name)
  const { server, headers } = await bench.serve(site)
  const url = `${server.url}/api/v4/projects/${project.id}/repository`
  return { project, url, headers, get: (path: string) => callWell(url + path, { headers }) }
}

function warm(name: string, goal: number, repository: string, path: string): Row {
  return {
    name,
    goal: atLeast(goal),
    async measure(bench) {
      const { url, headers } = await open(bench, repository)
      const bare = await bench.floorServer()
      const duration_s = bench.sizes.rate_s
      const floor = await rateOf(`${bare.url}/things/thing-5`, { duration_s })
      const ours = await rateOf(url + path, { duration_s, headers })
      return {
        floor: { value: floor, unit: '/s', of: 'bare Fastify, one look-up' },
        ours: { value: ours, unit: '/s' },
      }
    },
  }
}

/** Commits that nobody has asked for yet, as places before the tip. */
async function coldPlaces(bench: Bench, repository: string, count: number): Promise<string[]> {
  const all = (
    await runGit([`--git-dir=${repository}`, 'rev-list', '--first-parent', 'main'])
  ).split('\n')
  const shift = (bench.nextNumber() * 0.618_034) % 1
  const most = all.length - 50
  return Array.from({ length: count }, (_, index) => {
    return all[Math.floor(((index + shift) * most) / count)] ?? ''
  })
}

function coldList(name: string, repository: string): Row {
  return {
    name: `first GET commits, ${name}`,
    goal: atMost(2),
    async measure(bench) {
      const { project, get } = await open(bench, repository)
      await get('/commits')
      const places = await coldPlaces(bench, project.repository, bench.sizes.samples)
      const { floor_ms, ours_ms } = await timePairs(
        places.map((place) => ({
          floor: () => runGit([`--git-dir=${project.repository}`, 'log', '-20', place]),
          ours: () => get(`/commits?ref_name=${place}`),
        })),
      )
      return {
        floor: { value: floor_ms, unit: 'ms', of: 'git log -20' },
        ours: { value: ours_ms, unit: 'ms' },
        note: 'medians',
      }
    },
  }
}

function coldDiff(name: string, repository: string): Row {
  return {
    name: `first GET diff, ${name}`,
    goal: atMost(2),
    async measure(bench) {
      const { project, get } = await open(bench, repository)
      await get('/commits')
      const places = await coldPlaces(bench, project.repository, bench.sizes.samples)
      const { floor_ms, ours_ms } = await timePairs(
        places.map((place) => ({
          floor: () => runGit([`--git-dir=${project.repository}`, 'diff-tree', '-p', place]),
          ours: () => get(`/commits/${place}/diff`),
        })),
      )
      return {
        floor: { value: floor_ms, unit: 'ms', of: 'git diff-tree -p' },
        ours: { value: ours_ms, unit: 'ms' },
        note: 'medians',
      }
    },
  }
}

/** The whole list of names by git once, beside one page of branches by us. */
function branches(name: string, path: string): Row {
  return {
    name,
    goal: atMost(0.5),
    async measure(bench) {
      const { project, get } = await open(bench, 'branchy')
      const first_ms = await time_ms(() => get(path))
      const floors: number[] = []
      const ours: number[] = []
      for (let sample = 0; sample < bench.sizes.samples; sample++) {
        const repository = `--git-dir=${project.repository}`
        floors.push(await time_ms(() => runGit([repository, 'for-each-ref', 'refs/heads'])))
        ours.push(await time_ms(() => get(path)))
      }
      return {
        floor: { value: median(floors), unit: 'ms', of: 'git for-each-ref' },
        ours: { value: median(ours), unit: 'ms' },
        note: `medians; the very first took ${first_ms.toFixed(0)} ms`,
      }
    },
  }
}

export function listRows({ commits, branches: counts }: Sizes): Row[] {
  const [few, many] = commits
  const [, most] = counts
  return [
    warm(`GET branch, ${few} commits`, 0.25, 'plain', '/branches/main'),
    warm(`GET branch, ${most} branches`, 0.25, 'branchy', '/branches/branch-00005'),
    warm(`GET commit, ${few} commits`, 0.25, 'plain', '/commits/main'),
    warm(`GET commit, ${many} commits`, 0.25, 'long', '/commits/main'),
    warm(`GET commits, ${few} commits`, 0.15, 'plain', '/commits?per_page=20'),
    warm(`GET commits, ${many} commits`, 0.15, 'long', '/commits?per_page=20'),
    coldList(`${few} commits`, 'plain'),
    coldList(`${many} commits`, 'long'),
    warm(`GET diff, ${many} commits`, 0.15, 'long', '/commits/main/diff'),
    coldDiff(`${many} commits`, 'long'),
    branches(`GET branches, ${most} branches`, '/branches'),
    branches(`GET branches?search=, ${most} branches`, '/branches?search=0777'),
  ]
}
