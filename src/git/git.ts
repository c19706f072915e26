import { join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import { ArchiveReader } from './archive-reader.ts'
import { BlameReader } from './blame.ts'
import { type Git, gitEnvironment, type MemoryKillReport } from './command.ts'
import { CommitListReader } from './commit-list.ts'
import { ContainingRefsReader } from './containing-refs.ts'
import { ContributorReader } from './contributors.ts'
import { DiffReader } from './diff.ts'
import { DiffStatReader } from './diff-stat.ts'
import { GitLimiter } from './git-limiter.ts'
import { GitMemoryLimiter } from './git-memory-limiter.ts'
import { PathHistoryReader } from './history.ts'
import { LastCommitReader } from './last-commits.ts'
import { readAvailableMemory_bytes } from './machine-memory.ts'
import { MergeBaseReader } from './merge-base.ts'
import { ObjectReader } from './objects.ts'
import { PagedDiffReader } from './paged-diff.ts'
import { PathListReader } from './path-list.ts'
import { ProcessScratchFolder } from './process-scratch-folder.ts'
import { SharedFetches } from './shared-fetch.ts'
import { Spawner } from './spawner.ts'
import { TextSearchReader } from './text-search.ts'

/** Reads and writes repositories: the runner of git commands, and the readers with their caches. */
export type GitAccess = {
  readonly git: Git
  readonly objects: ObjectReader
  readonly history: PathHistoryReader
  readonly lastCommits: LastCommitReader
  readonly blames: BlameReader
  readonly lists: CommitListReader
  readonly paths: PathListReader
  readonly stats: DiffStatReader
  readonly diffs: DiffReader
  readonly pagedDiffs: PagedDiffReader
  readonly containing: ContainingRefsReader
  readonly fetches: SharedFetches
  readonly mergeBases: MergeBaseReader
  readonly contributors: ContributorReader
  readonly archives: ArchiveReader
  readonly texts: TextSearchReader
}

/**
 * Opens the access to git. `searchPath` says where git is. `cache` is a folder whose contents may be lost at any time.
 * `now_ms` is a clock for idle times. All git processes together use at most `memory_bytes_max`, and no more than the
 * machine has available, divided by the number of `workers`. `onEndedForMemory` is called for each process that was stopped
 * because of memory, `onHelperLost` when the spawn helper died and is started again.
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
  onEndedForMemory?: (ended: MemoryKillReport) => void
  onNoBitmap?: Git['onNoBitmap']
  onHelperLost?: () => void
}): Promise<GitAccess> {
  const { danger_bytes, ended_bytes_min } = limits.git_memory
  const environment = { PATH: searchPath, ...gitEnvironment }
  const rules = { together_bytes_max: memory_bytes_max, danger_bytes, ended_bytes_min }
  const spawner = new Spawner({ environment, rules, onLost: onHelperLost })
  const memory = new GitMemoryLimiter({
    available_bytes: () => readAvailableMemory_bytes() / workers,
    held_bytes: () => spawner.heldMemory_bytes(),
    max_bytes: memory_bytes_max,
  })
  const git: Git = { spawner, turns: new GitLimiter(workers), memory, onEndedForMemory, onNoBitmap }
  const objects = new ObjectReader(git, now_ms)
  const history = new PathHistoryReader(git)
  return {
    git,
    objects,
    history,
    lastCommits: new LastCommitReader(git, history),
    blames: new BlameReader(git),
    lists: new CommitListReader(git, objects),
    paths: new PathListReader(git),
    stats: new DiffStatReader(git),
    diffs: new DiffReader(git),
    pagedDiffs: new PagedDiffReader(git),
    containing: new ContainingRefsReader(git),
    fetches: new SharedFetches(git, await ProcessScratchFolder.open(join(cache, 'fetches'))),
    mergeBases: new MergeBaseReader(git),
    contributors: new ContributorReader(git),
    archives: new ArchiveReader(git, searchPath),
    texts: new TextSearchReader(git),
  }
}

export async function closeGitAccess({ git, objects, fetches }: GitAccess): Promise<void> {
  await fetches.close()
  await objects.close()
  await git.spawner.close()
}
