import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { newRunFolder } from '../../../../test/kit/run-folder.ts'
import { newBlobName, ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, receiveBlob } from '../../../blobs/blob-store.ts'
import { limits } from '../../../kernel/limits.ts'
import { openReport, readJsonReport, UnreadableReportError } from './read-report.ts'

const folder = newRunFolder()
afterAll(folder.remove)
const config = { data: folder.path, blobs: undefined }

/** The report as an artifact is stored. */
async function store(content: Buffer, file_format: 'gzip' | 'raw') {
  const blob = newBlobName()
  const blobs = blobStoreOf(config)
  const bytes_max = content.length
  const place = ownBlobPlace('artifacts', blob)
  const received = await receiveBlob(blobs, Readable.from([content]), { place, bytes_max })
  await received.commit()
  return { blob, file_format }
}

const read = async (content: Buffer, file_format: 'gzip' | 'raw', shape = {}) =>
  readJsonReport(await openReport(config, await store(content, file_format)), shape)

const report = {
  version: '15.0.0',
  vulnerabilities: [{ id: 1 }, { id: 2 }],
  scan: { type: 'sast' },
}
const text = Buffer.from(JSON.stringify(report))

describe('A report', () => {
  it.each([
    ['raw', text],
    ['gzip', gzipSync(text)],
  ] as const)('that is %s is read, and its members handed over', async (format, content) => {
    const seen: unknown[] = []
    const value = await read(content, format, {
      membersOf: { vulnerabilities: (one: unknown) => void seen.push(one) },
    })
    expect(value).toEqual({ ...report, vulnerabilities: [] })
    expect(seen).toEqual(report.vulnerabilities)
  })

  it.each([
    ['no JSON', 'raw', Buffer.from('{"version":'), 'JSON parsing failed'],
    ['half of one', 'raw', text.subarray(0, 30), 'JSON parsing failed'],
    ['a list', 'raw', Buffer.from('[]'), 'Invalid report format'],
    ['empty', 'raw', Buffer.from(' '), 'JSON parsing failed'],
    ['no gzip', 'gzip', text, 'The report cannot be unpacked'],
    ['cut', 'gzip', gzipSync(text).subarray(0, 20), 'The report cannot be unpacked'],
    ['deep', 'raw', Buffer.from(`{"a":${'['.repeat(100)}`), 'JSON parsing failed'],
  ] as const)('that is %s says so', async (_what, format, content, message) => {
    const reading = read(content, format)
    await expect(reading).rejects.toThrow(UnreadableReportError)
    await expect(reading).rejects.toThrow(message)
  })

  it('that unpacks to more than may be read is not read to its end', async () => {
    const bomb = gzipSync(Buffer.alloc(limits.reports.bytes_max + 1, ' '))
    expect(bomb.length).toBeLessThan(limits.reports.bytes_max / 500)
    await expect(read(bomb, 'gzip')).rejects.toThrow('The report is too large')
  })

  it('that is gone says so', async () => {
    const gone = { blob: newBlobName(), file_format: 'raw' }
    await expect(openReport(config, gone)).rejects.toThrow('The report is gone')
  })

  it('ends with what its reader has thrown', async () => {
    const fault = new Error('A bug of ours.')
    const membersOf = {
      vulnerabilities: () => {
        throw fault
      },
    }
    await expect(read(text, 'raw', { membersOf })).rejects.toBe(fault)
  })

  it('holds little of what is handed over in memory', async () => {
    const one = Buffer.from(`${JSON.stringify({ id: 1, text: 'x'.repeat(1000) })},`)
    function* pieces() {
      yield Buffer.from('{"vulnerabilities":[')
      for (let at = 0; at < 40_000; at++) yield one
      yield Buffer.from('1],"other":["')
      for (let at = 0; at < 200; at++) yield Buffer.alloc(50_000, 'y')
      yield Buffer.from('"]}')
    }
    const before = process.memoryUsage()
    let most = 0
    let count = 0
    const membersOf = {
      vulnerabilities: () => {
        if (count++ % 1000 === 0) most = Math.max(most, process.memoryUsage().rss - before.rss)
      },
    }
    await readJsonReport(Readable.from(pieces()), { membersOf, only: [] })
    expect(count).toBe(40_001)
    expect(most).toBeLessThan(100 * 1024 * 1024)
  })
})
