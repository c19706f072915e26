import type { Db } from '../../../db/db.ts'
import { removeRepository } from '../../../git/create-repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { requireStorageHere } from '../../../subjects/storage.ts'
import { findWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import type { GroupChange } from '../../groups/groups/group-changed.ts'
import type { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { findWikiById, listWikisOfGroupAndDescendants } from './wiki.ts'
import { wikiPushTasks } from './wiki-push.ts'

/** Deletes the repository of a deleted wiki, on whatever storage it is. Safe to repeat. */
const removeWiki = defineTask({
  name: 'remove-wiki',
  lane: 'removal',
  async run(
    { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
    { wiki_id, storage }: { wiki_id: number; storage?: string },
  ) {
    if (await findWikiById(db, wiki_id)) return
    if (storage !== undefined) requireStorageHere(config, storage)
    for (const repository_storage of Object.keys(config.storages)) {
      const repository = wikiRepository(config, { id: wiki_id, repository_storage })
      await git.objects.forget(repository)
      await removeRepository(repository)
    }
  },
})

async function enqueueWikiRemoval(
  tx: Db,
  clock: Clock,
  wikis: readonly { id: number; repository_storage: string }[],
): Promise<void> {
  const requests = wikis.map(({ id, repository_storage: storage }) => ({
    key: String(id),
    payload: { wiki_id: id, storage },
  }))
  await enqueueAll(tx, clock, { task: removeWiki, requests })
}

/** Enqueues the deletion of a project's wiki; the row is deleted with the project. */
export async function enqueueProjectWikiRemoval({
  tx,
  project_id,
  now,
}: Parameters<typeof projectRemovedEffect.run>[0]): Promise<void> {
  const wiki = await findWiki(tx, { kind: 'project', id: project_id })
  if (wiki) await enqueueWikiRemoval(tx, () => new Date(now), [wiki])
}

/** Enqueues the deletion of the wikis of a group and its subgroups. */
export async function enqueueGroupWikiRemovals({
  tx,
  clock,
  group_id,
  action,
}: GroupChange): Promise<void> {
  if (action === 'destroy')
    await enqueueWikiRemoval(tx, clock, await listWikisOfGroupAndDescendants(tx, group_id))
}

export const wikiTasks = [removeWiki, ...wikiPushTasks]
