import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export type Answer = { status: number; body: Buffer }

type Call = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** One request over a kept connection. */
export function call(url: string, { method = 'GET', headers = {}, body }: Call = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** A request that must succeed. */
export async function callWell(url: string, options: Call = {}): Promise<Answer> {
  const answer = await call(url, options)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`${options.method ?? 'GET'} ${url}: ${answer.status} ${answer.body}`)
}

/** Asks until the answer is 200; nobody need be listening yet. */
export async function waitFor200(url: string, { every_ms }: { every_ms: number }): Promise<void> {
  for (let tries = 0; tries < 60_000 / every_ms; tries++) {
    const answer = await call(url).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, every_ms))
  }
  throw new Error(`${url} did not answer with 200 in time.`)
}

export function closeConnections(): void {
  agent.destroy()
}
