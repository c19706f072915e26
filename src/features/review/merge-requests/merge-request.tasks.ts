import type { Context, Instance } from '../../../http/endpoint.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import { syncMergeRequestWithBranches } from './refresh-request.ts'

const name = { name: 'check-merge-request', lane: 'events' } as const

/** Checks whether the merge request can be merged, if that is unknown. Safe to repeat. */
const checkRequest = defineTask({
  ...name,
  async run(uses: Instance, { merge_request_id }: { merge_request_id: number }) {
    await syncMergeRequestWithBranches(uses, merge_request_id)
  },
})

type Shown = { id: number; state: string; merge_status: string }

/** Enqueues merge checks of listed merge requests whose status is unknown. */
export async function enqueueMergeabilityChecks(
  { db, clock }: Pick<Context<unknown, unknown>, 'db' | 'clock'>,
  shown: readonly Shown[],
): Promise<void> {
  const unknown = shown.filter(
    ({ state, merge_status }) =>
      state === 'opened' &&
      (merge_status === 'unchecked' || merge_status === 'cannot_be_merged_recheck'),
  )
  await enqueueAll(db, clock, {
    task: name,
    requests: unknown.map(({ id }) => ({ key: String(id), payload: { merge_request_id: id } })),
  })
}

export const mergeabilityCheckTasks = [checkRequest]
