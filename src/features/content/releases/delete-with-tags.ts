import { runTransaction } from '../../../db/run-transaction.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { projectRepository } from '../../../subjects/project.ts'
import type { LandedPush } from '../../repository/pushes/push-landed.ts'
import { deleteRelease, findReleasesByTags } from './release.store.ts'
import { releaseChangedEffect } from './release-changed.ts'

const prefix = 'refs/tags/'

/** Deletes releases whose tag was deleted by a push and does not exist now. */
export async function deleteReleasesOfRemovedTags({ uses, push }: LandedPush): Promise<void> {
  const { db, clock, config } = uses
  const repository = projectRepository(config, push.project)
  const tags = push.moves
    .filter(({ name, newOid }) => name.startsWith(prefix) && newOid === zeroOid)
    .filter(({ name }) => readRef(repository, name as RefName) === undefined)
    .map(({ name }) => name.slice(prefix.length))
  const project_id = push.project.id
  for (const { id: release_id, author_id } of await findReleasesByTags(db, project_id, tags)) {
    await runTransaction(db, async (tx) => {
      const user_id = push.user?.id ?? author_id ?? 0
      await releaseChangedEffect.run({
        tx,
        clock,
        project_id,
        release_id,
        action: 'delete',
        user_id,
      })
      await deleteRelease(tx, release_id)
    })
  }
}
