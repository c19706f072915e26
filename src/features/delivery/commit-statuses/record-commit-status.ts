// Records the status that an external service reports for a commit: as a job of kind `external` in the commit's newest
// pipeline, or in a new one (docs/api/repository.md, "Commit statuses").

import type { Db, JobTable } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { findNewestPipeline, type Pipeline } from '../../../subjects/pipeline.ts'
import { type LockedPipeline, lockPipeline } from '../pipeline-changes/locked-pipeline.ts'
import { pipelineChangedEffect } from '../pipeline-changes/pipeline-changed.ts'
import { updatePipelineFromJobs } from '../pipeline-changes/update-pipeline-from-jobs.ts'
import { ensurePipelineForCommitStatus } from '../pipelines/pipeline.ts'
import {
  findCurrentJobByName,
  insertCommitStatusJob,
  updateCommitStatusJob,
} from './commit-status.store.ts'

export const reportableCommitStates = [
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
] as const
export type ReportableCommitState = (typeof reportableCommitStates)[number]

export type CommitStatusReport = {
  state: ReportableCommitState
  name: string
  target_url?: string
  description?: string
  coverage?: number
}

const text_characters_max = 255
const external_stage_position = 1_000_000

function tooLong(text: string | undefined): string[] {
  const isTooLong = [...(text ?? '')].length > text_characters_max
  return isTooLong ? [`is too long (maximum is ${text_characters_max} characters)`] : []
}

/** Throws 400 with the messages of every invalid field. */
export function validateCommitStatusReport(report: CommitStatusReport & { ref?: string }): void {
  const { name, ref, target_url, description } = report
  const isBlocked = target_url !== undefined && !isWebUrl(target_url)
  const messages: FieldErrors = {
    name: name.trim() === '' ? ["can't be blank"] : tooLong(name),
    ref: tooLong(ref),
    target_url: [
      ...(isBlocked ? ['is blocked: Only allowed schemes are http, https'] : []),
      ...tooLong(target_url),
    ],
    description: tooLong(description),
  }
  const wrong = Object.entries(messages).filter(([, problems]) => problems.length > 0)
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
}

/** Returns whether the text is an http or https URL. Pages show it as a link. */
function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return /^https?:\/\//i.test(text) && url !== null && url.hostname !== ''
}

/** The commit of a status, with its newest pipeline or a new one for `ref`. */
export type CommitStatusTarget = Pick<
  Pipeline,
  'project_id' | 'sha' | 'ref' | 'tag' | 'committed_at'
>

/**
 * Returns the pipeline that a commit status is for. Throws 404 for an id that is not a pipeline of the commit and
 * reference.
 */
export async function findPipelineForCommitStatus(
  db: Db,
  by: { project_id: number; sha: string; ref?: string; id?: number },
): Promise<Pipeline | undefined> {
  const found = await findNewestPipeline(db, by)
  if (!found && by.id !== undefined) throw notFound('Pipeline for pipeline_id, sha and ref')
  return found
}

/**
 * Stores a commit status, creates or updates its pipeline, and returns the id of the status. An unfinished status of
 * the same name and user is updated; otherwise a new one replaces it.
 */
export async function recordCommitStatus(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  request: {
    target: CommitStatusTarget
    pipeline: Pipeline | undefined
    user_id: number
    report: CommitStatusReport
  },
): Promise<number> {
  const { target, user_id, report } = request
  const now = timestamp(clock)
  return runTransaction(db, async (tx) => {
    const pipeline =
      request.pipeline ?? (await ensurePipelineForCommitStatus(tx, { ...target, user_id, now }))
    const locked = await lockPipeline(tx, clock, { id: pipeline.id })
    const id = await record(locked, { pipeline, user_id, report, now })
    const { status, before, project_id } = await updatePipelineFromJobs(locked, { now })
    const pipeline_id = pipeline.id
    await pipelineChangedEffect.run({
      tx,
      clock,
      pipeline_id,
      project_id,
      status,
      before,
      jobs: [],
    })
    return id
  })
}

async function record(
  locked: LockedPipeline,
  {
    pipeline,
    user_id,
    report,
    now,
  }: { pipeline: Pipeline; user_id: number; report: CommitStatusReport; now: string },
): Promise<number> {
  const { state, name, ...texts } = report
  const { tx } = locked
  const current = await findCurrentJobByName(tx, { pipeline_id: pipeline.id, name })
  if (current && current.kind !== 'external') throw invalid({ name: ['has already been taken'] })
  const isOpen = current?.status === 'pending' || current?.status === 'running'
  if (current && isOpen && current.user_id === user_id) {
    const change = changeTo(state, current, now)
    await updateCommitStatusJob(locked, current.id, { ...texts, ...change, updated_at: now })
    return current.id
  }
  if (current) await updateCommitStatusJob(locked, current.id, { retried: true, updated_at: now })
  return insertCommitStatusJob(locked, {
    ...texts,
    ...changeTo(state, { status: 'created', queued_at: null }, now),
    pipeline_id: pipeline.id,
    project_id: pipeline.project_id,
    kind: 'external',
    name,
    stage: 'external',
    stage_position: external_stage_position,
    ref: pipeline.ref,
    tag: pipeline.tag,
    user_id,
    created_at: now,
    updated_at: now,
  })
}

type Change = Pick<JobTable, 'status'> &
  Partial<Pick<JobTable, 'queued_at' | 'started_at' | 'finished_at' | 'failure_reason'>>

/** Returns the changes of a job for a reported state. Throws 400 if the job is in that state, or past it. */
function changeTo(
  state: ReportableCommitState,
  { status, queued_at }: Pick<JobTable, 'status' | 'queued_at'>,
  now: string,
): Change {
  switch (state) {
    case 'pending':
      if (status !== 'created') throw cannotTransition('enqueue', status)
      return { status: state, queued_at: now }
    case 'running':
      if (status === 'running') throw cannotTransition('run', status)
      return { status: state, queued_at: queued_at ?? now, started_at: now }
    case 'failed':
      return { status: state, finished_at: now, failure_reason: 'api_failure' }
    default:
      return { status: state, finished_at: now }
  }
}

function cannotTransition(event: 'enqueue' | 'run', status: string) {
  return invalid(
    `Cannot transition status via :${event} from :${status} (Reason(s): Status cannot transition via "${event}")`,
  )
}
