import type { Static } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Commit } from '../../../git/objects.ts'
import { peelToCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Project, projectRepository, projectUrl } from '../../../subjects/project.ts'
import { isProtectedTag, listTagProtectionRules } from '../protected-tags/protected-tag.ts'
import { findReleaseNotes } from './release-notes.store.ts'
import { presentTag, type TagJson } from './tag.present.ts'
import type { Tag } from './tag.ts'

export type ShowTagsContext = Pick<Instance, 'db' | 'git' | 'config'> & {
  actor: Actor
  baseUrl: string
}

/**
 * Returns the records of a page of tags. Objects come from the process pool or the cache. Two queries load releases and
 * protection.
 */
export async function showTags(
  { db, actor, git, config, baseUrl }: ShowTagsContext,
  project: Project,
  tags: readonly Tag[],
): Promise<Static<typeof TagJson>[]> {
  const repository = projectRepository(config, project)
  const names = tags.map(({ name }) => name)
  const releases = await findReleaseNotes(db, project.id, names)
  const rules = await listTagProtectionRules(db, project.id, actor)
  return Promise.all(
    tags.map(async (tag) =>
      presentTag({
        tag,
        annotation: await git.objects.tag(repository, tag.oid),
        commit: await findTagCommit(git, repository, tag),
        projectUrl: projectUrl(baseUrl, project),
        release: releases.get(tag.name),
        isProtected: isProtectedTag(rules, tag.name),
      }),
    ),
  )
}

export async function showTag(viewing: ShowTagsContext, project: Project, tag: Tag) {
  const [shown] = await showTags(viewing, project, [tag])
  if (!shown) throw new Error(`Tag ${tag.name} of project ${project.id} was not presented.`)
  return shown
}

/** Returns the commit that a tag points to, through any number of tags; undefined if it does not point to one. */
export async function findTagCommit(
  git: GitAccess,
  repository: Repository,
  { oid }: Tag,
): Promise<Commit | undefined> {
  const commit = await peelToCommit(git.objects, repository, oid)
  return commit && git.objects.commit(repository, commit)
}
