import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { parseSshPublicKey } from './public-key.ts'
import { insertSshKey } from './ssh-key.store.ts'
import type { SshKey } from './ssh-key.ts'

export type NewSshKey = {
  title: string
  key: string
  expires_at?: string | null
  usage_type?: SshKey['usage_type']
  /** The user of the key. A deploy key has no user, but a creator. */
  user_id: number | null
  created_by_id: number | null
  is_public?: boolean
}

/** Adds a key that nobody has. Throws all validation problems by field otherwise. */
export async function createSshKey(
  db: Db,
  clock: Clock,
  { key, title, ...fields }: NewSshKey,
): Promise<{ added: SshKey } | { problems: FieldErrors }> {
  const now = timestamp(clock)
  const read = parseSshPublicKey(key)
  const problems = {
    ...sshKeyTitleProblems(title),
    ...('problems' in read ? read.problems : {}),
    ...(fields.expires_at && fields.expires_at <= now ? { key: ['has expired'] } : {}),
  }
  if ('problems' in read || Object.keys(problems).length > 0) return { problems }
  const { text, ...fingerprints } = read.publicKey
  const row = { ...fields, title, key: text, ...fingerprints, created_at: now }
  const added = await insertSshKey(db, row)
  return added ? { added } : { problems: { fingerprint: ['has already been taken'] } }
}

export function sshKeyTitleProblems(title: string): FieldErrors {
  if (title.trim() === '') return { title: ["can't be blank"] }
  const most = limits.name_characters
  return [...title].length > most ? { title: [`is too long (maximum is ${most} characters)`] } : {}
}
