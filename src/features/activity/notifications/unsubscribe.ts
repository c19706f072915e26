// Links that unsubscribe a user from one issue or merge request without a sign-in (RFC 8058). The link contains user and
// thread, and a signature of this server, so that sent links need not be stored.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { findIssuablesByIds } from '../../../subjects/issuable.ts'
import { findUser } from '../../../subjects/user.ts'
import { setSubscription } from '../../planning/issuables/issuable.ts'

type Key = Pick<Instance, 'secretKey'>
type Thread = { user_id: number; issuable_id: number }

function signatureOf({ secretKey }: Key, { user_id, issuable_id }: Thread): string {
  const claims = `unsubscribe\0${user_id}\0${issuable_id}`
  return createHmac('sha256', secretKey).update(claims).digest('base64url')
}

/** Returns the path of the page that an unsubscribe link leads to. */
export function buildUnsubscribePath(key: Key, thread: Thread): string {
  const { user_id, issuable_id } = thread
  const text = `${user_id}-${issuable_id}-${signatureOf(key, thread)}`
  return `-/sent_notifications/${text}/unsubscribe`
}

const keyPattern = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([\w-]{43})$/

/** Returns the user and thread of an unsubscribe link; undefined for a forged one. */
export function readUnsubscribeKey(key: Key, text: string): Thread | undefined {
  const [, user = '', issuable = '', given = ''] = keyPattern.exec(text) ?? []
  const thread = { user_id: Number(user), issuable_id: Number(issuable) }
  const expected = Buffer.from(signatureOf(key, thread))
  const sent = Buffer.from(given)
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? thread : undefined
}

/** Unsubscribes a user from a thread. Safe to repeat. Returns false if the user or the object was deleted. */
export async function unsubscribeFromThread(tx: Db, thread: Thread): Promise<boolean> {
  const found = await findIssuablesByIds(tx, [thread.issuable_id])
  if (found.size === 0 || !(await findUser(tx, thread.user_id))) return false
  await setSubscription(tx, { ...thread, subscribed: false })
  return true
}
