// The frame of the pages that links in letters lead to: no script, nothing from elsewhere, kept by nobody.

import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../kernel/html.ts'

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 1rem }
main { max-width: 24rem; margin: 10vh auto 0 }
h1 { font-size: 1.25rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { margin-top: .25rem; padding: .5rem; border: 1px solid; border-radius: .25rem }
button { margin-top: 1rem; cursor: pointer }
:focus-visible { outline: 3px solid; outline-offset: 2px }
`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  // The address holds the token.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Sends a page; `content` is HTML. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { title, content }: { title: string; content: string },
): FastifyReply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} - Bloomery</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
  // As bytes: a text would be given a tag to be kept by.
  return reply.code(status).headers(headers).send(Buffer.from(html))
}
