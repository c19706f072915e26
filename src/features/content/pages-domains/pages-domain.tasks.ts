import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask, enqueue, enqueueAll } from '../../../tasks/task.ts'
import {
  deleteUnverifiedPagesDomains,
  findPagesDomainById,
  listPagesDomainsToVerify,
} from './pages-domain.store.ts'
import { type PagesDomain, requiresDomainVerification } from './pages-domain.ts'
import { verifyPagesDomain } from './verify-domain.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

/** Safe to repeat: each run checks the current DNS record. */
const checkOne = defineTask({
  name: 'verify-pages-domain',
  lane: 'domains',
  attempts_max: 3,
  async run(uses: Uses, { domain_id }: { domain_id: number }) {
    const domain = await findPagesDomainById(uses.db, domain_id)
    if (domain) await verifyPagesDomain(uses, domain)
  },
})

/** Enqueues a check of the domain's DNS record. */
export async function enqueuePagesDomainVerification(
  tx: Db,
  clock: Clock,
  { id }: Pick<PagesDomain, 'id'>,
): Promise<void> {
  await enqueue(tx, clock, { task: checkOne, key: String(id), payload: { domain_id: id } })
}

const domains_a_batch = 500

/** Enqueues checks of all domains whose verification is missing or expires within days. Runs periodically. */
async function checkUnsure({ db, clock }: Uses): Promise<void> {
  const before = new Date(clock().getTime() + limits.pages.recheck_ms).toISOString()
  for (let after_id = 0; ; ) {
    const batch = await listPagesDomainsToVerify(db, { before, after_id, limit: domains_a_batch })
    await enqueueAll(db, clock, {
      task: checkOne,
      requests: batch.map(({ id }) => ({ key: String(id), payload: { domain_id: id } })),
    })
    after_id = batch.at(-1)?.id ?? 0
    if (batch.length < domains_a_batch) return
  }
}

/** Deletes domains that nobody has verified for a week. Runs periodically. */
async function removeUnverified({ db, clock }: Uses): Promise<void> {
  if (await requiresDomainVerification(db)) await deleteUnverifiedPagesDomains(db, timestamp(clock))
}

export const pagesDomainTasks = [
  checkOne,
  defineTask({
    name: 'verify-pages-domains',
    lane: 'expiry',
    every_ms: 15 * 60_000,
    run: checkUnsure,
  }),
  defineTask({
    name: 'remove-unverified-pages-domains',
    lane: 'expiry',
    every_ms: 60 * 60_000,
    run: removeUnverified,
  }),
]
