import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nullable, nullableText, oneOf, pageInput } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import { mayReadSecurityFindings, type Project, projectLoader } from '../../../subjects/project.ts'
import { findProjectPipeline } from '../../delivery/pipelines/pipeline.ts'
import { vulnerabilityReportTypes } from '../vulnerabilities/report-types.ts'
import { listScans } from './scan.store.ts'

const readScans: Rule<Project> = (facts) =>
  mayReadPipelines(facts) && mayReadSecurityFindings(facts)

const ScanJson = namedObject('SecurityScan', {
  id: Type.Integer(),
  report_type: oneOf(vulnerabilityReportTypes),
  status: oneOf(['succeeded', 'report_error']),
  scan_status: nullable(oneOf(['success', 'failure'])),
  scanner: nullable(Type.Object({ external_id: Type.String(), name: nullableText })),
  findings_count: Type.Integer(),
  error: nullableText,
  job: namedObject('ScanningJob', { id: Type.Integer(), name: Type.String() }),
  created_at: Type.String(),
})

const endpoint = endpointFactory({
  tag: 'Vulnerabilities',
  tier: 'ultimate',
  signIn: 'always',
  on: projectLoader,
})

export const scanEndpoints = [
  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/security_scans',
    summary: 'List the security scans of a pipeline',
    allow: readScans,
    input: Type.Object({ pipeline_id: Type.Integer(), ...pageInput }),
    answer: Type.Array(ScanJson),
    async run({ db, subject: project, input, range }) {
      const id = input.pipeline_id
      if (!(await findProjectPipeline(db, { project_id: project.id, id }))) throw recordNotFound()
      const { rows, total } = await listScans(db, id, range)
      const items = rows.map(({ id, report_type, scan_status, scanner, error, ...scan }) => ({
        ...{ id, report_type, scan_status, error },
        status: error === null ? 'succeeded' : 'report_error',
        scanner: scanner === null ? null : { external_id: scanner, name: scan.scanner_name },
        findings_count: scan.findings,
        job: { id: scan.job_id, name: scan.job_name },
        created_at: scan.created_at,
      }))
      return new Page({ items, total })
    },
  }),
]
