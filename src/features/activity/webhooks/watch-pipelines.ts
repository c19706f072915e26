// Webhooks of pipelines, jobs and deployments.
import type { CiStatus } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import { enqueueHookCalls, type HookCallRequest } from './call-hooks.ts'
import { filterDeployingJobIds, listJobIds } from './watch-pipelines.store.ts'
import { isSubscribedToEvent, listWebhooksOfScope } from './webhook.ts'

const deployed: ReadonlySet<CiStatus> = new Set(['running', 'success', 'failed', 'canceled'])

/** Enqueues webhook calls when a pipeline changes. */
export async function enqueuePipelineHooks(change: PipelineChange): Promise<void> {
  const { tx, clock, pipeline_id, project_id, status, before, jobs } = change
  const scope = { project_id }
  const hooks = await listWebhooksOfScope(tx, scope)
  const isWanted = (event: 'job_events' | 'deployment_events') =>
    hooks.some((hook) => isSubscribedToEvent(hook, event))
  const calls: HookCallRequest[] = []
  if (isWanted('job_events')) {
    const made = before === null ? await listJobIds(tx, pipeline_id) : []
    const moves = [...made.map((id) => ({ id, status: 'created' as const })), ...jobs]
    for (const move of moves) {
      const about = { kind: 'job', job_id: move.id, status: move.status } as const
      calls.push({ event: 'job_events', about })
    }
  }
  if (isWanted('deployment_events')) {
    const moved = jobs.filter((job) => deployed.has(job.status))
    const deploying = await filterDeployingJobIds(
      tx,
      moved.map(({ id }) => id),
    )
    const at = timestamp(clock)
    for (const { id, status } of moved.filter(({ id }) => deploying.has(id))) {
      const about = { kind: 'deployment', job_id: id, status, at } as const
      calls.push({ event: 'deployment_events', about })
    }
  }
  if (status !== before) {
    const about = { kind: 'pipeline', pipeline_id, status } as const
    calls.push({ event: 'pipeline_events', about })
  }
  if (hooks.length > 0) await enqueueHookCalls({ tx, clock }, scope, { calls, hooks })
}
