// Brings node_modules and the built pages up to date before any other command runs. It is plain JavaScript because it
// must run on whatever Node the machine has (20 or later); everything else runs on the pinned one.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const isProduction = process.argv[2] === 'production'
const web = join(root, 'web')
const marker = join(root, 'node_modules', '.bloomery-setup.json')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

function isCurrent() {
  if (!existsSync(marker) || !existsSync(join(root, 'node_modules/.bin/node'))) return false
  const installed = JSON.parse(readFileSync(marker, 'utf8'))
  return installed.lock === lock && (isProduction || installed.development)
}

if (!isCurrent()) {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  if (isProduction) args.push('--omit=dev')
  process.stderr.write('Installing packages...\n')
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] })
  // Strips and compiles the sources once, so that the first start is as quick and small as any.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') }
  const node = join(root, 'node_modules/.bin/node')
  execFileSync(node, ['src/main.ts', 'warm-up'], { cwd: root, env, stdio: ['ignore', 2, 2] })
  writeFileSync(marker, JSON.stringify({ lock, development: !isProduction }))
}

/** Of all that the pages are built from: any other contents are other pages. */
function hashPages() {
  const hash = createHash('sha256').update(lock)
  for (const file of listSources()) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function listSources() {
  const dist = join(web, 'dist')
  const sources = readdirSync(web, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .filter((file) => !file.startsWith(dist))
  return [...sources, join(root, 'tools/build-web.ts')].sort()
}

const built = join(web, 'dist', '.built')
const pages = hashPages()
if (!existsSync(built) || readFileSync(built, 'utf8') !== pages) {
  process.stderr.write('Building the pages...\n')
  try {
    execFileSync(join(root, 'node_modules/.bin/node'), ['tools/build-web.ts'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    })
    mkdirSync(dirname(built), { recursive: true })
    writeFileSync(built, pages)
  } catch {
    process.stderr.write('The pages could not be built: the API is served without them.\n')
  }
}
