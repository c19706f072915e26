import type { Key } from 'openpgp'
import { runTransaction } from '../../../db/run-transaction.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { type GpgKey, insertGpgKey, type Subkey } from './gpg-key.store.ts'

const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const end = '-----END PGP PUBLIC KEY BLOCK-----'
const notArmored = `is invalid. A valid public GPG key begins with '${begin}' and ends with '${end}'`

/** Adds an armored public key (RFC 9580) that no user has. Throws 400 by field otherwise. */
export async function addGpgKey(
  source: AuditSource,
  { user_id, key }: { user_id: number; key: string },
): Promise<GpgKey> {
  const text = key.trim()
  if (text === '') throw invalid({ key: ["can't be blank"] })
  const isArmored = text.startsWith(begin) && text.endsWith(end)
  if (!isArmored || text.length > limits.gpg_key_characters) throw invalid({ key: [notArmored] })
  const read = await readArmored(text)
  if (!read) throw invalid({ key: ['is invalid'] })
  const created_at = timestamp(source.clock)
  const { subkeys, ...primary } = read
  return runTransaction(source.db, async (tx) => {
    const added = await insertGpgKey(tx, { user_id, key: text, ...primary, created_at }, subkeys)
    if (!added) throw invalid({ fingerprint: ['has already been taken'] })
    await recordGpgKeyEvent({ ...source, db: tx }, 'gpg_key_added', added)
    return added
  })
}

export async function recordGpgKeyEvent(
  source: AuditSource,
  action: 'gpg_key_added' | 'gpg_key_removed',
  { id, user_id, fingerprint }: GpgKey,
): Promise<void> {
  await recordAuditEvent(source, {
    action,
    entity: { kind: 'user', id: user_id },
    target: { kind: 'gpg_key', id, name: fingerprint },
  })
}

async function readArmored(
  text: string,
): Promise<{ fingerprint: string; primary_keyid: string; subkeys: Subkey[] } | undefined> {
  // openpgp is loaded on demand, since it is large and few users sign.
  const { readKey } = await import('openpgp')
  try {
    const key = await readKey({ armoredKey: text })
    // A block that claims to be a public key can contain a secret key, which must not be stored.
    if (key.isPrivate()) return undefined
    return {
      fingerprint: key.getFingerprint().toUpperCase(),
      primary_keyid: key.getKeyID().toHex().toUpperCase(),
      subkeys: await signingSubkeys(key),
    }
  } catch {
    // The library throws many kinds of errors for text that is not a key.
    return undefined
  }
}

/**
 * Returns the subkeys that may sign, including expired ones. The signatures of key and subkey bind each to
 * the other, so nobody can claim the subkey of another user (RFC 9580, section 5.2.1.9).
 */
async function signingSubkeys(key: Key): Promise<Subkey[]> {
  const subkeys = new Map<string, Subkey>()
  for (const subkey of key.getSubkeys().slice(0, limits.gpg_subkeys_max)) {
    const id = subkey.getKeyID()
    const signing = await key.getSigningKey(id, null).catch(() => undefined)
    if (signing !== subkey) continue
    const fingerprint = subkey.getFingerprint().toUpperCase()
    subkeys.set(fingerprint, { fingerprint, keyid: id.toHex().toUpperCase() })
  }
  return [...subkeys.values()]
}
