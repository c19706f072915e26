import type { ActorUser } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { GitError } from '../../../git/errors.ts'
import type { GitAccess } from '../../../git/git.ts'
import { zeroOid } from '../../../git/names.ts'
import { type Confirm, readRef, updateRefs } from '../../../git/refs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { preparePush } from '../pushes/push.ts'
import type { Tag } from './tag.ts'

export type OldTag = {
  project: Project
  user: ActorUser
  tag: Tag
  /** Asked at the last moment whether the user still may push; throws what refuses it. */
  confirm: Confirm
}

/** Deletes a tag by the API. The caller of this has checked that the user may push at all. */
export async function deleteTag(
  services: { db: Db; git: GitAccess; clock: Clock; config: Config },
  { project, user, tag, confirm }: OldTag,
): Promise<void> {
  const { git, config } = services
  const repository = projectRepository(config, project)
  const update = { name: tag.ref, oldOid: tag.oid, newOid: zeroOid }
  const moved = { moves: [update], user_id: user.id }
  const { landed } = await preparePush(services, project, moved)
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      confirm,
    })
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'ref-moved') throw error
    // Somebody moved it, or was quicker.
    throw readRef(repository, tag.ref) ? invalid('Failed to remove tag') : notFound('Tag')
  }
  landed()
}
