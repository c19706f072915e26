// Finds the pending jobs that a runner may run. The queue is the rows of pending jobs themselves, with a partial index.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'
import type { Runner } from './runner.store.ts'

export type QueuedJob = { id: number; pipeline_id: number; project_id: number }

/** The maximum number of tag sets that are read. */
const tag_sets_max = 10_000

/** Returns the ids of the tag sets of pending jobs whose tags the runner has. */
async function listFittingTagSets(
  db: Db,
  { tags, run_untagged }: Pick<Runner, 'tags' | 'run_untagged'>,
): Promise<number[]> {
  const sets = await db
    .selectFrom('tag_sets')
    .select(['id', 'tags'])
    // With `exists`, PostgreSQL would read all pending jobs.
    .where(
      ({ selectFrom }) =>
        selectFrom('jobs')
          .select('jobs.id')
          .whereRef('jobs.tag_set_id', '=', 'tag_sets.id')
          .where('jobs.status', '=', sql.lit('pending'))
          .limit(sql.lit(1)),
      'is not',
      null,
    )
    .limit(sql.lit(tag_sets_max))
    .execute()
  const own = new Set(tags)
  return sets
    .filter(({ tags: text }) => {
      const wanted = JSON.parse(text) as string[]
      return wanted.length === 0 ? run_untagged : wanted.every((tag) => own.has(tag))
    })
    .map(({ id }) => id)
}

/**
 * Returns the next job for the runner. Project and group runners take the oldest one. Instance runners take one from the
 * project with the fewest jobs on instance runners at the moment. Skips projects on `exceptStorages`.
 */
export async function findNextJobForRunner(
  db: Db,
  runner: Runner,
  exceptStorages: readonly string[] = [],
): Promise<QueuedJob | undefined> {
  const tagSets = await listFittingTagSets(db, runner)
  if (tagSets.length === 0) return undefined
  const { runner_type } = runner
  const oldest = await listOldestJobs(db, runner, { tagSets, exceptStorages })
  const busy =
    runner_type === 'instance_type' && oldest.length > 1 ? await countBusy(db) : undefined
  const [best] = oldest.toSorted(
    (a, b) => (busy?.get(a.project_id) ?? 0) - (busy?.get(b.project_id) ?? 0) || a.id - b.id,
  )
  return best
}

/** Returns the oldest pending job for each project that the runner serves and each set of tags. */
async function listOldestJobs(
  db: Db,
  runner: Runner,
  { tagSets, exceptStorages }: { tagSets: readonly number[]; exceptStorages: readonly string[] },
): Promise<QueuedJob[]> {
  const { runner_type, access_level } = runner
  return db
    .withRecursive('waiting(tag_set_id, project_id)', (recursive) => {
      const sets = recursive.selectFrom('tag_sets').where('tag_sets.id', 'in', tagSets)
      if (runner_type === 'project_type') {
        return sets
          .innerJoin('runner_projects', (join) => join.onTrue())
          .select(['tag_sets.id as tag_set_id', 'runner_projects.project_id'])
          .where('runner_projects.runner_id', '=', runner.id)
      }
      return sets
        .select(['tag_sets.id as tag_set_id', projectAfter('tag_sets.id', sql.lit(0))])
        .unionAll(
          recursive
            .selectFrom('waiting')
            .select([
              'waiting.tag_set_id',
              projectAfter('waiting.tag_set_id', sql.ref('waiting.project_id')),
            ])
            .where('waiting.project_id', 'is not', null),
        )
    })
    .selectFrom('waiting')
    .innerJoin('projects', 'projects.id', 'waiting.project_id')
    .innerJoin('jobs as oldest', (join) =>
      join.on('oldest.id', '=', (eb) =>
        eb
          .selectFrom('jobs')
          .select('jobs.id')
          .where('jobs.status', '=', sql.lit('pending'))
          .whereRef('jobs.tag_set_id', '=', 'waiting.tag_set_id')
          .whereRef('jobs.project_id', '=', 'waiting.project_id')
          .where('jobs.kind', '=', sql.lit('build'))
          .$if(access_level === 'ref_protected', (jobs) =>
            jobs.where('jobs.protected', '=', sql.lit(true)),
          )
          .orderBy('jobs.id')
          .limit(sql.lit(1)),
      ),
    )
    .select(['oldest.id', 'oldest.pipeline_id', 'oldest.project_id'])
    .where('projects.state', '=', 'ready')
    .where('projects.builds_access_level', '<>', 'disabled')
    .$if(exceptStorages.length > 0, (query) =>
      query.where('projects.repository_storage', 'not in', exceptStorages),
    )
    .$if(runner_type === 'group_type', (query) =>
      query.where(
        'projects.namespace_id',
        'in',
        groupAndDescendantIdsQuery(db, runner.group_id ?? 0),
      ),
    )
    .$if(runner_type === 'instance_type', (query) =>
      query.where('projects.shared_runners_enabled', '=', true),
    )
    .execute()
}

/** Selects the next project with pending jobs. The index skips the remaining jobs of the project before it. */
function projectAfter(tagSet: string, project: RawBuilder<unknown>) {
  return sql<number>`(select min(jobs.project_id) from jobs
    where jobs.status = 'pending' and jobs.tag_set_id = ${sql.ref(tagSet)}
    and jobs.project_id > ${project})`.as('project_id')
}

/** Returns how many jobs of each project run on instance runners. */
async function countBusy(db: Db): Promise<Map<number, number>> {
  const running = await db
    .selectFrom('jobs')
    .innerJoin('runners', 'runners.id', 'jobs.runner_id')
    .select(({ fn }) => ['jobs.project_id', fn.countAll<number>().as('count')])
    .where('jobs.status', '=', sql.lit('running'))
    .where('runners.runner_type', '=', 'instance_type')
    .groupBy('jobs.project_id')
    .execute()
  return new Map(running.map(({ project_id, count }) => [project_id, Number(count)]))
}

export type LongPendingJob = Awaited<ReturnType<typeof listLongPendingJobs>>[number]

/** Returns jobs that have been pending since before a time, after the job `after`. */
export function listLongPendingJobs(
  db: Db,
  { before, after, limit }: { before: string; after: number; limit: number },
) {
  return db
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .innerJoin('tag_sets', 'tag_sets.id', 'jobs.tag_set_id')
    .select([
      'jobs.id',
      'jobs.pipeline_id',
      'jobs.project_id',
      'jobs.protected',
      'projects.namespace_id',
      'projects.shared_runners_enabled',
      'tag_sets.tags',
    ])
    .where('jobs.status', '=', sql.lit('pending'))
    .where('jobs.kind', '=', 'build')
    .where('jobs.queued_at', '<', before)
    .where('jobs.id', '>', after)
    .orderBy('jobs.id')
    .limit(limit)
    .execute()
}
