// Single writes as one client makes them, one after another: a new project, and a commit of one file through the API.
import { join } from 'node:path'
import { type Bench, projectOf } from '../bench.ts'
import { callWell } from '../client.ts'
import { runGit } from '../machine.ts'
import { median, time_ms } from '../measure.ts'
import { below, type Row } from '../row.ts'

/** The first ones run code that is not compiled yet. */
const warm_up = 20

async function medianOf_ms(count: number, write: (number: number) => Promise<unknown>) {
  const times: number[] = []
  for (let number = 0; number < warm_up + count; number++)
    times.push(await time_ms(() => write(number)))
  return median(times.slice(warm_up))
}

async function measureProjects(bench: Bench) {
  const { server, headers } = await bench.serve(await bench.repositorySite())
  const run = bench.nextNumber()
  const folder = bench.newFolder('repositories')
  const count = bench.sizes.commits_made
  const floor_ms = await medianOf_ms(count, (number) =>
    runGit(['init', '--quiet', '--bare', join(folder, `${number}.git`)]),
  )
  const ours_ms = await medianOf_ms(count, (number) =>
    callWell(`${server.url}/api/v4/projects`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Made ${run} ${number}` }),
    }),
  )
  return {
    floor: { value: floor_ms, unit: 'ms' as const, of: 'git init --bare' },
    ours: { value: ours_ms, unit: 'ms' as const },
  }
}

async function measureFiles(bench: Bench) {
  const site = await bench.repositorySite()
  const { id } = projectOf(site, 'plain')
  const { server, headers } = await bench.serve(site)
  const run = bench.nextNumber()
  const ours_ms = await medianOf_ms(bench.sizes.commits_made, (number) =>
    callWell(`${server.url}/api/v4/projects/${id}/repository/files/made%2F${run}-${number}.txt`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ branch: 'main', commit_message: 'm', content: `${number}\n` }),
    }),
  )
  return { ours: { value: ours_ms, unit: 'ms' as const } }
}

export const writeRows: Row[] = [
  { name: 'POST /projects', goal: below(4, 'ms'), measure: measureProjects },
  { name: 'file by API, one commit', goal: below(8, 'ms'), measure: measureFiles },
]
