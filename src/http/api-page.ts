// The page that shows the OpenAPI document with Swagger UI.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bloomery API</title><link rel="stylesheet" href="docs/swagger-ui.css">
<div id="viewer"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/begin.js"></script></html>`

/** Operations are collapsed at first. "Try it out" runs them as the user of the browser's session. */
const begin = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#viewer', docExpansion: 'none', deepLinking: true })`

/** The viewer needs scripts and styles of our own alone, draws with styles in the page, and asks only us. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

const script = 'text/javascript; charset=utf-8'

/** Serves the page at `/docs` and its files, which are read when they are requested. */
export function mountApiPage(app: FastifyInstance): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const send = (path: string, type: string, read: () => string | Promise<Buffer>) =>
    app.get(path, async (_request, reply) =>
      reply.headers({ 'content-type': type, 'content-security-policy': policy }).send(await read()),
    )
  const asset = (name: string) => () => readFile(join(folder, name))
  send('/docs', 'text/html; charset=utf-8', () => page)
  send('/docs/begin.js', script, () => begin)
  send('/docs/swagger-ui-bundle.js', script, asset('swagger-ui-bundle.js'))
  send('/docs/swagger-ui.css', 'text/css; charset=utf-8', asset('swagger-ui.css'))
}
