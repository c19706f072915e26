import { limits } from '../../../kernel/limits.ts'

export type PgpSignature = {
  /** 16 upper-case hexadecimal digits; null if the signature cannot be parsed. */
  keyId: string | null
  count: number
}

/** Parses a PGP signature; returns which key made it. */
export async function parsePgpSignature(armored: string): Promise<PgpSignature> {
  if (armored.length > limits.signature_characters) return { keyId: null, count: 0 }
  // openpgp is loaded on demand, since most servers never read a signature.
  const { readSignature } = await import('openpgp')
  try {
    const signature = await readSignature({ armoredSignature: armored })
    const [keyId] = signature.getSigningKeyIDs()
    return { keyId: keyId?.toHex().toUpperCase() ?? null, count: signature.packets.length }
  } catch {
    // A commit can contain any text as its signature.
    return { keyId: null, count: 0 }
  }
}

/** The owner of a key as the key names them: the first name, and all email addresses. */
export type PgpKeyIdentity = { name: string | null; email: string | null; emails: string[] }

/** Returns the owner that the public key names, if the key made the signature over these bytes; undefined otherwise. */
export async function verifyPgpSignature(
  armored: string,
  { payload, key }: { payload: Buffer; key: string },
): Promise<PgpKeyIdentity | undefined> {
  const { createMessage, readKey, readSignature, verify } = await import('openpgp')
  try {
    const publicKey = await readKey({ armoredKey: key })
    const { signatures } = await verify({
      message: await createMessage({ binary: new Uint8Array(payload) }),
      signature: await readSignature({ armoredSignature: armored }),
      verificationKeys: publicKey,
    })
    // `verified` rejects if the key did not create the signature.
    for (const { verified } of signatures) await verified
    const people = publicKey.users.flatMap(({ userID }) => userID ?? [])
    const emails = people.flatMap(({ email }) => email || [])
    return { name: people[0]?.name || null, email: emails[0] ?? null, emails }
  } catch {
    return undefined
  }
}
