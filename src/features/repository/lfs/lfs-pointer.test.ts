import { describe, expect, it } from 'vitest'
import { formatLfsPointer, parseLfsPointer } from './lfs-pointer.ts'

const oid = 'a'.repeat(64)
const version = 'version https://git-lfs.github.com/spec/v1\n'

describe('a pointer', () => {
  it('comes back as it was written', () => {
    for (const size of [0, 1, 12345678901]) {
      expect(parseLfsPointer(formatLfsPointer({ oid, size }))).toEqual({ oid, size })
    }
    expect(formatLfsPointer({ oid, size: 7 }).toString()).toBe(
      `${version}oid sha256:${oid}\nsize 7\n`,
    )
  })

  it.each([
    ['without a last newline', `${version}oid sha256:${oid}\nsize 7`],
    [
      'with extensions',
      `${version}ext-0-foo sha256:${oid}\next-1-bar x\noid sha256:${oid}\nsize 7\n`,
    ],
    [
      'of the first version',
      `version https://hawser.github.com/spec/v1\noid sha256:${oid}\nsize 7\n`,
    ],
  ])('%s is one', (_, text) => {
    expect(parseLfsPointer(Buffer.from(text))).toEqual({ oid, size: 7 })
  })

  it.each([
    '',
    'version ',
    `${version}`,
    `${version}oid sha256:${oid}\n`,
    `${version}size 7\noid sha256:${oid}\n`,
    `${version}oid sha256:${oid.toUpperCase()}\nsize 7\n`,
    `${version}oid sha256:${oid}\nsize -7\n`,
    `${version}oid sha256:${oid}\nsize 07\n`,
    `${version}oid sha256:${oid}\nsize 7\nmore\n`,
    `${version}anything\noid sha256:${oid}\nsize 7\n`,
    `version https://example.org/v1\noid sha256:${oid}\nsize 7\n`,
    `# How a pointer looks\n${version}oid sha256:${oid}\nsize 7\n`,
    `${version}${`ext-0-x ${'y'.repeat(900)}\n`}ext-1-x ${'y'.repeat(100)}\noid sha256:${oid}\nsize 7\n`,
  ])('is none: %j', (text) => {
    expect(parseLfsPointer(Buffer.from(text))).toBeUndefined()
  })
})
