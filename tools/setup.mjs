// Brings node_modules up to date before any other command runs. It is plain JavaScript because it
// must run on whatever Node the machine has (20 or later); everything else runs on the pinned one.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const isProduction = process.argv[2] === 'production'
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
