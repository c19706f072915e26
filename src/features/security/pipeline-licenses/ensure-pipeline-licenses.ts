import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { KeyedMutex } from '../../../kernel/semaphore.ts'
import { listReportArtifacts, reportSourceKey } from '../reports/report.ts'
import { reportReadBudget } from '../reports/report-read-budget.ts'
import { findLicenseScanSource, replacePipelineLicenses } from './pipeline-license.store.ts'
import { readReportedLicenses } from './read-reported-licenses.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

const licenseReportTypes = ['cyclonedx', 'license_scanning']
const turns = new KeyedMutex()

/** Reads the licences of a pipeline, unless that was done and its jobs have created no other reports since. */
export async function ensurePipelineLicenses(uses: Uses, pipeline_id: number): Promise<void> {
  const { db, clock } = uses
  await turns.run(String(pipeline_id), async () => {
    const reports = await listReportArtifacts(db, pipeline_id, licenseReportTypes)
    const source = reportSourceKey(reports)
    const read = await findLicenseScanSource(db, pipeline_id)
    if (read === source || (read === undefined && reports.length === 0)) return
    const licenses = await reportReadBudget.run(() => readReportedLicenses(uses, reports))
    await runTransaction(db, (tx) =>
      replacePipelineLicenses(tx, { pipeline_id, source, created_at: timestamp(clock) }, licenses),
    )
  })
}
