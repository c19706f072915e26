import type { ActorUser } from '../../../access/actor.ts'
import { GitError } from '../../../git/errors.ts'
import { newTagRef, zeroOid } from '../../../git/names.ts'
import { hasRoomForRefs, readRef, resolveCommit, tooManyRefsText } from '../../../git/refs.ts'
import { type ConfirmRefUpdate, updateRefs } from '../../../git/update-refs.ts'
import { newTag, writeObjects } from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid } from '../../../kernel/errors.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { preparePush } from '../pushes/push.ts'
import type { Tag } from './tag.ts'

export type NewTag = {
  project: Project
  user: ActorUser
  /** Rechecks right before the update whether the user may still push. Throws if not. */
  confirm: ConfirmRefUpdate
  name: string
  /** The branch, tag, commit or `HEAD` that the tag points to. */
  target: string
  /** The tag is annotated if the message is not blank. */
  message: string
}

/** Creates a tag. The caller has checked that the user may push at all. */
export async function createTag(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: NewTag,
): Promise<Tag> {
  const { git, config, clock } = uses
  const { project, user, name, target } = request
  if (target.trim() === '') throw invalid('Target is empty')
  const repository = projectRepository(config, project)
  const ref = newTagRef(name)
  if (!ref) throw invalid('Tag name invalid')
  const exists = () => invalid(`Tag ${name} already exists`)
  if (readRef(repository, ref)) throw exists()
  if (!(await hasRoomForRefs(repository, 1))) throw invalid(tooManyRefsText)
  const commit = await resolveCommit(git.objects, repository, target)
  if (!commit) throw invalid(`Target ${target} is invalid`)
  const message = request.message.trim()
  const tagger = { name: user.name, email: user.commit_email ?? user.email }
  const object =
    message === '' ? undefined : newTag({ name, target: commit, tagger, date: clock(), message })
  const oid = object?.oid ?? commit
  const update = { name: ref, oldOid: zeroOid, newOid: oid }
  const moved = { moves: [update], user_id: user.id }
  const { landed } = await preparePush(uses, project, moved)
  if (object) await writeObjects(repository, [object])
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      areObjectsKnown: true,
      confirm: request.confirm,
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.kind === 'ref-moved') throw exists()
    if (error.kind !== 'ref-conflict') throw error
    throw invalid('Tag name conflicts with existing tag hierarchy.')
  }
  landed()
  return { name, ref, oid }
}
