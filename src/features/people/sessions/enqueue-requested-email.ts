import type { Instance } from '../../../http/endpoint.ts'
import { newRequestId } from '../../../kernel/ids.ts'
import { isEmail } from '../../../kernel/names.ts'
import { enqueue, type TaskName } from '../../../tasks/task.ts'
import { ipThrottleOf } from './ip-throttle.ts'

type Request = Pick<Instance, 'db' | 'clock' | 'config'> & { request: { ip: string } }

/**
 * Enqueues an email to an address at the request of an anonymous caller. The task looks up whether a user has the address,
 * so the response and its duration are the same for every address. Each request counts as a failed sign-in from the caller's
 * IP address. Throws 403 for one that is blocked.
 */
export async function enqueueRequestedEmail(
  { db, clock, config, request: { ip } }: Request,
  task: TaskName,
  email: string,
): Promise<void> {
  const throttle = ipThrottleOf(config)
  const now_ms = clock().getTime()
  throttle.refuseBarred(ip, now_ms)
  throttle.recordFailure(ip, now_ms)
  if (!config.smtp || !isEmail(email.trim())) return
  // Each request has its own key. With a key per address, the second request for an address would take a
  // different time and reveal the first.
  await enqueue(db, clock, { task, key: newRequestId(), payload: { email: email.trim() } })
}
