// Builds the pages, and what a browser would rather have smaller.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '..', 'web')
const dist = join(web, 'dist')
/** Fonts are compressed in themselves. */
const compressed = /\.(?:js|css|svg)$/

await build({ configFile: join(web, 'vite.config.ts') })
for (const name of readdirSync(dist)) {
  if (!compressed.test(name)) continue
  const bytes = readFileSync(join(dist, name))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(bytes, { params }))
  writeFileSync(join(dist, `${name}.gz`), gzipSync(bytes, { level: 9 }))
}
