import { isFinal } from '../../../ci/job-states.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { defineTask, enqueue, enqueueAll } from '../../../tasks/task.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import { createScansForReports } from './create-scans-for-reports.ts'
import {
  endedPipelineStatuses,
  filterJobIdsWithVulnerabilityReports,
  findPipelineIdWithUnstoredFindings,
  hasVulnerabilityReports,
} from './scan.store.ts'
import { storeFindingsOfPipelineScans } from './store-scans.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

/** Vulnerabilities are stored only on the tier that has them. */
const isUsed = ({ tier }: Config) => tier === 'ultimate'

const checkSecurityReports = defineTask({
  name: 'check-security-reports',
  lane: 'reports',
  async run(uses: Uses, { job_id }: { job_id: number }) {
    if (!isUsed(uses.config)) return
    await createScansForReports(uses, job_id, (tx, project_id) =>
      enqueueStoreScans(tx, uses.clock, project_id),
    )
  },
})

/** Only one run per project at a time. The oldest pipeline comes first. */
const storeVulnerabilities = defineTask({
  name: 'store-vulnerabilities',
  lane: 'reports',
  async run(uses: Uses, { project_id }: { project_id: number }) {
    for (;;) {
      const pipeline_id = await findPipelineIdWithUnstoredFindings(uses.db, project_id)
      if (pipeline_id === undefined) return
      await storeFindingsOfPipelineScans(uses, pipeline_id)
    }
  },
})

function enqueueStoreScans(tx: Db, clock: Clock, project_id: number): Promise<void> {
  const key = String(project_id)
  return enqueue(tx, clock, { task: storeVulnerabilities, key, payload: { project_id } })
}

/**
 * Enqueues reading of security reports when their job has ended, and storing of findings when the pipeline has; the
 * later of the two enqueues the storing. A step of a change of a pipeline.
 */
export async function enqueueScanTasks(change: PipelineChange): Promise<void> {
  const { tx, clock, pipeline_id, project_id, status, before, jobs } = change
  const done = jobs.filter((job) => isFinal(job.status)).map(({ id }) => id)
  if (done.length > 0) {
    const scanners = await filterJobIdsWithVulnerabilityReports(tx, done)
    await enqueueAll(tx, clock, {
      task: checkSecurityReports,
      requests: scanners.map((id) => ({ key: String(id), payload: { job_id: id } })),
    })
  }
  if (status === before || !endedPipelineStatuses.includes(status)) return
  if (await hasVulnerabilityReports(tx, pipeline_id)) await enqueueStoreScans(tx, clock, project_id)
}

export const scanTasks = [checkSecurityReports, storeVulnerabilities]
