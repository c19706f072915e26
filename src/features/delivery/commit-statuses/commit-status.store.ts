import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, JobTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'
import type { LockedPipeline } from '../pipeline-changes/locked-pipeline.ts'

type Author = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** A status with its commit and its author. */
export type CommitStatus = Pick<
  Selectable<JobTable>,
  | 'id'
  | 'ref'
  | 'status'
  | 'name'
  | 'target_url'
  | 'description'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'allow_failure'
  | 'coverage'
> & { sha: string; author: Author | undefined }

export type CommitStatusFilter = {
  project_id: number
  sha: string
  ref?: string
  stage?: string
  name?: string
  pipeline_id?: number
  /** Whether to include jobs of pipelines, and not only statuses that external services report. */
  withJobs: boolean
  /** Whether to include statuses that were replaced by newer ones. */
  all: boolean
}

function statusQuery(db: Db) {
  return db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .leftJoin('users as author', 'author.id', 'jobs.user_id')
    .select([
      'jobs.id',
      'pipelines.sha',
      'jobs.ref',
      'jobs.status',
      'jobs.name',
      'jobs.target_url',
      'jobs.description',
      'jobs.created_at',
      'jobs.started_at',
      'jobs.finished_at',
      'jobs.allow_failure',
      'jobs.coverage',
      'author.id as author_id',
      'author.username',
      'author.name as author_name',
      'author.state',
      'author.avatar',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof statusQuery>['executeTakeFirstOrThrow']>>

function statusOf({
  author_id,
  author_name,
  username,
  state,
  avatar,
  ...status
}: Row): CommitStatus {
  const author =
    author_id !== null && username !== null && author_name !== null && state
      ? { id: author_id, username, name: author_name, state, avatar }
      : undefined
  return { ...status, author }
}

/** Returns one page of the statuses of a commit, oldest first, and their total. */
export async function listCommitStatuses(
  db: Db,
  filter: CommitStatusFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: CommitStatus[]; total: number | undefined }> {
  const { ref, stage, name, pipeline_id } = filter
  const matching = statusQuery(db)
    .where('pipelines.project_id', '=', filter.project_id)
    .where('pipelines.sha', '=', filter.sha)
    .$if(!filter.withJobs, (query) => query.where('jobs.kind', '=', 'external'))
    .$if(!filter.all, (query) => query.where('jobs.retried', '=', false))
    .$if(ref !== undefined, (query) => query.where('jobs.ref', '=', ref ?? ''))
    .$if(stage !== undefined, (query) => query.where('jobs.stage', '=', stage ?? ''))
    .$if(name !== undefined, (query) => query.where('jobs.name', '=', name ?? ''))
    .$if(pipeline_id !== undefined, (query) => query.where('pipelines.id', '=', pipeline_id ?? 0))
  const rows = await matching.orderBy('jobs.id').limit(per_page).offset(offset).execute()
  const total = await countRows(db, matching.clearSelect().select('jobs.id'))
  return { rows: rows.map(statusOf), total }
}

export async function getCommitStatus(db: Db, id: number): Promise<CommitStatus> {
  return statusOf(await statusQuery(db).where('jobs.id', '=', id).executeTakeFirstOrThrow())
}

/** Returns the newest job of that name in a pipeline. */
export function findCurrentJobByName(
  db: Db,
  { pipeline_id, name }: { pipeline_id: number; name: string },
): Promise<Selectable<JobTable> | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .where('name', '=', name)
    .where('retried', '=', false)
    .executeTakeFirst()
}

export async function insertCommitStatusJob(
  locked: LockedPipeline,
  job: Insertable<JobTable>,
): Promise<number> {
  const { id } = await locked.tx
    .insertInto('jobs')
    .values(job)
    .returning('id')
    .executeTakeFirstOrThrow()
  locked.recordJobChange()
  return id
}

export async function updateCommitStatusJob(
  locked: LockedPipeline,
  id: number,
  changes: Updateable<JobTable>,
): Promise<void> {
  await locked.tx.updateTable('jobs').set(changes).where('id', '=', id).execute()
  locked.recordJobChange()
}
