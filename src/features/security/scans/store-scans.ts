// Stores the findings of a pipeline of the default branch as vulnerabilities
// (docs/api/vulnerabilities.md, "Deduplication").
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { UnreadableReportError } from '../reports/read-report.ts'
import type { Finding } from '../vulnerabilities/finding.ts'
import { isVulnerabilityReportType } from '../vulnerabilities/report-types.ts'
import { storeFindings } from '../vulnerabilities/store-findings.ts'
import { markVulnerabilitiesGoneFromDefaultBranch } from '../vulnerabilities/vulnerability.ts'
import { readFindingsOfReport } from './read-findings.ts'
import { finishPendingScans, isScanSuperseded, listScansWithReports } from './scan.store.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>
type Scan = Awaited<ReturnType<typeof listScansWithReports>>[number]

/** The order of scanners that report the same finding: those with more details first, unlisted ones last. */
const scanners = [
  ...['bundler_audit', 'retire.js', 'gemnasium', 'gemnasium-maven', 'gemnasium-python'],
  ...['bandit', 'spotbugs', 'semgrep', 'trivy', 'klar', 'clair'],
]
const rankOf = ({ scanner }: Scan) => scanners.indexOf(scanner ?? '') + 1 || scanners.length + 1

/** Stores the findings of a pipeline's scans. Safe to repeat: findings that are already stored are recognized. */
export async function storeFindingsOfPipelineScans(uses: Uses, pipeline_id: number): Promise<void> {
  const { db, clock } = uses
  const all = await listScansWithReports(db, pipeline_id)
  const stored: Scan[] = []
  for (const scan of all.filter(({ state }) => state === 'pending').toSorted(byRank)) {
    if (await isScanSuperseded(db, scan)) continue
    if (await storeScan(uses, scan)) stored.push(scan)
  }
  for (const { project_id, report_type, root_pipeline_id, scanner } of stored) {
    const ofType = all.filter((scan) => scan.report_type === report_type)
    if (ofType.some(({ state, scan_status }) => state === 'broken' || scan_status === 'failure')) {
      continue
    }
    const now = timestamp(clock)
    await markVulnerabilitiesGoneFromDefaultBranch(db, {
      project_id,
      report_type,
      scanner,
      root_pipeline_id,
      now,
    })
  }
  await finishPendingScans(db, { pipeline_id, stored: stored.map(({ id }) => id) })
}

const byRank = (a: Scan, b: Scan) => rankOf(a) - rankOf(b) || a.job_id - b.job_id

/** Stores the findings of a scan. Returns false if its report was deleted or cannot be read. */
async function storeScan({ db, clock, config }: Uses, scan: Scan): Promise<boolean> {
  const { blob, report_type, scanner: id, scanner_name } = scan
  if (blob === null || !isVulnerabilityReportType(report_type)) return false
  const scanner = id === null ? undefined : { id, name: scanner_name ?? id }
  const store = (findings: readonly Finding[]) =>
    runTransaction(db, async (tx) => {
      await storeFindings(tx, { ...scan, report_type }, findings, clock)
    })
  try {
    await readFindingsOfReport(config, { blob, report_type, scanner }, store)
    return true
  } catch (error) {
    if (error instanceof UnreadableReportError) return false
    throw error
  }
}
