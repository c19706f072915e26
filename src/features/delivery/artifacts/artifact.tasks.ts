import { runTransaction } from '../../../db/run-transaction.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { defineTask } from '../../../tasks/task.ts'
import type { LandedPush } from '../../repository/pushes/push-landed.ts'
import { removeArtifacts } from '../jobs/remove-artifacts.ts'
import { unlockArtifactsOfPipelines } from '../pipelines/pipeline.ts'
import {
  type ExpiredArtifact,
  expireUnlockedArtifacts,
  listExpiredArtifacts,
} from './artifact.store.ts'

/** Unlocks artifacts of deleted branches and tags, so that they expire. A step of a push that has landed. */
export async function unlockArtifactsOfDeletedRefs({ uses, push }: LandedPush): Promise<void> {
  const { db, config } = uses
  const { project, moves } = push
  const repository = projectRepository(config, project)
  for (const { name, newOid } of moves) {
    if (newOid !== zeroOid || readRef(repository, name as RefName)) continue
    const [, kind, ref = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(name) ?? []
    await unlockArtifactsOfPipelines(db, { project_id: project.id, ref, tag: kind === 'tags' })
  }
}

const files_a_batch = 500

/**
 * Deletes expired artifacts, except those that are kept as the latest of a branch or tag. Recurring. The next run continues
 * an interrupted one.
 */
export async function removeExpiredArtifacts({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  let after: ExpiredArtifact | undefined
  do {
    const batch = await listExpiredArtifacts(db, {
      now: timestamp(clock),
      after,
      limit: files_a_batch,
    })
    const ids = batch.filter(({ locked }) => !locked).map(({ id }) => id)
    if (ids.length > 0) {
      await runTransaction(db, (tx) => removeArtifacts(tx, clock, ids))
    }
    after = batch.length === files_a_batch ? batch.at(-1) : undefined
  } while (after)
}

/** Expires a project's artifacts and deletes them. */
export const expireProjectArtifactsTask = defineTask({
  name: 'expire-project-artifacts',
  lane: 'delivery',
  async run(uses: Pick<Instance, 'db' | 'clock'>, { project_id }: { project_id: number }) {
    const batch = { project_id, now: timestamp(uses.clock), limit: files_a_batch }
    while ((await expireUnlockedArtifacts(uses.db, batch)) === files_a_batch);
    await removeExpiredArtifacts(uses)
  },
})

export const artifactTasks = [
  expireProjectArtifactsTask,
  defineTask({
    name: 'remove-expired-artifacts',
    lane: 'expiry',
    every_ms: 5 * 60_000,
    run: removeExpiredArtifacts,
  }),
]
