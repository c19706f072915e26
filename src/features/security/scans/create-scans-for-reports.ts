// Reads the security reports of a job that has ended: whether they can be parsed, and their number of findings.

import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { setArtifactReportError } from '../../delivery/jobs/job.ts'
import { UnreadableReportError } from '../reports/read-report.ts'
import type { VulnerabilityReportType } from '../vulnerabilities/report-types.ts'
import { readFindingsOfReport, type ScanReportSummary } from './read-findings.ts'
import { findRootPipelineId, insertScan, listUnreadReportsOfJob } from './scan.store.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>
type Unread = Awaited<ReturnType<typeof listUnreadReportsOfJob>>[number]

/**
 * Creates a scan for each report of the job; for an unreadable one, stores the error with the artifact. `whenPending` is
 * called in the transaction of a scan whose findings are to be stored. Safe to repeat.
 */
export async function createScansForReports(
  uses: Uses,
  job_id: number,
  whenPending: (tx: Db, project_id: number) => Promise<void>,
): Promise<void> {
  for (const report of await listUnreadReportsOfJob(uses.db, job_id)) {
    const { facts, error } = await readOne(uses.config, report)
    const root_pipeline_id = await findRootPipelineId(uses.db, report.pipeline_id)
    await runTransaction(uses.db, async (tx) => {
      const { project_id, pipeline_id } = report
      const report_type = report.file_type as VulnerabilityReportType
      const isPending = isOfDefaultBranch(report) && error === null
      const isNew = await insertScan(tx, {
        ...{ project_id, pipeline_id, root_pipeline_id, job_id, report_type, error },
        scanner: facts?.scanner?.id ?? null,
        scanner_name: facts?.scanner?.name ?? null,
        scan_status: facts?.scan_status ?? null,
        findings: facts?.findings ?? 0,
        state: error !== null ? 'broken' : isPending ? 'pending' : 'seen',
        created_at: timestamp(uses.clock),
      })
      if (!isNew) return
      if (error !== null) await setArtifactReportError(tx, report.artifact_id, error)
      if (isPending) await whenPending(tx, project_id)
    })
  }
}

const isOfDefaultBranch = ({ ref, tag, default_branch }: Unread) => !tag && ref === default_branch

/** Returns the summary of a report, or why it cannot be read. */
async function readOne(
  config: Config,
  { blob, file_type }: Unread,
): Promise<{ facts: ScanReportSummary | undefined; error: string | null }> {
  try {
    const report_type = file_type as VulnerabilityReportType
    const facts = await readFindingsOfReport(config, { blob, report_type }, async () => {})
    return { facts, error: null }
  } catch (error) {
    if (!(error instanceof UnreadableReportError)) throw error
    return { facts: undefined, error: error.message }
  }
}
