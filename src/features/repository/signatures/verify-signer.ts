import type { Owner, Signers } from './signer.store.ts'

/**
 * Whether the author of what was signed is the owner of the key: by an address they have confirmed, and,
 * where a key names addresses of its own, by one of these.
 */
export async function verifySigner(
  signers: Signers,
  owner: Owner,
  { email, named }: { email: string; named?: readonly string[] },
): Promise<'verified' | 'same_user_different_email' | 'other_user' | 'unverified_key'> {
  const isOwn = (address: string) => signers.owns(owner, address)
  const isByOwner = await isOwn(email)
  if (!named) return isByOwner ? 'verified' : 'other_user'
  const confirmed = await Promise.all(named.map(isOwn))
  if (!confirmed.includes(true)) return 'unverified_key'
  if (!isByOwner) return 'other_user'
  const isNamed = named.some((address) => address.toLowerCase() === email.toLowerCase())
  return isNamed ? 'verified' : 'same_user_different_email'
}
