import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { findPlacement, projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import type { Push } from '../../repository/pushes/push.ts'
import { removeArtifacts } from '../jobs/remove-artifacts.ts'
import { unlockPipelines } from '../pipelines/pipeline.ts'
import { type ExpiredArtifact, expireArtifacts, listExpired } from './artifact.store.ts'

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

const files_a_batch = 500

/**
 * Removes files whose time is over, but for those that are kept as the latest of a reference. Recurring. A
 * run that is cut short is gone on with by the next.
 */
export async function removeExpiredArtifacts({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Promise<void> {
  let after: ExpiredArtifact | undefined
  do {
    const batch = await listExpired(db, { now: timestamp(clock), after, limit: files_a_batch })
    const ids = batch.filter(({ locked }) => !locked).map(({ id }) => id)
    if (ids.length > 0) {
      await db.transaction().execute((tx) => removeArtifacts(tx, clock, ids))
    }
    after = batch.length === files_a_batch ? batch.at(-1) : undefined
  } while (after)
}

/** Ends the time of a project's files, and removes them. */
export const expireProjectArtifacts = defineTask({
  name: 'expire-project-artifacts',
  lane: 'delivery',
  async run(uses: { db: Db; clock: Clock }, { project_id }: { project_id: number }) {
    const batch = { project_id, now: timestamp(uses.clock), limit: files_a_batch }
    while ((await expireArtifacts(uses.db, batch)) === files_a_batch);
    await removeExpiredArtifacts(uses)
  },
})

export const artifactTasks = [
  unlockArtifactsTask,
  expireProjectArtifacts,
  defineTask({
    name: 'remove-expired-artifacts',
    lane: 'expiry',
    every_ms: 5 * 60_000,
    run: removeExpiredArtifacts,
  }),
]
