import type { Db } from '../../../db/db.ts'
import { utcDayOf } from '../../../kernel/clock.ts'
import type { User } from '../../../subjects/user.ts'

/** Records a sign-in, and the state of the account, which it may have changed. */
export async function updateLastSignIn(
  tx: Db,
  { id, state, ip, now }: Pick<User, 'id' | 'state'> & { ip: string; now: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({
      state,
      // The time and address of the previous sign-in. The first sign-in stores its own.
      last_sign_in_at: eb.fn.coalesce('current_sign_in_at', eb.val(now)),
      last_sign_in_ip: eb.fn.coalesce('current_sign_in_ip', eb.val(ip)),
      current_sign_in_at: now,
      current_sign_in_ip: ip,
      sign_in_count: eb('sign_in_count', '+', 1),
      last_activity_on: utcDayOf(now),
    }))
    .where('id', '=', id)
    .execute()
}

/** Stores a password that does not have to be changed at the next sign-in. */
export async function savePassword(
  tx: Db,
  { id, password_digest, now }: { id: number; password_digest: string; now: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_digest, password_expires_at: null, updated_at: now })
    .where('id', '=', id)
    .execute()
}
