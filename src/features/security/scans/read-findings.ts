// Reads a vulnerability report, a few findings at a time (docs/api/vulnerabilities.md, "Reports").
import type { Config } from '../../../config.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { openReport, readJsonReport, UnreadableReportError } from '../reports/read-report.ts'
import {
  type Finding,
  FindingError,
  parseFinding,
  parseReportScanner,
} from '../vulnerabilities/finding.ts'
import type { VulnerabilityReportType } from '../vulnerabilities/report-types.ts'

type Scanner = { id: string; name: string }

export type ScanReportSummary = {
  scanner: Scanner | undefined
  scan_status: 'success' | 'failure' | null
  findings: number
}

/** The supported major versions of the schema. */
const versions = /^(1[45])\.\d{1,4}\.\d{1,4}(?:-[\w.]{1,50})?$/

/**
 * Passes the findings of a report to `take`, in order, and returns its metadata. Throws UnreadableReportError with a message
 * for users; some findings may have been passed on before.
 */
export async function readFindingsOfReport(
  config: Config,
  {
    blob,
    report_type,
    scanner,
  }: { blob: string; report_type: VulnerabilityReportType; scanner?: Scanner },
  take: (findings: readonly Finding[]) => Promise<void>,
): Promise<ScanReportSummary> {
  const stream = await openReport(config, { blob, file_format: 'raw' })
  let findings = 0
  let waiting: Finding[] = []
  const hand = async (atLeast: number) => {
    while (waiting.length >= atLeast && waiting.length > 0) {
      const some = waiting.slice(0, limits.reports.findings_at_once)
      waiting = waiting.slice(some.length)
      await take(some)
    }
  }
  const report = await readJsonReport(stream, {
    only: ['version', 'scan'],
    membersOf: {
      vulnerabilities(entry) {
        waiting.push(readOne(report_type, { entry, at: findings, scanner }))
        findings++
        if (findings > limits.reports.findings_max) {
          throw new UnreadableReportError(
            `has more than ${limits.reports.findings_max} vulnerabilities`,
          )
        }
      },
    },
    settle: () => hand(limits.reports.findings_at_once),
  })
  const facts = factsOf(report)
  await hand(1)
  return { ...facts, findings }
}

function readOne(
  type: VulnerabilityReportType,
  { entry, at, scanner }: { entry: unknown; at: number; scanner: Scanner | undefined },
): Finding {
  try {
    return parseFinding(type, entry, scanner)
  } catch (error) {
    if (!(error instanceof FindingError)) throw error
    throw new UnreadableReportError(
      `Invalid report format: vulnerabilities[${at}] ${error.message}`,
    )
  }
}

type Json = Record<string, unknown>

function factsOf({ version, vulnerabilities, scan }: Json): Omit<ScanReportSummary, 'findings'> {
  if (version === undefined)
    throw new UnreadableReportError('Invalid report format: version is missing')
  if (typeof version !== 'string' || !versions.test(version)) {
    const told = JSON.stringify(version).slice(0, 50)
    throw new UnreadableReportError(
      `Invalid report format: version ${told} is not one of 14.x.x, 15.x.x`,
    )
  }
  if (!Array.isArray(vulnerabilities)) {
    throw new UnreadableReportError('Invalid report format: vulnerabilities is missing')
  }
  const { scanner, status } = isRecord(scan) ? scan : {}
  return {
    scanner: parseReportScanner(scanner),
    scan_status: status === 'success' || status === 'failure' ? status : null,
  }
}
