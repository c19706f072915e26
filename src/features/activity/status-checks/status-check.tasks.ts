// Calls the services of status checks, in the same way as webhooks.

import { createHmac, randomUUID } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { serverVersion } from '../../../kernel/version.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAndListed,
  UnreachableError,
} from '../../../outgoing/address-policy.ts'
import { defineTask, enqueue, enqueueAll, type TaskName } from '../../../tasks/task.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import type { IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import { findRequestWithProjects } from '../../review/merge-requests/merge-request.ts'
import { buildIssuablePayload } from '../webhook-payloads/issuable-payload.ts'
import { sendWebhookHttpCall } from '../webhooks/send-hook.ts'
import {
  findStatusCheck,
  findTargetBranchIfOpen,
  listStatusChecksForBranch,
} from './status-check.store.ts'

const callName = { name: 'call-status-check', lane: 'hooks' } as const satisfies TaskName

type Payload = {
  call_uuid: string
  status_check_id: number
  issuable_id: number
  action: string
  user_id: number
  oldrev?: string
  /** The number of attempts without a response. */
  attempt: number
}
type Cause = Pick<Payload, 'issuable_id' | 'action' | 'user_id' | 'oldrev'>

/** Enqueues calls of these status checks, in the transaction of their cause. */
export async function enqueueStatusCheckCalls(
  { tx, clock }: { tx: Db; clock: Clock },
  ids: readonly number[],
  cause: Cause,
): Promise<void> {
  const requests = ids.map((status_check_id) => {
    const call_uuid = randomUUID()
    return { key: call_uuid, payload: { ...cause, status_check_id, call_uuid, attempt: 0 } }
  })
  await enqueueAll(tx, clock, { task: callName, requests })
}

/** Enqueues calls of status checks when an open merge request changes. */
export async function enqueueStatusCheckCallsForRequest(change: IssuableChange): Promise<void> {
  const { tx, clock, issuable_id, action, user_id, oldrev, kind, project_id } = change
  if (kind !== 'merge_request' || action === 'close' || action === 'merge') return
  const target_branch = await findTargetBranchIfOpen(tx, issuable_id)
  if (target_branch === undefined) return
  const limit = limits.status_checks_max
  const checks = await listStatusChecksForBranch(tx, { project_id, target_branch, limit })
  const ids = checks.map(({ id }) => id)
  await enqueueStatusCheckCalls({ tx, clock }, ids, { issuable_id, action, user_id, oldrev })
}

/** Returns the addresses that checks may call: the same as for webhooks of projects. */
export async function readStatusCheckAddressPolicy(db: Db): Promise<AddressPolicy> {
  const settings = await readSettings(db)
  return settings.allow_local_requests_from_web_hooks_and_services
    ? allowAnyAddress
    : allowPublicAndListed(settings.outbound_local_requests_whitelist)
}

/** Safe to repeat: the service gets the same call again. Retries only if there was no response. */
const callCheck = defineTask({
  ...callName,
  async run(uses: Instance, payload: Payload) {
    const { db, clock, secretKey } = uses
    const { status_check_id: id, issuable_id, action, user_id, oldrev, call_uuid } = payload
    const whole = await findRequestWithProjects(db, issuable_id)
    if (!whole?.request.is_open) return
    const check = await findStatusCheck(db, { project_id: whole.target.id, id })
    const about = { kind: 'issuable', issuable_id, action, user_id, changes: {}, oldrev } as const
    const told = check && (await buildIssuablePayload(uses, { ...about, isConfidential: false }))
    if (!check || !told) return
    const { name, external_url } = check
    const body = Buffer.from(
      JSON.stringify({ ...told, external_approval_rule: { id, name, external_url } }),
    )
    if (body.length > limits.webhooks.body_bytes) return
    const secret =
      check.shared_secret === null ? undefined : openSecret(secretKey, check.shared_secret)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `Bloomery/${serverVersion}`,
      'Idempotency-Key': call_uuid,
      ...(secret !== undefined && {
        'X-Gitlab-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      }),
    }
    try {
      const reach = await readStatusCheckAddressPolicy(db)
      await sendWebhookHttpCall({
        url: external_url,
        headers,
        body,
        verifiesCertificate: true,
        reach,
      })
    } catch (error) {
      const delay_ms = limits.webhooks.retries_ms[payload.attempt]
      if (error instanceof UnreachableError || delay_ms === undefined) return
      const attempt = payload.attempt + 1
      const later = { key: `${call_uuid}:${attempt}`, payload: { ...payload, attempt }, delay_ms }
      await enqueue(db, clock, { task: callName, ...later })
    }
  },
})

export const statusCheckTasks = [callCheck]
