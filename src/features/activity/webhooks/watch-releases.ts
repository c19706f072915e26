// Webhooks of releases.
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { findReleaseRow, listLinksOfRelease } from '../webhook-payloads/webhook-payload.ts'
import type { WebhookSubject } from '../webhook-payloads/webhook-subject.ts'
import { enqueueHookCalls } from './call-hooks.ts'

/** Enqueues webhook calls when a release changes. */
export async function enqueueReleaseHooks({
  tx,
  clock,
  project_id,
  release_id,
  action,
}: {
  tx: Db
  clock: Clock
  project_id: number
  release_id: number
  action: 'create' | 'update' | 'delete'
}): Promise<void> {
  const about = async (): Promise<WebhookSubject> => {
    const release = await findReleaseRow(tx, release_id)
    if (!release) throw new Error(`Release ${release_id} was deleted while it was being changed.`)
    return { kind: 'release', action, release, links: await listLinksOfRelease(tx, release_id) }
  }
  await enqueueHookCalls(
    { tx, clock },
    { project_id },
    { calls: [{ event: 'releases_events', about }] },
  )
}
