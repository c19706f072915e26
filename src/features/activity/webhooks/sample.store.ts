// Finds the newest record of each kind for test calls of webhooks.
import type { Db } from '../../../db/db.ts'

/** Returns the newest project below the group. */
export async function findNewestProjectId(
  db: Db,
  namespace_id: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('namespace_ancestors', (join) =>
      join.onRef('namespace_ancestors.namespace_id', '=', 'projects.namespace_id'),
    )
    .select('projects.id')
    .where('namespace_ancestors.ancestor_id', '=', namespace_id)
    .where('projects.state', '=', 'ready')
    .orderBy('projects.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

function newest(db: Db, table: 'pipelines' | 'jobs', project_id: number) {
  return db
    .selectFrom(table)
    .select(['id', 'status'])
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findNewestPipeline(db: Db, project_id: number) {
  return newest(db, 'pipelines', project_id)
}

export function findNewestJob(db: Db, project_id: number) {
  return newest(db, 'jobs', project_id)
}

export function findNewestDeployment(db: Db, project_id: number) {
  return db
    .selectFrom('deployments')
    .select(['job_id', 'status', 'updated_at'])
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findNewestIssuable(
  db: Db,
  {
    project_id,
    kind,
    confidential,
  }: { project_id: number; kind: 'issue' | 'merge_request'; confidential: boolean },
) {
  return db
    .selectFrom('issuables')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .where('confidential', '=', confidential)
    .orderBy('iid', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the newest note. A note is confidential by itself or because of its issue. */
export function findNewestNote(
  db: Db,
  { project_id, confidential }: { project_id: number; confidential: boolean },
) {
  return db
    .selectFrom('notes')
    .innerJoin('issuables', 'issuables.id', 'notes.issuable_id')
    .select('notes.id')
    .where('notes.project_id', '=', project_id)
    .where('notes.system', '=', false)
    .where((eb) => {
      const isHidden = eb.or([
        eb('notes.confidential', '=', true),
        eb('issuables.confidential', '=', true),
      ])
      return confidential ? isHidden : eb.not(isHidden)
    })
    .orderBy('notes.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
