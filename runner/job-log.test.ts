import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JobLog } from './job-log.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bloomery-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const newLog = (more: { bytes_max?: number; hasSections?: boolean } = {}) =>
  new JobLog({
    path: join(folder, 'log'),
    secrets: ['secret12'],
    bytes_max: 1000,
    hasSections: true,
    ...more,
  })
const textOf = (log: JobLog) => log.read(0, 10_000).toString()

describe('the log of a job', () => {
  it('masks what is printed in pieces, and its own lines', () => {
    const log = newLog()
    log.write(Buffer.from('a sec'))
    log.write(Buffer.from('ret12 b'))
    log.writeLine('in secret12')
    log.end()
    expect(textOf(log)).toBe('a [MASKED] b\nin [MASKED]\n')
    expect(log.checksum).toBe(`crc32:${crc32(textOf(log)).toString(16).padStart(8, '0')}`)
    expect(log.size).toBe(textOf(log).length)
    expect(log.read(2, 8).toString()).toBe('[MASKED]')
    log.close()
  })

  it('marks sections, on lines of their own', async () => {
    const log = newLog()
    await log.inSection('step_script', 'Running', async () => log.write(Buffer.from('no end')))
    log.writeLine('after')
    expect(textOf(log).replaceAll(/:\d{10}:/g, ':<time>:')).toBe(
      [
        'section_start:<time>:step_script\r\u001b[0K\u001b[36;1mRunning\u001b[0;m\n',
        'no end\nsection_end:<time>:step_script\r\u001b[0Kafter\n',
      ].join(''),
    )
    log.close()
  })

  it('leaves the marks out where the server does not read them', async () => {
    const log = newLog({ hasSections: false })
    await log.inSection('step_script', 'Running', async () => {})
    expect(textOf(log)).toBe('\u001b[36;1mRunning\u001b[0;m\n')
    log.close()
  })

  it('keeps no more than its limit, and says so once', () => {
    const log = newLog({ bytes_max: 10 })
    log.write(Buffer.from('0123456'))
    log.write(Buffer.from('789abc'))
    log.write(Buffer.from('more'))
    log.writeLine('and more')
    log.end()
    expect(textOf(log)).toMatch(/^0123456789\n.*limit of 10 bytes\.\n.* is not stored\./)
    expect(textOf(log)).not.toContain('more')
    log.close()
  })
})
