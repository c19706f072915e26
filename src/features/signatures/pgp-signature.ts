export type PgpSignature = {
  /** 16 upper-case hex digits; null where the signature cannot be read. */
  keyId: string | null
  count: number
}

/** A signature with every possible note in it has less. */
const characters_max = 64 * 1024

/** What a PGP signature tells about the key it was made with. */
export async function readPgpSignature(armored: string): Promise<PgpSignature> {
  if (armored.length > characters_max) return { keyId: null, count: 0 }
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
