import type { Actor } from '../../../access/actor.ts'
import { visibleNamespaceCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type JobTokenAllowlistTarget = { target_project_id: number } | { target_group_id: number }

export function findJobTokenScope(db: Db, project_id: number) {
  return db
    .selectFrom('projects')
    .select(['ci_inbound_job_token_scope_enabled', 'ci_job_token_scope_enabled'])
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
}

export async function updateJobTokenScope(
  db: Db,
  project_id: number,
  isEnabled: boolean,
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ ci_inbound_job_token_scope_enabled: isEnabled })
    .where('id', '=', project_id)
    .execute()
}

type Page = { offset: number; per_page: number }

/** Returns the project itself and the projects on its allowlist that the caller can see, by id. */
export async function listProjectsOfJobTokenAllowlist(
  db: Db,
  { project_id, actor }: { project_id: number; actor: Actor },
  { offset, per_page }: Page,
): Promise<{ ids: number[]; total: number | undefined }> {
  const query = db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.state', '=', 'ready')
    .where(visibleProjectCondition(actor))
    .where((eb) =>
      eb.or([
        eb('projects.id', '=', project_id),
        eb('projects.id', 'in', (inner) =>
          inner
            .selectFrom('job_token_allowlist')
            .select('target_project_id')
            .where('job_token_allowlist.project_id', '=', project_id)
            .where('target_project_id', 'is not', null)
            .$castTo<{ target_project_id: number }>(),
        ),
      ]),
    )
  const rows = await query.orderBy('projects.id').limit(per_page).offset(offset).execute()
  return { ids: rows.map(({ id }) => id), total: await countRows(db, query) }
}

/** Returns the groups on the allowlist that the caller can see. */
export async function listGroupsOfJobTokenAllowlist(
  db: Db,
  { project_id, actor }: { project_id: number; actor: Actor },
  { offset, per_page }: Page,
) {
  const query = db
    .selectFrom('namespaces')
    .innerJoin('job_token_allowlist as entry', 'entry.target_group_id', 'namespaces.id')
    .where('entry.project_id', '=', project_id)
    .where('namespaces.state', '=', 'ready')
    .where(visibleNamespaceCondition(actor))
  const rows = await query
    .select(['namespaces.id', 'namespaces.name', 'namespaces.full_path'])
    .orderBy('namespaces.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('namespaces.id')) }
}

/** Whether the allowlist of the project has reached its limit. */
export async function isJobTokenAllowlistFull(
  db: Db,
  project_id: number,
  maximum: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('job_token_allowlist')
    .select('id')
    .where('project_id', '=', project_id)
    .limit(1)
    .offset(maximum - 1)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds an entry to the allowlist; returns false if it exists. */
export async function insertJobTokenAllowlistTarget(
  db: Db,
  entry: { project_id: number; created_at: string } & JobTokenAllowlistTarget,
): Promise<boolean> {
  const column = 'target_project_id' in entry ? 'target_project_id' : 'target_group_id'
  const row = await db
    .insertInto('job_token_allowlist')
    .values(entry)
    .onConflict((conflict) => conflict.columns(['project_id', column]).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes an entry from the allowlist; returns false if it does not exist. */
export async function deleteJobTokenAllowlistTarget(
  db: Db,
  { project_id, ...target }: { project_id: number } & JobTokenAllowlistTarget,
): Promise<boolean> {
  const query = db.deleteFrom('job_token_allowlist').where('project_id', '=', project_id)
  const row = await ('target_project_id' in target
    ? query.where('target_project_id', '=', target.target_project_id)
    : query.where('target_group_id', '=', target.target_group_id)
  )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
