// Public functions of SSH keys: finds the user of a key.
import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Actor, anonymous } from '../../../access/actor.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, SshKeyTable } from '../../../db/db.ts'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { type AccountProblem, findAccountProblem } from '../../../subjects/user.ts'
import { computeSshFingerprints } from './public-key.ts'

export type SshKey = Selectable<SshKeyTable>

/** A key as everybody sees it. */
export const SshKeyJson = namedObject('SshKey', {
  id: Type.Integer(),
  title: Type.String(),
  created_at: Type.String(),
  expires_at: nullableText,
  key: Type.String(),
  usage_type: Type.String(),
})

export function presentSshKey(key: SshKey): Static<typeof SshKeyJson> {
  const { id, title, created_at, expires_at, key: text, usage_type } = key
  return { id, title, created_at, expires_at, key: text, usage_type }
}

export const sshKeyUsageTypes = ['auth', 'signing', 'auth_and_signing'] as const

/**
 * A valid key. A deploy key has no user; it depends on its creator (`created_by_id`) and gives no access while that user
 * is blocked or after they were deleted.
 */
export type SshKeyHolder = {
  key: Pick<SshKey, 'id' | 'key' | 'user_id' | 'created_by_id'>
  actor: Actor
  /** Why the account of the key's user may not be used; undefined if it may. */
  problem: AccountProblem | undefined
}

function holderQuery(db: Db) {
  return db
    .selectFrom('ssh_keys as key')
    .leftJoin('users', (join) =>
      join.on((eb) => eb('users.id', '=', eb.fn.coalesce('key.user_id', 'key.created_by_id'))),
    )
    .select([
      'key.id as key_id',
      'key.key',
      'key.user_id',
      'key.created_by_id',
      'key.usage_type',
      'key.expires_at',
      'key.last_used_at',
      'users.id',
      'users.username',
      'users.name',
      'users.email',
      'users.commit_email',
      'users.is_admin',
      'users.external',
      'users.state',
      'users.confirmed_at',
      'users.password_expires_at',
      'users.last_activity_on',
    ])
}

type HolderRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof holderQuery>['executeTakeFirst']>>
>

const holderByFingerprint = defineRowLoader(
  (db, { fingerprint_sha256 }: { fingerprint_sha256: string }) =>
    holderQuery(db).where('key.fingerprint_sha256', '=', fingerprint_sha256),
)
const holderById = defineRowLoader((db, { id }: { id: number }) =>
  holderQuery(db).where('key.id', '=', id),
)

/**
 * Returns the holder of a key that a client offers (RFC 4252, section 7); undefined if nobody has it, or if it has expired
 * or is only for signatures. The client has not yet proven that it has the private key.
 */
export async function findSshKeyHolderByBlob(
  db: Db,
  clock: Clock,
  blob: Buffer,
): Promise<SshKeyHolder | undefined> {
  const { fingerprint_sha256 } = computeSshFingerprints(blob)
  const row = await holderByFingerprint(db, { fingerprint_sha256 })
  return row && holderOf(row, clock)
}

/**
 * Reloads the holder of a key, for a command on an open connection, and records that the key was used. Undefined if
 * the key was deleted or has expired.
 */
export async function reloadSshKeyHolderRecordingUse(
  db: Db,
  clock: Clock,
  id: number,
): Promise<SshKeyHolder | undefined> {
  const row = await holderById(db, { id })
  const holder = row && holderOf(row, clock)
  if (row && holder && !holder.problem) await recordUse(db, clock, row)
  return holder
}

/** As `reloadSshKeyHolderRecordingUse`, for a second check that does not count as a use. */
export async function findSshKeyHolderById(
  db: Db,
  clock: Clock,
  id: number,
): Promise<SshKeyHolder | undefined> {
  const row = await holderById(db, { id })
  return row && holderOf(row, clock)
}

function holderOf(row: HolderRow, clock: Clock): SshKeyHolder | undefined {
  const { key_id, key, user_id, created_by_id, usage_type, expires_at, ...rest } = row
  const now = timestamp(clock)
  if (usage_type === 'signing' || (expires_at !== null && expires_at <= now)) return undefined
  const held = { id: key_id, key, user_id, created_by_id }
  const { id, username, name, email, commit_email, is_admin, external, state } = rest
  const isComplete = id !== null && username !== null && name !== null && email !== null
  if (!isComplete || state === null) return undefined
  if (user_id === null) {
    const isBarred = state === 'blocked' || state === 'banned'
    const problem = isBarred ? 'blocked' : undefined
    return { key: held, actor: { ...anonymous, key: { id: key_id } }, problem }
  }
  const { confirmed_at, password_expires_at } = rest
  return {
    key: held,
    actor: {
      user: {
        id,
        username,
        name,
        email,
        commit_email,
        is_admin: is_admin === true,
        external: external === true,
      },
      token: undefined,
      key: { id: key_id },
    },
    problem: findAccountProblem({ state, confirmed_at, password_expires_at }, now),
  }
}

/** The minimum interval between writes of `last_used_at`. */
const use_interval_ms = 60_000

async function recordUse(db: Db, clock: Clock, row: HolderRow): Promise<void> {
  const now = clock()
  const last_ms = row.last_used_at ? Date.parse(row.last_used_at) : 0
  if (now.getTime() - last_ms >= use_interval_ms) {
    await db
      .updateTable('ssh_keys')
      .set({ last_used_at: now.toISOString() })
      .where('id', '=', row.key_id)
      .execute()
  }
  if (row.user_id !== null && row.last_activity_on !== today(clock)) {
    await db
      .updateTable('users')
      .set({ last_activity_on: today(clock) })
      .where('id', '=', row.user_id)
      .execute()
  }
}
