// The tests of a pipeline: a suite for each job with a test report (docs/api/ci.md, "Test reports").

import type { Config } from '../../../config.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { createLruCache } from '../../../kernel/lru.ts'
import { isArtifactUnpackingError, openUnpackedArtifact } from '../artifacts/open-artifact.ts'
import { JunitReportError, readJunitReport, type TestCase } from './read-junit.ts'
import { listTestReportArtifacts } from './test-report.store.ts'

export type TestSuite = {
  name: string
  job_id: number
  cases: TestCase[]
  suite_error: string | null
}

const reports_max = 500
/** The maximum size of an unpacked report. */
const report_bytes_max = 50 * 1024 * 1024

/** Parsed reports by blob; a blob never changes. */
const kept = createLruCache<Pick<TestSuite, 'cases' | 'suite_error'>>(20)

/** Returns the test suites of the pipeline. One that cannot be read has an error and no cases. */
export async function listTestSuites(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  pipeline_id: number,
): Promise<TestSuite[]> {
  const suites: TestSuite[] = []
  for (const { job_id, name, blob } of await listTestReportArtifacts(
    db,
    pipeline_id,
    reports_max,
  )) {
    const read = kept.get(blob) ?? (await readReport(config, blob))
    kept.set(blob, read)
    suites.push({ name, job_id, ...read })
  }
  return suites
}

async function readReport(
  config: Config,
  blob: string,
): Promise<Pick<TestSuite, 'cases' | 'suite_error'>> {
  const file = { blob, file_format: 'gzip' }
  const plain = await openUnpackedArtifact(config, file, {
    bytes_max: report_bytes_max,
    tooLarge: () => new JunitReportError('JUnit XML is too large'),
  })
  if (!plain) throw new Error(`The blob ${blob} of a test report was not found.`)
  try {
    return { cases: await readJunitReport(plain), suite_error: null }
  } catch (error) {
    const isBroken = isArtifactUnpackingError(error)
    if (!isBroken && !(error instanceof JunitReportError)) throw error
    const suite_error = isBroken ? 'JUnit data parsing failed' : (error as Error).message
    return { cases: [], suite_error }
  }
}

/** Counts the cases by status and adds up their durations. */
export function summarizeTestCases(cases: readonly TestCase[]) {
  const count = (status: TestCase['status']) => cases.filter((one) => one.status === status).length
  return {
    time: cases.reduce((sum, { execution_time }) => sum + execution_time, 0),
    count: cases.length,
    success: count('success'),
    failed: count('failed'),
    skipped: count('skipped'),
    error: count('error'),
  }
}
