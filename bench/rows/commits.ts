// Commits of three actions through the API, one after another and four at a time, each beside one
// `git fast-import` process a commit on a copy of the repository.
import { cp } from 'node:fs/promises'
import { type Bench, projectOf } from '../bench.ts'
import { callWell } from '../client.ts'
import { paths, threeActions } from '../histories.ts'
import { runGit } from '../machine.ts'
import { time_ms } from '../measure.ts'
import { atMost, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

type CommitOne = (branch: string, number: number) => Promise<unknown>

/** Each lane commits to a branch of its own; answers the time a commit. */
async function timeCommits(commit: CommitOne, branches: readonly string[], count: number) {
  const each = Math.ceil(count / branches.length)
  const whole_ms = await time_ms(() =>
    Promise.all(
      branches.map(async (branch) => {
        for (let number = 0; number < each; number++) await commit(branch, number)
      }),
    ),
  )
  return whole_ms / (each * branches.length)
}

/** Branches at the tip of `main` that nobody has committed to. */
async function makeBranches(repository: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await runGit([`--git-dir=${repository}`, 'branch', name, 'main'])
  }
}

function actions(number: number) {
  const removal = { action: 'delete', file_path: `made/file-${number - 1}.txt` }
  const change = { action: 'update', file_path: 'source/licence.txt', content: `${number}\n` }
  return [
    { action: 'create', file_path: `made/file-${number}.txt`, content: `File ${number}\n` },
    {
      action: 'update',
      file_path: paths.read,
      content: `// Changed for the ${number}th time.\n`,
    },
    number > 0 ? removal : change,
  ]
}

async function measure(bench: Bench, name: string, lanes: number) {
  const site = await bench.repositorySite()
  const project = projectOf(site, name)
  const { server, headers } = await bench.serve(site)
  const run = bench.nextNumber()
  const branches = Array.from({ length: lanes }, (_, lane) => `lane-${run}-${lane}`)
  await makeBranches(project.repository, branches)
  const copy = bench.newFolder('copy')
  await cp(project.repository, copy, { recursive: true })
  const floor_ms = await timeCommits(
    (branch, number) =>
      runGit([`--git-dir=${copy}`, 'fast-import', '--quiet'], threeActions(branch, number)),
    branches,
    bench.sizes.commits_made,
  )
  const url = `${server.url}/api/v4/projects/${project.id}/repository/commits`
  const ours_ms = await timeCommits(
    (branch, number) =>
      callWell(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          branch,
          commit_message: `Commit ${number}`,
          actions: actions(number),
        }),
      }),
    branches,
    bench.sizes.commits_made,
  )
  return {
    floor: { value: floor_ms, unit: 'ms' as const, of: 'git fast-import a commit' },
    ours: { value: ours_ms, unit: 'ms' as const },
  }
}

export function commitRows({ commits, branches }: Sizes): Row[] {
  const row = (name: string, repository: string, lanes: number): Row => ({
    name: `commit by API, ${name}, ${lanes === 1 ? 'in turn' : `${lanes} at a time`}`,
    goal: atMost(2),
    measure: (bench) => measure(bench, repository, lanes),
  })
  return [
    row(`${commits[0]} commits`, 'plain', 1),
    row(`${commits[0]} commits`, 'plain', 4),
    row(`${commits[1]} commits`, 'long', 1),
    row(`${commits[1]} commits`, 'long', 4),
    row(`${branches[1]} branches`, 'branchy', 1),
  ]
}
