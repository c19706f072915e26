import { join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import { Archives } from './archive.ts'
import { BlameReader } from './blame.ts'
import { type EndedForMemory, type Git, gitEnvironment } from './command.ts'
import { CommitLists } from './commit-list.ts'
import { ContainingRefs } from './containing.ts'
import { Contributors } from './contributors.ts'
import { DiffReader } from './diff.ts'
import { DiffStats } from './diff-stat.ts'
import { PathHistory } from './history.ts'
import { LastCommits } from './last-commits.ts'
import { readAvailableMemory_bytes } from './machine-memory.ts'
import { MemoryTurns } from './memory-turns.ts'
import { MergeBases } from './merge-base.ts'
import { ObjectReader } from './objects.ts'
import { OwnFolder } from './own-folder.ts'
import { PagedDiffs } from './paged-diff.ts'
import { PathLists } from './path-list.ts'
import { SharedFetches } from './shared-fetch.ts'
import { Spawner } from './spawner.ts'
import { TextSearch } from './text-search.ts'
import { GitTurns } from './turns.ts'

/** Everything that reads and writes repositories: the door that runs git, and what is kept of it. */
export type GitAccess = {
  readonly git: Git
  readonly objects: ObjectReader
  readonly history: PathHistory
  readonly lastCommits: LastCommits
  readonly blames: BlameReader
  readonly lists: CommitLists
  readonly paths: PathLists
  readonly stats: DiffStats
  readonly diffs: DiffReader
  readonly pagedDiffs: PagedDiffs
  readonly containing: ContainingRefs
  readonly fetches: SharedFetches
  readonly mergeBases: MergeBases
  readonly contributors: Contributors
  readonly archives: Archives
  readonly texts: TextSearch
}

/**
 * Opens the door to git. `searchPath` says where git is; `cache` is a folder for what may be lost at
 * any time; `now_ms` is a clock for idle times. Programs of git hold `memory_bytes_max` together at most, and no more
 * than the machine has room for, of which each of so many `workers` takes its share; `onEndedForMemory` is called with each that was ended, `onHelperLost` when the spawn
 * helper died and is started again.
 */
export async function openGitAccess({
  searchPath,
  cache,
  memory_bytes_max,
  workers = 1,
  now_ms,
  onEndedForMemory = () => {},
  onNoBitmap = () => {},
  onHelperLost = () => {},
}: {
  searchPath: string
  cache: string
  memory_bytes_max: number
  workers?: number
  now_ms: () => number
  onEndedForMemory?: (ended: EndedForMemory) => void
  onNoBitmap?: Git['onNoBitmap']
  onHelperLost?: () => void
}): Promise<GitAccess> {
  const { danger_bytes, ended_bytes_min } = limits.git_memory
  const environment = { PATH: searchPath, ...gitEnvironment }
  const rules = { together_bytes_max: memory_bytes_max, danger_bytes, ended_bytes_min }
  const spawner = new Spawner({ environment, rules, onLost: onHelperLost })
  const memory = new MemoryTurns({
    available_bytes: () => readAvailableMemory_bytes() / workers,
    held_bytes: () => spawner.heldMemory_bytes(),
    max_bytes: memory_bytes_max,
  })
  const git: Git = { spawner, turns: new GitTurns(workers), memory, onEndedForMemory, onNoBitmap }
  const objects = new ObjectReader(git, now_ms)
  const history = new PathHistory(git)
  return {
    git,
    objects,
    history,
    lastCommits: new LastCommits(git, history),
    blames: new BlameReader(git),
    lists: new CommitLists(git, objects),
    paths: new PathLists(git),
    stats: new DiffStats(git),
    diffs: new DiffReader(git),
    pagedDiffs: new PagedDiffs(git),
    containing: new ContainingRefs(git),
    fetches: new SharedFetches(git, await OwnFolder.open(join(cache, 'fetches'))),
    mergeBases: new MergeBases(git),
    contributors: new Contributors(git),
    archives: new Archives(git, searchPath),
    texts: new TextSearch(git),
  }
}

export async function closeGitAccess({ git, objects, fetches }: GitAccess): Promise<void> {
  await fetches.close()
  await objects.close()
  await git.spawner.close()
}
