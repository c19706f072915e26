import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteEndedLinkTokens } from './link-token.store.ts'

const tokens_a_run = 1000

/** Deletes expired tokens. Recurring; safe to repeat. */
export async function removeEndedLinkTokens({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
  await deleteEndedLinkTokens(db, { now: timestamp(clock), limit: tokens_a_run })
}

export const linkTokenTasks = [
  defineTask({
    name: 'remove-ended-link-tokens',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeEndedLinkTokens,
  }),
]
