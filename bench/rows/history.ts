// Answers that need a walk through the history: the first read of a file at a commit, and blame.
import { type Bench, fileUrl, projectOf } from '../bench.ts'
import { callWell } from '../client.ts'
import { ordinaryPath, paths } from '../histories.ts'
import { runGit } from '../machine.ts'
import { median, time_ms, timePairs } from '../measure.ts'
import { atMost, below, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

/** Commits spread over the history, newest first; a later call answers others. */
async function someCommits(bench: Bench, repository: string, count: number): Promise<string[]> {
  const listed = await runGit([`--git-dir=${repository}`, 'rev-list', '--first-parent', 'main'])
  // Not the very first ones, where the files do not exist yet.
  const all = listed.trim().split('\n').slice(0, -2)
  // The golden ratio spreads the calls' places evenly, far enough apart to be cold.
  const shift = (bench.nextNumber() * 0.618_034) % 1
  return Array.from({ length: count }, (_, index) => {
    return all[Math.floor(((index + shift) * all.length) / count)] ?? ''
  })
}

async function open(bench: Bench, name: string) {
  const site = await bench.repositorySite()
  const project = projectOf(site, name)
  const { server, headers } = await bench.serve(site)
  const read = (path: string, rest: string) =>
    callWell(server.url + fileUrl(project, path, rest), { headers })
  return { project, read }
}

function coldRow(name: string, repository: string, pathAt: (index: number) => string): Row {
  return {
    name: `first GET file at a commit, ${name}`,
    goal: atMost(2),
    async measure(bench) {
      const { project, read } = await open(bench, repository)
      const commits = await someCommits(bench, project.repository, bench.sizes.samples)
      await read(paths.read, '?ref=main')
      const { floor_ms, ours_ms } = await timePairs(
        commits.map((commit, index) => ({
          floor: () =>
            runGit([
              ...[`--git-dir=${project.repository}`, 'rev-list', '-1', commit],
              ...['--', pathAt(index)],
            ]),
          ours: () => read(pathAt(index), `?ref=${commit}`),
        })),
      )
      return {
        floor: { value: floor_ms, unit: 'ms', of: 'git rev-list -1' },
        ours: { value: ours_ms, unit: 'ms' },
        note: 'medians',
      }
    },
  }
}

function firstBlame(name: string, repository: string): Row {
  return {
    name: `blame, first request, ${name}`,
    goal: atMost(2),
    async measure(bench) {
      const { project, read } = await open(bench, repository)
      const commits = await someCommits(bench, project.repository, 8)
      const { floor_ms, ours_ms } = await timePairs(
        commits.map((commit) => ({
          floor: () =>
            runGit([
              ...[`--git-dir=${project.repository}`, 'blame', '--porcelain', commit],
              ...['--', paths.blamed],
            ]),
          ours: () => read(paths.blamed, `/blame?ref=${commit}`),
        })),
      )
      return {
        floor: { value: floor_ms, unit: 'ms', of: 'git blame' },
        ours: { value: ours_ms, unit: 'ms' },
        note: 'medians of 8; 2000 lines',
      }
    },
  }
}

function secondBlame(name: string, repository: string): Row {
  return {
    name: `blame, second request, ${name}`,
    goal: below(10, 'ms'),
    async measure(bench) {
      const { read } = await open(bench, repository)
      const ask = () => read(paths.blamed, '/blame?ref=main')
      await ask()
      const times: number[] = []
      for (let sample = 0; sample < bench.sizes.samples; sample++) times.push(await time_ms(ask))
      const ours = { value: median(times), unit: 'ms' as const }
      return { ours, note: `slowest ${Math.max(...times).toFixed(1)} ms; 2000 lines` }
    },
  }
}

export function historyRows({ commits }: Sizes): Row[] {
  const [few, many] = commits
  return [
    coldRow(`${few} commits`, 'plain', ordinaryPath),
    coldRow(`${many} commits`, 'long', ordinaryPath),
    coldRow(`${many} commits, oldest path`, 'long', () => paths.old),
    firstBlame(`${few} commits`, 'plain'),
    firstBlame(`${many} commits`, 'long'),
    secondBlame(`${many} commits`, 'long'),
  ]
}
