// Installs packages and builds the pages and the server, where they are out of date. It is plain JavaScript because it must run on
// whatever Node the machine has (20 or later); everything else runs on the pinned one.

/** A module of Node as a whole: an import of it would also load the parts that nobody asks for, in the server's own process. */
const load = async (name) => process.getBuiltinModule?.(name) ?? import(name)
const { execFileSync } = await load('node:child_process')
const { createHash } = await load('node:crypto')
const { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } =
  await load('node:fs')
const { dirname, join } = await load('node:path')
const { fileURLToPath } = await load('node:url')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const web = join(root, 'web')
const marker = join(root, 'node_modules', '.bloomery-setup.json')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

function isInstalled(isProduction) {
  if (!existsSync(marker) || !existsSync(join(root, 'node_modules/.bin/node'))) return false
  const installed = JSON.parse(readFileSync(marker, 'utf8'))
  return installed.lock === lock && (isProduction || installed.development)
}

function install(isProduction) {
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

/** A hash of the names of files and of something of each. */
function hashOf(files, read) {
  const hash = createHash('sha256').update(lock)
  for (const file of files) hash.update(file.slice(root.length)).update(read(file))
  return hash.digest('hex')
}

/** Changes whenever the file does, and also when it is only touched. */
function stampOf(file) {
  const { size, mtimeMs, ctimeMs } = statSync(file)
  return `${size} ${mtimeMs} ${ctimeMs}`
}

/** All files below a folder, but those below another one. */
function listFiles(folder, without) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [path]
    return path === without ? [] : listFiles(path, without)
  })
}

/** Runs a build unless the one that is there was made of the same sources. Returns false when the build failed. */
function buildIfNeeded(dist, sources, tool, doing) {
  const marker = join(dist, '.built')
  const files = [...sources, join(root, tool)].sort()
  const [builtStamp, builtContents] = existsSync(marker)
    ? readFileSync(marker, 'utf8').split(' ')
    : []
  // Contents are read only if a file was touched: that takes three times as long.
  const stamp = hashOf(files, stampOf)
  if (stamp === builtStamp) return true
  const contents = hashOf(files, readFileSync)
  const remember = () => writeFileSync(marker, `${stamp} ${contents}`)
  if (contents === builtContents) {
    remember()
    return true
  }
  process.stderr.write(`${doing}...\n`)
  try {
    execFileSync(join(root, 'node_modules/.bin/node'), [tool], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    })
  } catch {
    return false
  }
  mkdirSync(dist, { recursive: true })
  remember()
  return true
}

/** Does what is out of date, and nothing else. Returns whether packages were installed, Node itself among them. */
export function installAndBuild(isProduction) {
  const mustInstall = !isInstalled(isProduction)
  if (mustInstall) install(isProduction)
  const pages = join(web, 'dist')
  const pageSources = listFiles(web, pages)
  if (!buildIfNeeded(pages, pageSources, 'tools/build-web.ts', 'Building the pages')) {
    process.stderr.write('Building the pages failed. The server runs without pages.\n')
  }
  const server = join(root, 'dist')
  const serverSources = ['src', 'runner']
    .flatMap((folder) => listFiles(join(root, folder)))
    .filter((file) => !file.endsWith('.test.ts'))
  if (!buildIfNeeded(server, serverSources, 'tools/build-server.ts', 'Building the server')) {
    process.stderr.write(
      'Bundling the server failed. It runs from its sources and starts slower.\n',
    )
    mkdirSync(server, { recursive: true })
    writeFileSync(join(server, 'main.js'), "import '../src/main.ts'\n")
  }
  return mustInstall
}
