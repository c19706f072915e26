// Reports of a runner about its running job (docs/api/runners.md, "Reporting the state of a job").
import { Type } from 'typebox'
import { Answer } from '../../../http/answer.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { nonBlankText, oneOf, optionalInteger, optionalText } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob, updateJobRow } from '../pipeline-changes/job.ts'
import { saveCoverageFromLog } from './coverage.ts'
import { type FailureReason, failureReasons } from './failure-reasons.ts'
import { finishJob } from './finish-job.ts'
import { authenticateRunningJob, isJobHeartbeatDue, jobStatusHeaders } from './running-job.ts'

const states = ['pending', 'running', 'success', 'failed'] as const

export const updateJobEndpoints = [
  endpoint({
    route: 'PUT /jobs/:id',
    summary: 'Update the state of a job',
    tag: 'Runners',
    signIn: 'ignored',
    allow: () => true,
    transaction: 'none',
    input: Type.Object({
      id: Type.Integer(),
      token: nonBlankText(),
      state: Type.Optional(oneOf(states)),
      failure_reason: optionalText,
      checksum: optionalText,
      output: Type.Optional(Type.Object({ checksum: optionalText, bytesize: optionalInteger })),
      exit_code: optionalInteger,
    }),
    answer: Type.Integer(),
    otherAnswers: { 412: undefined },
    async run(context) {
      const { db, clock, input } = context
      const job = await authenticateRunningJob(context, { id: input.id, token: input.token })
      const { state = 'running', output, exit_code } = input
      if (state === 'pending' || state === 'running') {
        if (isJobHeartbeatDue(job, clock)) {
          await updateJobRow(db, job.id, { updated_at: timestamp(clock) })
        }
        return Answer.json(200, 200, jobStatusHeaders(job))
      }
      // The 412 makes the runner send its log again, starting at the length of the stored log.
      if ((output?.bytesize ?? 0) > Number(job.log_bytes)) {
        return Answer.empty(412, jobStatusHeaders(job))
      }
      await saveCoverageFromLog(context, job)
      const ended = await withLockedPipeline(context, job.pipeline_id, async (locked) => {
        const { tx } = locked
        const current = await findJob(tx, job.id)
        if (!current) return undefined
        await finishJob(locked, current, {
          event: state === 'success' ? 'succeed' : 'drop',
          ...(state === 'failed' ? { failure_reason: reasonOf(input.failure_reason) } : {}),
          exit_code,
        })
        return findJob(tx, job.id)
      })
      return Answer.json(200, 200, jobStatusHeaders(ended ?? job))
    },
  }),
]

function reasonOf(text: string | undefined): FailureReason {
  return failureReasons.find((known) => known === text) ?? 'unknown_failure'
}
