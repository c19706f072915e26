import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { randomText } from '../../../kernel/ids.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { insertPersonalToken } from '../tokens/token.ts'
import { createUser } from './create-user.ts'
import { hasUsers } from './user.store.ts'

/** The credentials that are printed once at the first start; configured ones are not repeated. */
export type RootCredentials = {
  username: string
  password: string | undefined
  token: string | undefined
}

/** Creates the administrator `root` in a database without users; returns undefined if there are users. */
export async function bootstrapRoot(
  db: Db,
  clock: Clock,
  { rootPassword, rootToken }: Pick<Config, 'rootPassword' | 'rootToken'>,
): Promise<RootCredentials | undefined> {
  if (await hasUsers(db)) return undefined
  const password = rootPassword ?? randomText(20)
  const password_digest = await hashPassword(password)
  const text = await runTransaction(db, async (tx) => {
    const root = await createUser(tx, clock, {
      username: 'root',
      name: 'Administrator',
      email: 'admin@example.com',
      is_admin: true,
      password_digest,
      confirmed_at: timestamp(clock),
    })
    const created = await insertPersonalToken(tx, clock, {
      user_id: root.id,
      name: 'First sign-in',
      scopes: ['api', 'sudo'],
      expires_at: null,
      text: rootToken,
    })
    return created.text
  })
  return {
    username: 'root',
    password: rootPassword === undefined ? password : undefined,
    token: rootToken === undefined ? text : undefined,
  }
}
