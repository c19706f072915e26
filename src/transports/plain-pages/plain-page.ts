// The frame of pages without scripts: no external resources, never cached.

import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { escapeHtml } from '../../kernel/html.ts'

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 1rem }
main { max-width: 24rem; margin: 10vh auto 0 }
h1 { font-size: 1.25rem }
code { overflow-wrap: anywhere }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { margin-top: .25rem; padding: .5rem; border: 1px solid; border-radius: .25rem }
button { margin-top: 1rem; cursor: pointer }
:focus-visible { outline: 3px solid; outline-offset: 2px }
`

const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  // The address holds the token.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Returns the Content-Security-Policy of a page. Its form may be sent to this server only, and to the given origin. */
function policyOf(formTarget: string | undefined): string {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ')
  return `default-src 'none'; style-src ${styleSource}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

/**
 * Sends a page; `content` is HTML. `formTarget` is a CSP source that its form redirects to, since browsers apply the page's
 * policy to redirects of forms.
 */
export function sendPlainPage(
  reply: FastifyReply,
  status: number,
  {
    title,
    content,
    formTarget,
    language = 'en',
  }: { title: string; content: string; formTarget?: string; language?: PageLanguage },
): FastifyReply {
  const html = `<!doctype html>
<html lang="${language}">
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
  return reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': policyOf(formTarget) })
    .removeHeader('access-control-allow-origin')
    .send(Buffer.from(html))
}
