// Merge requests merged through the API one after another, by each method, beside what git itself takes for the
// same on a copy of the repository: `merge-tree`, `commit-tree` and `update-ref`, or a fast-forward.
import { cp } from 'node:fs/promises'
import { type Bench, projectOf } from '../bench.ts'
import { callWell } from '../client.ts'
import { runGit } from '../machine.ts'
import { timePairs } from '../measure.ts'
import { atMost, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

type Method = 'merge' | 'ff' | 'squash'

/** Branches with a commit each: side by side for merges, one upon the other for fast-forwards. */
function branchesText(branches: readonly string[], method: Method): string {
  return branches
    .map((branch, at) => {
      const isUpon = method === 'ff' && at > 0
      const before = isUpon ? `refs/heads/${branches[at - 1]}` : 'refs/heads/main^0'
      return [
        `commit refs/heads/${branch}`,
        'committer Smith <smith@bloomery.test> 1700000000 +0000',
        'data 1',
        'c',
        `from ${before}`,
        `M 100644 inline merged/${branch}.txt`,
        `data ${branch.length}`,
        branch,
        '',
      ].join('\n')
    })
    .join('\n')
}

/** What git takes for one merge. */
async function mergeByGit(repository: string, branch: string, method: Method): Promise<void> {
  const git = async (...args: string[]) =>
    (await runGit([`--git-dir=${repository}`, ...args])).trim()
  const identity = ['-c', 'user.name=Smith', '-c', 'user.email=smith@bloomery.test']
  const fsync = ['-c', 'core.fsync=objects,derived-metadata,reference']
  if (method === 'ff') {
    await git('merge-base', '--is-ancestor', 'main', branch)
    await git(...fsync, 'update-ref', 'refs/heads/main', branch)
    return
  }
  const tree = await git(...fsync, 'merge-tree', '--write-tree', 'main', branch)
  const parents = ['-p', 'main', '-p', branch]
  const made = await git(...fsync, ...identity, 'commit-tree', tree, ...parents, '-m', 'm')
  await git(...fsync, 'update-ref', 'refs/heads/main', made)
}

async function measure(bench: Bench, name: string, method: Method) {
  const site = await bench.repositorySite()
  const project = projectOf(site, name)
  const { server, headers } = await bench.serve(site)
  const api = `${server.url}/api/v4/projects/${project.id}`
  const json = { ...headers, 'content-type': 'application/json' }
  const send = async (verb: string, url: string, body: object) =>
    callWell(url, { method: verb, headers: json, body: JSON.stringify(body) })
  await send('PUT', api, { merge_method: method === 'ff' ? 'ff' : 'merge' })
  const run = bench.nextNumber()
  const branches = Array.from({ length: bench.sizes.commits_made }, (_, at) => `mr-${run}-${at}`)
  const text = branchesText(branches, method)
  await runGit([`--git-dir=${project.repository}`, 'fast-import', '--quiet'], [text])
  const urls: string[] = []
  for (const source_branch of branches) {
    const body = { title: 'm', source_branch, target_branch: 'main', squash: method === 'squash' }
    const answer = await send('POST', `${api}/merge_requests`, body)
    const { iid } = JSON.parse(answer.body.toString()) as { iid: number }
    urls.push(`${api}/merge_requests/${iid}/merge`)
  }
  const copy = bench.newFolder('copy')
  await cp(project.repository, copy, { recursive: true })
  const squash_commit_message = method === 'squash' ? 'Squashed' : undefined
  const { floor_ms, ours_ms } = await timePairs(
    branches.map((branch, at) => ({
      floor: () => mergeByGit(copy, branch, method),
      ours: () => send('PUT', urls[at] ?? '', { squash_commit_message }),
    })),
  )
  return {
    floor: {
      value: floor_ms,
      unit: 'ms' as const,
      of: method === 'ff' ? 'git update-ref' : 'git merge-tree and commit-tree',
    },
    ours: { value: ours_ms, unit: 'ms' as const },
  }
}

export function mergeRows({ commits }: Sizes): Row[] {
  const row = (method: Method, repository: string, size: number | undefined): Row => ({
    name: `merge request, ${method}, ${size} commits`,
    goal: atMost(2),
    measure: (bench) => measure(bench, repository, method),
  })
  return [
    row('merge', 'plain', commits[0]),
    row('squash', 'plain', commits[0]),
    row('ff', 'plain', commits[0]),
    row('merge', 'long', commits[1]),
  ]
}
