// Which pending jobs a runner may have. The queue is the rows of pending jobs themselves, by a partial index.
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { subtree } from '../../../subjects/subtree.ts'
import type { Runner } from './runner.store.ts'

export type QueuedJob = { id: number; pipeline_id: number; project_id: number }

/** Lists of tags that pending jobs have; so many are looked at. */
const tag_sets_max = 10_000
/** Jobs that are tried in one look, should others be faster with the first. */
const candidates_max = 8

/** The lists of tags that the runner has all of, of jobs that are pending. */
async function listFittingTagSets(
  db: Db,
  { tags, run_untagged }: Pick<Runner, 'tags' | 'run_untagged'>,
): Promise<number[]> {
  const sets = await db
    .selectFrom('tag_sets')
    .select(['id', 'tags'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('jobs')
          .select('jobs.id')
          .whereRef('jobs.tag_set_id', '=', 'tag_sets.id')
          .where('jobs.status', '=', sql.lit('pending')),
      ),
    )
    .limit(tag_sets_max)
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
 * The next jobs for the runner, best first. Runners of projects and groups take the oldest; those of the
 * instance take from the project that has the fewest of its jobs on such runners now.
 */
export async function findQueuedJobs(db: Db, runner: Runner): Promise<QueuedJob[]> {
  const tagSets = await listFittingTagSets(db, runner)
  if (tagSets.length === 0) return []
  let query = db
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .where('jobs.status', '=', sql.lit('pending'))
    .where('jobs.kind', '=', 'build')
    .where('jobs.tag_set_id', 'in', tagSets)
    .where('projects.state', '=', 'ready')
    .where('projects.builds_access_level', '<>', 'disabled')
  if (runner.access_level === 'ref_protected') query = query.where('jobs.protected', '=', true)
  if (runner.runner_type === 'project_type') {
    query = query.where((eb) =>
      eb(
        'jobs.project_id',
        'in',
        eb.selectFrom('runner_projects').select('project_id').where('runner_id', '=', runner.id),
      ),
    )
  } else if (runner.runner_type === 'group_type') {
    query = query.where('projects.namespace_id', 'in', subtree(db, runner.group_id ?? 0))
  } else {
    return findFairly(db, query.where('projects.shared_runners_enabled', '=', true))
  }
  return query
    .select(['jobs.id', 'jobs.pipeline_id', 'jobs.project_id'])
    .orderBy('jobs.id')
    .limit(candidates_max)
    .execute()
}

type Candidates = ReturnType<typeof candidatesOf>
function candidatesOf(db: Db) {
  return db.selectFrom('jobs').innerJoin('projects', 'projects.id', 'jobs.project_id')
}

async function findFairly(db: Db, candidates: Candidates): Promise<QueuedJob[]> {
  const oldest = await candidates
    .select(({ fn }) => ['jobs.project_id', fn.min<number>('jobs.id').as('id')])
    .groupBy('jobs.project_id')
    .execute()
  if (oldest.length === 0) return []
  const running = await db
    .selectFrom('jobs')
    .innerJoin('runners', 'runners.id', 'jobs.runner_id')
    .select(({ fn }) => ['jobs.project_id', fn.countAll<number>().as('count')])
    .where('jobs.status', '=', sql.lit('running'))
    .where('runners.runner_type', '=', 'instance_type')
    .groupBy('jobs.project_id')
    .execute()
  const busy = new Map(running.map(({ project_id, count }) => [project_id, Number(count)]))
  const best = oldest
    .toSorted(
      (a, b) => (busy.get(a.project_id) ?? 0) - (busy.get(b.project_id) ?? 0) || a.id - b.id,
    )
    .slice(0, candidates_max)
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'pipeline_id', 'project_id'])
    .where(
      'id',
      'in',
      best.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return best.flatMap(({ id }) => byId.get(id) ?? [])
}

export type WaitingLong = Awaited<ReturnType<typeof listLongWaiting>>[number]

/** Jobs that have been pending since before, from the first id after `after` on. */
export function listLongWaiting(
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
