import { BlameReader } from './blame.ts'
import { type Git, gitEnvironment } from './command.ts'
import { PathHistory } from './history.ts'
import { ObjectReader } from './objects.ts'
import { Spawner } from './spawner.ts'

/** Everything that reads and writes repositories: the door that runs git, and what is kept of it. */
export type GitAccess = {
  readonly git: Git
  readonly objects: ObjectReader
  readonly history: PathHistory
  readonly blames: BlameReader
}

/** Starts the spawn helper. `searchPath` says where git is; `now_ms` is a clock for idle times. */
export async function openGitAccess(searchPath: string, now_ms: () => number): Promise<GitAccess> {
  const git: Git = { spawner: await Spawner.start({ PATH: searchPath, ...gitEnvironment }) }
  return {
    git,
    objects: new ObjectReader(git, now_ms),
    history: new PathHistory(git),
    blames: new BlameReader(git),
  }
}

export async function closeGitAccess({ git, objects }: GitAccess): Promise<void> {
  await objects.close()
  await git.spawner.close()
}
