import type { ActorUser } from '../../../access/actor.ts'
import { GitError } from '../../../git/errors.ts'
import { zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { type ConfirmRefUpdate, updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { preparePush } from '../pushes/push.ts'
import type { Tag } from './tag.ts'

export type TagDeletion = {
  project: Project
  user: ActorUser
  tag: Tag
  /** Rechecks right before the update whether the user may still push. Throws if not. */
  confirm: ConfirmRefUpdate
}

/** Deletes a tag through the API. The caller has checked that the user may push at all. */
export async function deleteTag(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { project, user, tag, confirm }: TagDeletion,
): Promise<void> {
  const { git, config } = uses
  const repository = projectRepository(config, project)
  const update = { name: tag.ref, oldOid: tag.oid, newOid: zeroOid }
  const moved = { moves: [update], user_id: user.id }
  const { landed } = await preparePush(uses, project, moved)
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      confirm,
    })
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'ref-moved') throw error
    // Another request moved or deleted the tag in the meantime.
    throw readRef(repository, tag.ref) ? invalid('Failed to remove tag') : notFound('Tag')
  }
  landed()
}
