import { limits } from '../../../kernel/limits.ts'

export type PgpSignature = {
  /** 16 upper-case hex digits; null where the signature cannot be read. */
  keyId: string | null
  count: number
}

/** Parses a PGP signature; returns which key made it. */
export async function parsePgpSignature(armored: string): Promise<PgpSignature> {
  if (armored.length > limits.signature_characters) return { keyId: null, count: 0 }
  // Loaded when the first signature is read: most servers never read one.
  const { readSignature } = await import('openpgp')
  try {
    const signature = await readSignature({ armoredSignature: armored })
    const [keyId] = signature.getSigningKeyIDs()
    return { keyId: keyId?.toHex().toUpperCase() ?? null, count: signature.packets.length }
  } catch {
    // Whatever somebody wrote into a commit may stand there.
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
    // It rejects where the key did not sign this.
    for (const { verified } of signatures) await verified
    const people = publicKey.users.flatMap(({ userID }) => userID ?? [])
    const emails = people.flatMap(({ email }) => email || [])
    return { name: people[0]?.name || null, email: emails[0] ?? null, emails }
  } catch {
    return undefined
  }
}
