import type { Db } from '../../db/db.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { hashPassword } from '../../kernel/secrets.ts'
import type { User } from '../users/user.ts'
import { signInSucceeded } from './check-password.ts'
import { updatePasswordStamp } from './session.store.ts'
import { endSessions, passwordStamp } from './session.ts'

/** Sets a user's password, which then no longer is expired, and ends all sessions but `session_id`. */
export async function changePassword(
  db: Db,
  clock: Clock,
  { user, password, session_id }: { user: User; password: string; session_id: number | undefined },
): Promise<void> {
  const password_digest = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    await signInSucceeded(tx, user)
    await tx
      .updateTable('users')
      .set({ password_digest, password_expires_at: null, updated_at: timestamp(clock) })
      .where('id', '=', user.id)
      .execute()
    await endSessions(tx, user.id, { except: session_id })
    if (session_id === undefined) return
    const password_stamp = passwordStamp({ password_digest })
    await updatePasswordStamp(tx, { id: session_id, password_stamp })
  })
}
