// A reader of a stream of events, over a socket as a browser has it.
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { vi } from 'vitest'

export type Told = { topic: string; version: string; id: string }

export type Reader = {
  status: number
  headers: IncomingMessage['headers']
  /** Whatever was told so far. */
  told: Told[]
  /** All that was read. */
  text: () => string
  /** Waits for something about the topic that is told from now on. */
  next: (topic: string, wait_ms?: number) => Promise<Told>
  /** Waits for the server to end the stream. */
  ended: Promise<unknown>
  isEnded: () => boolean
  close: () => void
}

const usual_wait_ms = 10_000

/** Opens a stream at the server's address, `/events/stream` with these topics. */
export async function follow(
  url: string,
  topics: readonly string[],
  headers: Record<string, string> = {},
): Promise<Reader> {
  const query = topics.map((topic) => `topics[]=${encodeURIComponent(topic)}`).join('&')
  const request: ClientRequest = get(`${url}/api/v4/events/stream?${query}`, { headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  let isEnded = false
  const told: Told[] = []
  response.on('data', (chunk: Buffer) => {
    text += chunk
    told.splice(0, told.length, ...readEvents(text))
  })
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isEnded = true
      resolve()
    })
  })
  request.on('error', () => {})
  response.on('error', () => {})
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    told,
    text: () => text,
    async next(topic, wait_ms = usual_wait_ms) {
      const before = told.length
      return vi.waitFor(() => {
        const found = told.slice(before).find((one) => one.topic === topic)
        if (!found) throw new Error(`Nothing was told of ${topic}: ${text}`)
        return found
      }, wait_ms)
    },
    ended,
    isEnded: () => isEnded,
    close: () => request.destroy(),
  }
}

function readEvents(text: string): Told[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const [name = '', ...rest] = line.split(': ')
        return [name, rest.join(': ')] as const
      }),
    )
    const data = fields.get('data')
    return data === undefined ? [] : [{ ...JSON.parse(data), id: fields.get('id') ?? '' }]
  })
}
