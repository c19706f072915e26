// git's own server for HTTP, `git http-backend`, behind the little HTTP it needs (git-http-backend(1), RFC 3875): what a
// push over HTTP costs without Bloomery.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gitEnvironment } from './machine.ts'

export type HttpBackend = { url: string; stop: () => Promise<void> }

/** Serves the repositories below `root`; whoever asks may push. */
export async function startHttpBackend(root: string): Promise<HttpBackend> {
  const server = createServer((request, response) => void answer(root, request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a TCP port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

async function answer(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const { headers } = request
  const env = {
    ...gitEnvironment(),
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: 'bench',
    REQUEST_METHOD: request.method ?? 'GET',
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    ...(headers['content-length'] ? { CONTENT_LENGTH: headers['content-length'] } : {}),
  }
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (response.headersSent) {
      if (!response.write(chunk)) await once(response, 'drain')
      continue
    }
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end >= 0) begin(response, head, end)
  }
  response.end()
}

/** The head of a CGI answer, whose status is a line like the others, and what came of its body with it. */
function begin(response: ServerResponse, text: string, end: number): void {
  const lines = text.slice(0, end).split('\r\n')
  const fields = lines.map((line) => line.split(': ', 2) as [string, string])
  const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200'
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(fields))
  response.write(Buffer.from(text.slice(end + 4), 'latin1'))
}
