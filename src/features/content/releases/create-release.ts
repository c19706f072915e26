import type { Actor, ActorUser } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Oid, tagRef } from '../../../git/names.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { conflict, forbiddenWithMessage, unprocessable } from '../../../kernel/errors.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import {
  listTagProtectionRules,
  mayCreateTag,
  protectedTagRefusalTexts,
} from '../../repository/protected-tags/protected-tag.ts'
import { recheckerForNewTag } from '../../repository/pushes/recheck-access.ts'
import { createTag } from '../../repository/tags/create-tag.ts'
import { insertRelease, insertReleaseLinks, replaceReleaseMilestones } from './release.store.ts'
import { findRelease, type Release } from './release.ts'
import { releaseChangedEffect } from './release-changed.ts'
import {
  findRequestedMilestoneIds,
  type RequestedMilestones,
  validateReleaseTexts,
} from './release-fields.ts'
import { checkNewReleaseLinks, type NewReleaseLink } from './release-link.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

export type NewRelease = RequestedMilestones & {
  tag_name: string
  tag_message?: string
  name?: string
  description?: string
  /** The branch, tag or commit from which a missing tag is created. */
  ref?: string
  released_at?: string
  links: readonly NewReleaseLink[]
}

/**
 * Creates a release, and its tag if that is missing. Checks are in the order of the real product (docs/api/releases.md,
 * "Creating a release"). The tag is created first: if the server dies in between, the next attempt finds and uses it.
 */
export async function createRelease(
  uses: Uses & { actor: Actor },
  { project, level, user }: { project: Project; level: number; user: ActorUser },
  wanted: NewRelease,
): Promise<Release> {
  const { db, clock, actor } = uses
  const { tag_name: tag, name, description, links } = wanted
  const rules = await listTagProtectionRules(db, project.id, actor)
  if (!mayCreateTag(rules, tag, { actor, level }))
    throw forbiddenWithMessage(protectedTagRefusalTexts.create)
  if (await findRelease(db, project.id, tag)) throw exists()
  const milestoneIds = (await findRequestedMilestoneIds(db, project, wanted)) ?? []
  const oid = findTag(uses, project, tag)
  if (!oid && !wanted.ref) throw unprocessable('Ref is not specified')
  validateReleaseTexts({ name, description })
  checkNewReleaseLinks(links)
  const tagged = oid ?? (await makeTag(uses, { project, user }, wanted))
  const repository = projectRepository(uses.config, project)
  const commit = await peelToCommit(uses.git.objects, repository, tagged)
  const now = timestamp(clock)
  return runTransaction(db, async (tx) => {
    const release = await insertRelease(tx, {
      project_id: project.id,
      tag,
      name: name ?? null,
      description: description ?? null,
      sha: commit ?? null,
      author_id: user.id,
      released_at: wanted.released_at ?? now,
      created_at: now,
      updated_at: now,
    })
    if (!release) throw exists()
    const release_id = release.id
    await insertReleaseLinks(
      tx,
      links.map((link) => ({ ...link, release_id, created_at: now })),
    )
    await replaceReleaseMilestones(tx, release_id, milestoneIds)
    const change = {
      project_id: project.id,
      release_id,
      action: 'create',
      user_id: user.id,
    } as const
    await releaseChangedEffect.run({ tx, clock, ...change })
    return release
  })
}

const exists = () => conflict('Release already exists')

function findTag({ config }: Uses, project: Project, tag: string): Oid | undefined {
  const ref = tagRef(tag)
  return ref && readRef(projectRepository(config, project), ref)
}

async function makeTag(
  uses: Uses & { actor: Actor },
  { project, user }: { project: Project; user: ActorUser },
  { tag_name, ref = '', tag_message = '' }: NewRelease,
): Promise<Oid> {
  const refusal = () => forbiddenWithMessage(protectedTagRefusalTexts.create)
  const made = await createTag(uses, {
    project,
    user,
    name: tag_name,
    target: ref,
    message: tag_message,
    confirm: recheckerForNewTag(uses, project, { tag: tag_name, refusal }),
  })
  return made.oid
}
