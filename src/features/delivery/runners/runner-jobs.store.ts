import type { CiStatus, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Job } from '../pipelines/job.ts'

/** One page of the jobs a runner has run, and how many there are. */
export async function listRunnerJobs(
  db: Db,
  { runner_id, status, sort }: { runner_id: number; status?: CiStatus; sort: 'asc' | 'desc' },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Job[]; total: number | undefined }> {
  const matching = db
    .selectFrom('jobs')
    .where('runner_id', '=', runner_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'created'))
  const rows = await matching
    .selectAll()
    .orderBy('id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('jobs.id')) }
}
