// The signature of a commit or tag, and the exact bytes that it signs.
import type { Oid } from './names.ts'
import type { ObjectReader } from './objects.ts'
import type { Repository } from './repository.ts'

/** `payload` is the object without its signature. */
export type SignatureWithPayload = { signature: string; payload: Buffer }

/** Reads the signature of a commit; undefined for an unsigned commit. */
export async function readCommitSignature(
  objects: ObjectReader,
  repository: Repository,
  oid: Oid,
): Promise<SignatureWithPayload | undefined> {
  const source = await objects.source(repository, oid)
  return source?.type === 'commit' ? splitSignedCommit(source.content) : undefined
}

/** Reads the signature of an annotated tag; undefined for an unsigned tag and for lightweight tags. */
export async function readTagSignature(
  objects: ObjectReader,
  repository: Repository,
  oid: Oid,
): Promise<SignatureWithPayload | undefined> {
  const source = await objects.source(repository, oid)
  return source?.type === 'tag' ? splitSignedTag(source.content) : undefined
}

/**
 * Splits a commit into payload and signature. gitformat-signature(5): the signature is in a header `gpgsig`, whose
 * continuation lines begin with a space.
 */
export function splitSignedCommit(content: Buffer): SignatureWithPayload | undefined {
  const blank = content.indexOf('\n\n')
  const head = content.subarray(0, blank < 0 ? content.length : blank + 1)
  const name = 'gpgsig '
  const start = head.indexOf(`\n${name}`) + 1
  // The first header of a commit is always its tree.
  if (start === 0) return undefined
  let end = head.indexOf(10, start) + 1
  while (end > 0 && head[end] === 32) end = head.indexOf(10, end) + 1
  const last = end > 0 ? end : head.length
  const lines = head.toString('latin1', start + name.length, last).split('\n ')
  const payload = Buffer.concat([content.subarray(0, start), content.subarray(last)])
  return { signature: lines.join('\n').trimEnd(), payload }
}

const begin = /^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/gm

/** Splits an annotated tag into payload and signature, which is at the end of the message. */
export function splitSignedTag(content: Buffer): SignatureWithPayload | undefined {
  const text = content.toString('latin1')
  const start = [...text.matchAll(begin)].at(-1)?.index
  if (start === undefined) return undefined
  return { signature: text.slice(start).trimEnd(), payload: content.subarray(0, start) }
}
