// Public functions of projects: what a fork inherits from its source, and the link between them.
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'

/** Returns the fork network for a fork of the project. The project itself joins it with its first fork. */
export async function joinForkNetwork(db: Db, projectId: number): Promise<number> {
  const { fork_network_id } = await db
    .updateTable('projects')
    .set(({ ref, fn }) => ({ fork_network_id: fn.coalesce('fork_network_id', ref('id')) }))
    .where('id', '=', projectId)
    .returning('fork_network_id')
    .executeTakeFirstOrThrow()
  return fork_network_id ?? projectId
}

/** Makes the project a fork of `sourceId`. It joins the source's network with all of its own forks. */
export async function linkForkToSource(db: Db, id: number, sourceId: number): Promise<void> {
  await moveForks(db, id, await joinForkNetwork(db, sourceId))
  await db.updateTable('projects').set({ forked_from_id: sourceId }).where('id', '=', id).execute()
}

/** Removes the fork relation of the project. Its own forks stay its forks, in a network of their own. */
export async function unlinkForkFromSource(db: Db, id: number): Promise<void> {
  await db.updateTable('projects').set({ forked_from_id: null }).where('id', '=', id).execute()
  await moveForks(db, id, id)
}

async function moveForks(db: Db, id: number, network: number): Promise<void> {
  await sql`
    with recursive forks(id) as (
      select id from projects where id = ${id}
      union
      select projects.id from projects join forks on projects.forked_from_id = forks.id
    )
    update projects set fork_network_id = ${network} where id in (select id from forks)
  `.execute(db)
}

/** Whether the project is a fork of a project that still exists. */
export async function isFork(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select('forked_from_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return typeof row?.forked_from_id === 'number'
}

/** Returns the settings that forks of a project inherit. */
export function findForkSettings(db: Db, id: number) {
  return db
    .selectFrom('projects')
    .select([
      'description',
      'shared_runners_enabled',
      'lfs_enabled',
      'builds_access_level',
      'ci_config_path',
      'external_authorization_classification_label',
      'suggestion_commit_message',
      'merge_commit_template',
      'squash_commit_template',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
