import type { SignerLookup, SigningKeyOwner } from './signer.store.ts'

/**
 * Returns whether the author of a signed object owns the key: by a confirmed address, which must also be one of the
 * addresses the key names, if it names any.
 */
export async function findVerificationStatus(
  signers: SignerLookup,
  owner: SigningKeyOwner,
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
