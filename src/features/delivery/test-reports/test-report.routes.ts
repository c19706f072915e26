import { Type } from 'typebox'
import { endpointsWith } from '../../../http/endpoint.ts'
import { nullable, nullableText, record } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { readPipelines } from '../../../subjects/pipeline.ts'
import { aProject } from '../../../subjects/project.ts'
import { findPipelineOf } from '../pipelines/pipeline.ts'
import { countCases, listSuites } from './test-suites.ts'

const endpoint = endpointsWith({ tag: 'Pipelines', on: aProject })

const countFields = {
  total_time: Type.Number(),
  total_count: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  skipped_count: Type.Integer(),
  error_count: Type.Integer(),
}
const CaseJson = record('TestCase', {
  status: Type.String(),
  name: Type.String(),
  classname: Type.String(),
  file: nullableText,
  execution_time: Type.Number(),
  system_output: nullableText,
  stack_trace: nullable(Type.String()),
})
const ReportJson = record('TestReport', {
  ...countFields,
  test_suites: Type.Array(
    Type.Object({
      name: Type.String(),
      ...countFields,
      suite_error: nullableText,
      test_cases: Type.Array(CaseJson),
    }),
  ),
})
const SummaryJson = record('TestReportSummary', {
  total: Type.Object({
    time: Type.Number(),
    count: Type.Integer(),
    success: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    error: Type.Integer(),
    suite_error: nullableText,
  }),
  test_suites: Type.Array(
    Type.Object({
      name: Type.String(),
      ...countFields,
      build_ids: Type.Array(Type.Integer()),
      suite_error: nullableText,
    }),
  ),
})

type Counts = ReturnType<typeof countCases>

const named = ({ time, count, success, failed, skipped, error }: Counts) => ({
  total_time: time,
  total_count: count,
  success_count: success,
  failed_count: failed,
  skipped_count: skipped,
  error_count: error,
})

const input = Type.Object({ pipeline_id: Type.Integer() })

export const testReportEndpoints = [
  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/test_report',
    summary: 'Get the tests that the jobs of a pipeline have reported',
    allow: readPipelines,
    input,
    answer: ReportJson,
    async run(context) {
      const { db, subject: project } = context
      const id = context.input.pipeline_id
      if (!(await findPipelineOf(db, { project_id: project.id, id }))) throw recordNotFound()
      const suites = await listSuites(context, id)
      return {
        ...named(countCases(suites.flatMap(({ cases }) => cases))),
        test_suites: suites.map(({ name, cases, suite_error }) => ({
          name,
          ...named(countCases(cases)),
          suite_error,
          test_cases: cases.map((one) => ({ ...one, stack_trace: null })),
        })),
      }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/test_report_summary',
    summary: 'Count the tests that the jobs of a pipeline have reported',
    allow: readPipelines,
    input,
    answer: SummaryJson,
    async run(context) {
      const { db, subject: project } = context
      const id = context.input.pipeline_id
      if (!(await findPipelineOf(db, { project_id: project.id, id }))) throw recordNotFound()
      const suites = await listSuites(context, id)
      return {
        total: { ...countCases(suites.flatMap(({ cases }) => cases)), suite_error: null },
        test_suites: suites.map(({ name, job_id, cases, suite_error }) => ({
          name,
          ...named(countCases(cases)),
          build_ids: [job_id],
          suite_error,
        })),
      }
    },
  }),
]
