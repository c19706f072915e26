// The operations that runners call (docs/api/runners.md). They have no credentials except tokens of their own.
import { Type } from 'typebox'
import { Answer } from '../../../http/answer.ts'
import { fileHeadersWithAliases } from '../../../http/brand.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import {
  namedObject,
  nonBlankText,
  nullable,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
} from '../../../http/schema.ts'
import { monotonic_ms, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { isJobQueueClosed, waitForPendingJob } from '../pipeline-changes/job-queue.ts'
import { createRunner, resolveRegistrationToken } from './register-runner.ts'
import { claimPendingJob } from './request-job.ts'
import { deleteRunner, updateRunner } from './runner.store.ts'
import {
  authenticateRunner,
  generateRunnerToken,
  type RunnerInfo,
  recordRunnerContact,
  reportedRunnerFeatures,
  runnerTokenColumns,
  toRunnerInfoColumns,
} from './runner-token.ts'

const endpoint = endpointFactory({ tag: 'Runners', signIn: 'ignored' })

const infoInput = { info: Type.Optional(Type.Unsafe<RunnerInfo>({ type: 'object' })) }
const tokenInput = { token: optionalText, system_id: optionalText }

export const runnerSettingsInput = {
  description: optionalText,
  maintenance_note: Type.Optional(nullable(Type.String())),
  maintainer_note: Type.Optional(nullable(Type.String())),
  tag_list: Type.Optional(Type.Array(Type.String())),
  run_untagged: optionalBoolean,
  locked: optionalBoolean,
  paused: optionalBoolean,
  active: optionalBoolean,
  access_level: Type.Optional(oneOf(['not_protected', 'ref_protected'])),
  maximum_timeout: Type.Optional(nullable(Type.Integer())),
}

export const RunnerTokenJson = namedObject('RunnerToken', {
  id: Type.Integer(),
  token: Type.String(),
  token_expires_at: nullableText,
})

/** How often a waiting request looks for jobs that another process has enqueued. */
const look_ms = 2_000

export const runnerProtocolEndpoints = [
  endpoint({
    route: 'POST /runners',
    summary: 'Register a runner',
    allow: () => true,
    input: Type.Object({ token: nonBlankText(), ...runnerSettingsInput, ...infoInput }),
    status: 201,
    answer: RunnerTokenJson,
    async run(context) {
      const { token: registration, info, ...settings } = context.input
      const scope = await resolveRegistrationToken(context, registration)
      const { runner, token } = await createRunner(context, { scope, settings, info })
      return { id: runner.id, token, token_expires_at: runner.token_expires_at }
    },
  }),

  endpoint({
    route: 'POST /runners/verify',
    summary: 'Verify the token of a runner',
    allow: () => true,
    input: Type.Object({ ...tokenInput, ...infoInput }),
    answer: RunnerTokenJson,
    async run(context) {
      const { input, request } = context
      const runner = await authenticateRunner(context, { token: input.token, request })
      await recordRunnerContact(context, runner, { ip: request.ip, info: input.info })
      const token = input.token ?? String(request.headers['runner-token'])
      return { id: runner.id, token, token_expires_at: runner.token_expires_at }
    },
  }),

  endpoint({
    route: 'DELETE /runners',
    summary: 'Remove a runner by its token',
    allow: () => true,
    input: Type.Object(tokenInput),
    status: 204,
    async run(context) {
      const { db, input, request } = context
      const runner = await authenticateRunner(context, { token: input.token, request })
      await deleteRunner(db, runner.id)
    },
  }),

  endpoint({
    route: 'DELETE /runners/managers',
    summary: 'Delete a runner manager',
    allow: () => true,
    input: Type.Object({ token: optionalText, system_id: nonBlankText() }),
    status: 204,
    async run(context) {
      const { input, request } = context
      await authenticateRunner(context, { token: input.token, request })
    },
  }),

  endpoint({
    route: 'POST /runners/reset_authentication_token',
    summary: 'Reset the token of a runner',
    allow: () => true,
    input: Type.Object(tokenInput),
    status: 201,
    answer: namedObject('ResetRunnerToken', {
      token: Type.String(),
      token_expires_at: nullableText,
    }),
    async run(context) {
      const { db, clock, input, request } = context
      const runner = await authenticateRunner(context, { token: input.token, request })
      const token = generateRunnerToken({ isMadeByUser: runner.creator_id !== null })
      const changes = { ...runnerTokenColumns(token), updated_at: timestamp(clock) }
      const { token_expires_at } = await updateRunner(db, runner.id, changes)
      return { token, token_expires_at }
    },
  }),

  endpoint({
    route: 'POST /jobs/request',
    summary: 'Request a job',
    allow: () => true,
    // The request may wait for a job, so claimPendingJob opens short transactions.
    transaction: 'none',
    input: Type.Object({
      ...tokenInput,
      ...infoInput,
      last_update: optionalText,
      job_age: optionalInteger,
      session: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    }),
    status: 201,
    answer: Type.Unsafe<object>({ type: 'object' }),
    otherAnswers: { 204: undefined },
    async run(context) {
      const { db, input, request, baseUrl } = context
      const runner = await authenticateRunner(context, { token: input.token, request })
      await recordRunnerContact(context, runner, { ip: request.ip, info: input.info })
      const { info } = input
      const isUnisolated =
        info !== undefined && toRunnerInfoColumns(info).isolation_problem !== null
      const asking = { runner, features: reportedRunnerFeatures(info), isUnisolated, baseUrl }
      // A runner that sends the mark got no job the last time, so its request waits. Other requests are
      // answered at once with the mark.
      const isWaiting = input.last_update === waitingMark
      const { signal } = request
      const end_ms = monotonic_ms() + (isWaiting ? limits.pipelines.poll_ms : 0)
      for (;;) {
        const payload = await claimPendingJob(context, asking)
        if (payload) return payload
        const left_ms = end_ms - monotonic_ms()
        if (left_ms <= 0 || signal.aborted || isJobQueueClosed(db)) break
        await waitForPendingJob(Math.min(look_ms, left_ms), signal)
      }
      return Answer.empty(204, fileHeadersWithAliases({ 'Last-Update': waitingMark }))
    },
  }),
]

/** Runners send this value back if they got no job the last time. */
const waitingMark = 'waiting'
