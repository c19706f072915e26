import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { findPlacement, projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import type { Push } from '../../repository/pushes/push.ts'
import { unlockPipelines } from './artifact-lock.store.ts'

type GoneRef = { project_id: number; name: string }

/** How long a reference that is about to go has for that. */
const move_ms = 5_000

/** Has the artifacts of a branch or tag that is gone expire as others do. */
const unlockArtifactsTask = defineTask({
  name: 'unlock-artifacts',
  lane: 'delivery',
  async run({ db, config }: { db: Db; config: Config }, { project_id, name }: GoneRef) {
    const project = await findPlacement(db, project_id)
    if (!project) return
    if (readRef(projectRepository(config, project), name as RefName)) return
    const [, kind, ref = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(name) ?? []
    await unlockPipelines(db, { project_id, ref, tag: kind === 'tags' })
  },
})

/** A step of what happens when references move. */
export async function unlockGoneRefs(
  push: Push & { db: Db; clock: Clock; project_id: number },
): Promise<void> {
  const { db, clock, project_id, moves } = push
  const gone = moves.filter(({ newOid }) => newOid === zeroOid)
  await enqueueAll(db, clock, {
    task: unlockArtifactsTask,
    requests: gone.map(({ name }) => ({
      key: `${project_id}:${name}`,
      payload: { project_id, name },
      delay_ms: move_ms,
    })),
  })
}

export const artifactTasks = [unlockArtifactsTask]
