import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { findProjectPipeline } from '../pipelines/pipeline.ts'
import { listTestSuites, summarizeTestCases } from './test-suites.ts'

const endpoint = endpointFactory({ tag: 'Pipelines', on: projectLoader })

const countFields = {
  total_time: Type.Number(),
  total_count: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  skipped_count: Type.Integer(),
  error_count: Type.Integer(),
}
const CaseJson = namedObject('TestCase', {
  status: Type.String(),
  name: Type.String(),
  classname: Type.String(),
  file: nullableText,
  execution_time: Type.Number(),
  system_output: nullableText,
  stack_trace: nullable(Type.String()),
})
const ReportJson = namedObject('TestReport', {
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
const SummaryJson = namedObject('TestReportSummary', {
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

type Counts = ReturnType<typeof summarizeTestCases>

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
    allow: mayReadPipelines,
    input,
    answer: ReportJson,
    async run(context) {
      const { db, subject: project } = context
      const id = context.input.pipeline_id
      if (!(await findProjectPipeline(db, { project_id: project.id, id }))) throw recordNotFound()
      const suites = await listTestSuites(context, id)
      return {
        ...named(summarizeTestCases(suites.flatMap(({ cases }) => cases))),
        test_suites: suites.map(({ name, cases, suite_error }) => ({
          name,
          ...named(summarizeTestCases(cases)),
          suite_error,
          test_cases: cases.map((one) => ({ ...one, stack_trace: null })),
        })),
      }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/test_report_summary',
    summary: 'Count the tests that the jobs of a pipeline have reported',
    allow: mayReadPipelines,
    input,
    answer: SummaryJson,
    async run(context) {
      const { db, subject: project } = context
      const id = context.input.pipeline_id
      if (!(await findProjectPipeline(db, { project_id: project.id, id }))) throw recordNotFound()
      const suites = await listTestSuites(context, id)
      return {
        total: { ...summarizeTestCases(suites.flatMap(({ cases }) => cases)), suite_error: null },
        test_suites: suites.map(({ name, job_id, cases, suite_error }) => ({
          name,
          ...named(summarizeTestCases(cases)),
          build_ids: [job_id],
          suite_error,
        })),
      }
    },
  }),
]
