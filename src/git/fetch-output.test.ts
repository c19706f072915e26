import { describe, expect, it } from 'vitest'
import { ApiError } from '../kernel/errors.ts'
import { GitError } from './errors.ts'
import { FetchMessageEncoder, fetchProblemText, startFetch } from './fetch-output.ts'

const request = Buffer.from('0011command=fetch0010sideband-all0009done\n0000')
const plain = Buffer.from('0011command=fetch00010009done\n0000')

async function collect(source: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of source) text += chunk.toString('latin1')
  return text
}

describe('a fetch', () => {
  const tooBusy = new ApiError('unavailable', '503 Service Unavailable')

  it('tells a client of protocol 2 that it waits', async () => {
    const opened = Promise.withResolvers<never>()
    const output = await startFetch((onWait) => {
      onWait()
      return opened.promise
    }, request)
    const first = await output.next()
    expect(first.value.toString()).toBe(
      '005c\x02The server is busy with other large transfers. Yours starts as soon as there is room.\n\r',
    )
    opened.reject(tooBusy)
    expect(await collect(output)).toBe('0035\x03The server is too busy. Please try again later.\n')
  })

  it('says nothing before its time to a client that would not understand', async () => {
    const opened = Promise.withResolvers<never>()
    const output = await startFetch((onWait) => {
      onWait()
      return opened.promise
    }, plain)
    opened.reject(tooBusy)
    expect(await collect(output)).toBe('0038ERR The server is too busy. Please try again later.\n')
  })

  it('is refused before anything is sent when it cannot begin at once', async () => {
    await expect(startFetch(() => Promise.reject(tooBusy), request)).rejects.toBe(tooBusy)
  })
})

describe('a failure', () => {
  it.each([
    ['between packets', '000dpackfile\n', ''],
    ['within a packet', '000a\x01ab', '\0\0\0'],
    ['within the length of a packet', '000dpackfile\n00', `00`],
    ['within a longer length', '000dpackfile\n000', '0'],
    ['after the last packet', '000dpackfile\n0000', ''],
  ])('%s fills up what was begun', (_, sent, filling) => {
    const messages = new FetchMessageEncoder(plain)
    for (const character of sent) messages.pass(Buffer.from(character, 'latin1'))
    expect(messages.failure('No.\n').toString('latin1')).toBe(`${filling}0009\x03No.\n`)
  })

  it('has a sentence unless git has told the client itself', () => {
    expect(fetchProblemText(new GitError('out-of-memory', 'm'))).toContain('short of memory')
    expect(fetchProblemText(new GitError('timeout', 'm'))).toContain('could not finish')
    expect(fetchProblemText(new GitError('failed', 'm'))).toBe(undefined)
    expect(fetchProblemText(new Error('socket'))).toContain('could not finish')
  })
})
