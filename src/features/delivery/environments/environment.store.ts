import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, DeploymentTable, EnvironmentTable } from '../../../db/db.ts'
import { containsTextCondition, findViolatedIndex } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'
import type { Job } from '../pipeline-changes/job.ts'

export type Environment = Selectable<EnvironmentTable>
export type Deployment = Selectable<DeploymentTable>
type Range = { offset: number; per_page: number }

export async function listEnvironments(
  db: Db,
  {
    project_id,
    name,
    search,
    states,
  }: { project_id: number; name?: string; search?: string; states?: Environment['state'] },
  { offset, per_page }: Range,
): Promise<{ rows: Environment[]; total: number | undefined }> {
  const matching = db
    .selectFrom('environments')
    .where('project_id', '=', project_id)
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .$if(search !== undefined, (query) =>
      query.where(containsTextCondition(db, 'name', search ?? '')),
    )
    .$if(states !== undefined, (query) => query.where('state', '=', states ?? 'available'))
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function findEnvironment(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<Environment | undefined> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Inserts an environment; returns undefined if the project has one with that name, which ends the caller's transaction. */
export async function insertEnvironment(
  db: Db,
  values: Insertable<EnvironmentTable>,
): Promise<Environment | undefined> {
  try {
    const made = await db
      .insertInto('environments')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow()
    await publishChange(db, `project:${made.project_id}`)
    return made
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return undefined
  }
}

export async function updateEnvironment(
  db: Db,
  id: number,
  changes: Updateable<EnvironmentTable>,
): Promise<Environment> {
  const changed = await db
    .updateTable('environments')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishChange(db, `project:${changed.project_id}`)
  return changed
}

export async function deleteEnvironment(db: Db, id: number): Promise<void> {
  const removed = await db
    .deleteFrom('environments')
    .where('id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (removed) await publishChange(db, `project:${removed.project_id}`)
}

export type DeploymentFilter = {
  project_id: number
  environment?: string
  status?: Deployment['status']
  updated_after?: string
  updated_before?: string
  order_by: 'id' | 'iid' | 'created_at' | 'updated_at' | 'ref'
  sort: 'asc' | 'desc'
}

export async function listDeployments(
  db: Db,
  filter: DeploymentFilter,
  { offset, per_page }: Range,
): Promise<{ rows: Deployment[]; total: number | undefined }> {
  const { environment, status, updated_after, updated_before } = filter
  const matching = db
    .selectFrom('deployments')
    .where('deployments.project_id', '=', filter.project_id)
    .$if(environment !== undefined, (query) =>
      query.where('deployments.environment_id', 'in', (eb) =>
        eb
          .selectFrom('environments')
          .select('environments.id')
          .where('environments.project_id', '=', filter.project_id)
          .where('environments.name', '=', environment ?? ''),
      ),
    )
    .$if(status !== undefined, (query) =>
      query.where('deployments.status', '=', status ?? 'created'),
    )
    .$if(updated_after !== undefined, (query) =>
      query.where('deployments.updated_at', '>', updated_after ?? ''),
    )
    .$if(updated_before !== undefined, (query) =>
      query.where('deployments.updated_at', '<', updated_before ?? ''),
    )
  const rows = await matching
    .selectAll('deployments')
    .orderBy(`deployments.${filter.order_by}`, filter.sort)
    .orderBy('deployments.id', filter.sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('deployments.id')) }
}

export function findDeployment(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<Deployment | undefined> {
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Returns the newest successful deployment to the environment, or the newest of any status. */
export function findLastDeploymentToEnvironment(
  db: Db,
  environment_id: number,
  { succeeded }: { succeeded: boolean },
): Promise<Deployment | undefined> {
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .$if(succeeded, (query) => query.where('status', '=', 'success'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Loads the environments, users and jobs of a page of deployments. */
export async function findDeploymentRelations(
  db: Db,
  deployments: readonly Deployment[],
): Promise<{
  environments: Map<number, Environment>
  users: Map<number, User>
  jobs: Map<number, Job>
}> {
  const idsOf = (pick: (deployment: Deployment) => number | null) => [
    ...new Set(deployments.map(pick).filter((id) => id !== null)),
    0,
  ]
  const [environments, users, jobs] = await Promise.all([
    db
      .selectFrom('environments')
      .selectAll()
      .where(
        'id',
        'in',
        idsOf(({ environment_id }) => environment_id),
      )
      .execute(),
    findUsersByIds(
      db,
      deployments.map(({ user_id }) => user_id),
    ),
    db
      .selectFrom('jobs')
      .selectAll()
      .where(
        'id',
        'in',
        idsOf(({ job_id }) => job_id),
      )
      .execute(),
  ])
  return {
    environments: new Map(environments.map((row) => [row.id, row])),
    users,
    jobs: new Map(jobs.map((row) => [row.id, row])),
  }
}

/** Returns the job that stops an environment: from the pipeline of its last deployment, if it has not run. */
export async function findEnvironmentStopJob(
  db: Db,
  environment_id: number,
): Promise<Job | undefined> {
  const last = await findLastDeploymentToEnvironment(db, environment_id, { succeeded: true })
  if (!last?.on_stop || last.job_id === null) return undefined
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('pipeline_id', 'in', (eb) =>
      eb
        .selectFrom('jobs as deployed')
        .select('deployed.pipeline_id')
        .where('deployed.id', '=', last.job_id),
    )
    .where('name', '=', last.on_stop)
    .where('retried', '=', false)
    .executeTakeFirst()
}

/** Returns environments that are due to be stopped, up to a limit. */
export function listEnvironmentsToStop(db: Db, now: string, limit: number): Promise<Environment[]> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('auto_stop_at', '<=', now)
    .where('state', '=', 'available')
    .orderBy('auto_stop_at')
    .limit(limit)
    .execute()
}

export async function updateDeployment(
  db: Db,
  id: number,
  changes: Pick<Deployment, 'status' | 'updated_at'>,
): Promise<void> {
  await db.updateTable('deployments').set(changes).where('id', '=', id).execute()
}
