import { type Insertable, sql } from 'kysely'
import type { Db, JobArtifactTable } from '../../../db/db.ts'
import type { Artifact } from '../jobs/job.ts'

export function findArtifact(
  db: Db,
  { job_id, file_type }: { job_id: number; file_type: string },
): Promise<Artifact | undefined> {
  return db
    .selectFrom('job_artifacts')
    .selectAll()
    .where('job_id', '=', job_id)
    .where('file_type', '=', file_type)
    .executeTakeFirst()
}

export async function insertArtifact(
  tx: Db,
  artifact: Insertable<JobArtifactTable>,
): Promise<void> {
  await tx.insertInto('job_artifacts').values(artifact).execute()
}

/** An archive. `locked` is true if it is kept after its expiry. */
export type JobArchive = Artifact & { locked: boolean }

function archiveQuery(db: Db) {
  return db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .innerJoin('job_artifacts', (join) =>
      join
        .onRef('job_artifacts.job_id', '=', 'jobs.id')
        .on('job_artifacts.file_type', '=', 'archive'),
    )
    .selectAll('job_artifacts')
    .select('pipelines.locked')
}

/** Returns the archive of a job of the project. */
export function findJobArchive(
  db: Db,
  { project_id, job_id }: { project_id: number; job_id: number },
): Promise<JobArchive | undefined> {
  return archiveQuery(db)
    .where('jobs.id', '=', job_id)
    .where('jobs.project_id', '=', project_id)
    .executeTakeFirst()
}

/**
 * Returns the archive of a job by its name: from the pipeline, otherwise from a child pipeline, otherwise from a child of
 * one of those, which is the deepest level there is.
 */
export function findJobArchiveInPipelineTree(
  db: Db,
  { pipeline_id, job }: { pipeline_id: number; job: string },
): Promise<JobArchive | undefined> {
  return db
    .withRecursive('family(id, depth)', (family) =>
      family
        .selectNoFrom([
          sql<number>`cast(${pipeline_id} as bigint)`.as('id'),
          sql<number>`0`.as('depth'),
        ])
        .unionAll(
          family
            .selectFrom('pipelines')
            .innerJoin('family', 'family.id', 'pipelines.parent_id')
            .select(['pipelines.id', sql<number>`family.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('family')
    .innerJoin('pipelines', 'pipelines.id', 'family.id')
    .innerJoin('jobs', 'jobs.pipeline_id', 'pipelines.id')
    .innerJoin('job_artifacts', (join) =>
      join
        .onRef('job_artifacts.job_id', '=', 'jobs.id')
        .on('job_artifacts.file_type', '=', 'archive'),
    )
    .selectAll('job_artifacts')
    .select('pipelines.locked')
    .where('jobs.name', '=', job)
    .where('jobs.retried', '=', false)
    .orderBy('family.depth')
    .orderBy('jobs.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the ids of the artifacts of a job, at most one of each type. */
export async function listArtifactIds(db: Db, job_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('job_artifacts')
    .select('id')
    .where('job_id', '=', job_id)
    .execute()
  return rows.map(({ id }) => id)
}

export type ExpiredArtifact = Pick<Artifact, 'id'> & { expire_at: string; locked: boolean }

/** Returns a batch of expired files after the given one, those that expired first. */
export function listExpiredArtifacts(
  db: Db,
  {
    now,
    after,
    limit,
  }: { now: string; after: Pick<ExpiredArtifact, 'id' | 'expire_at'> | undefined; limit: number },
): Promise<ExpiredArtifact[]> {
  return db
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .select(['job_artifacts.id', 'job_artifacts.expire_at', 'pipelines.locked'])
    .where('job_artifacts.expire_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('job_artifacts.expire_at', '>', after?.expire_at ?? ''),
          eb.and([
            eb('job_artifacts.expire_at', '=', after?.expire_at ?? ''),
            eb('job_artifacts.id', '>', after?.id ?? 0),
          ]),
        ]),
      ),
    )
    .orderBy('job_artifacts.expire_at')
    .orderBy('job_artifacts.id')
    .limit(limit)
    .$narrowType<{ expire_at: string }>()
    .execute()
}

/** Removes the expiry of a job's artifacts. */
export async function clearArtifactExpiry(tx: Db, job_id: number): Promise<void> {
  await tx
    .updateTable('job_artifacts')
    .set({ expire_at: null })
    .where('job_id', '=', job_id)
    .execute()
  await tx.updateTable('jobs').set({ artifacts_expire_at: null }).where('id', '=', job_id).execute()
}

/**
 * Expires artifacts of a project that are not kept as the latest of a branch or tag, at most `limit` of them. Returns how
 * many.
 */
export async function expireUnlockedArtifacts(
  db: Db,
  { project_id, now, limit }: { project_id: number; now: string; limit: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('job_artifacts')
    .set({ expire_at: now })
    .where('id', 'in', (files) =>
      files
        .selectFrom('job_artifacts as file')
        .innerJoin('jobs', 'jobs.id', 'file.job_id')
        .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
        .select('file.id')
        .where('file.project_id', '=', project_id)
        .where('pipelines.locked', '=', false)
        .where((eb) => eb.or([eb('file.expire_at', 'is', null), eb('file.expire_at', '>', now)]))
        .orderBy('file.id')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
