// Scripts, styles and fonts of the pages. Their names contain a digest of their content, so browsers cache them without
// expiry.
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { unknownRoute } from '../../kernel/errors.ts'

/** The output folder of `tools/build-web.ts`. */
export const assetFolder = join(import.meta.dirname, '../../../web/dist')

const types: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
])
const encodings = [
  { name: 'br', asked: /\bbr\b/, ending: '.br' },
  { name: 'gzip', asked: /\bgzip\b/, ending: '.gz' },
] as const

/**
 * The manifest that lets browsers install the pages as an application (W3C Web Application Manifest). The window keeps
 * the smallest browser controls, because people copy addresses of pages. A service worker is not required.
 */
const manifest = {
  id: '/',
  name: 'Bloomery',
  short_name: 'Bloomery',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: '#fbfaf8',
  theme_color: '#ffffff',
  icons: [{ src: '/favicon.ico', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
}

/** The assets in memory; all of them together have a few megabytes. */
const kept = new Map<string, Buffer | undefined>()
const kept_max = 2_000

/** Serves `/-/assets/<name>`. */
export function mountAssets(app: FastifyInstance): void {
  // Asked by browsers of their own accord beside bytes that are no page, which name no icon.
  app.get('/favicon.ico', async (_request, reply) => {
    const [, icon = ''] =
      /href="data:image\/svg\+xml,([^"]+)"/.exec(String(read('index.en.html'))) ?? []
    if (icon === '') throw unknownRoute()
    return reply
      .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
      .send(decodeURIComponent(icon))
  })
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'application/manifest+json',
        'cache-control': 'public, max-age=86400',
      })
      .send(JSON.stringify(manifest)),
  )
  app.get<{ Params: { name: string } }>('/-/assets/:name', async (request, reply) => {
    const { name } = request.params
    const type = types.get(extname(name))
    if (!type || !/^[\w-][\w.-]*$/.test(name)) throw unknownRoute()
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = encodings.find(
      ({ asked, ending }) => asked.test(accepted) && read(name + ending),
    )
    const bytes = read(name + (encoding?.ending ?? ''))
    if (!bytes) throw unknownRoute()
    if (encoding) reply.header('content-encoding', encoding.name)
    return reply
      .headers({
        'content-type': type,
        // Of a worker: it fetches the language it is asked for, and nothing else.
        'content-security-policy': "default-src 'none'; script-src 'self'",
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      })
      .send(bytes)
  })
}

function read(name: string): Buffer | undefined {
  const known = kept.get(name)
  if (known) return known
  try {
    const bytes = readFileSync(join(assetFolder, name))
    if (kept.size < kept_max) kept.set(name, bytes)
    return bytes
  } catch {
    return undefined
  }
}
