// The pointer that git stores instead of an LFS object (git-lfs: docs/spec.md, "The Pointer").

export type LfsPointer = { oid: string; size: number }

/** The maximum size of a file that git-lfs recognizes as a pointer. */
export const lfs_pointer_bytes_max = 1024

const versions = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\n/
const fields = /\noid sha256:([0-9a-f]{64})\nsize (0|[1-9]\d{0,15})\n?$/
const extension = /^ext-\d-[A-Za-z0-9.-]+ \S+$/

/** Parses an LFS pointer; undefined if the bytes are something else. */
export function parseLfsPointer(content: Buffer): LfsPointer | undefined {
  if (content.length > lfs_pointer_bytes_max || content.toString('latin1', 0, 8) !== 'version ') {
    return undefined
  }
  const text = content.toString('utf8')
  const version = versions.exec(text)?.[0]
  const match = fields.exec(text)
  if (!version || !match?.[1]) return undefined
  const between = text
    .slice(version.length, match.index + 1)
    .split('\n')
    .filter(Boolean)
  if (!between.every((line) => extension.test(line))) return undefined
  return { oid: match[1], size: Number(match[2]) }
}

export function formatLfsPointer({ oid, size }: LfsPointer): Buffer {
  return Buffer.from(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`,
  )
}
