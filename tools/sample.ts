// A small company on a server of its own, for pictures of pages: people, groups, projects with a history, pipelines.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Ask = <T = Record<string, never>>(route: string, body?: object) => Promise<T>

/** Asks the API of a server as root; throws what was refused. */
export function askBy(url: string, token: string): Ask {
  return async (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

const pipelines_ms_max = 60_000

export const samplePassword = 'a long pass phrase of everybody'

const people = [
  ['ada', 'Ada Lovelace'],
  ['bo', 'Bo Jensen'],
  ['chen', 'Chen Wei'],
] as const

const readme = `# Shop

The shop of **Acme**: carts, prices, and what is paid.

## Start

\`\`\`sh
npm install
npm start
\`\`\`

| part | does |
|---|---|
| \`src/carts.ts\` | what lies in a cart |
| \`src/prices.ts\` | what it costs |

- [x] carts
- [ ] vouchers

> Prices are whole cents, never fractions.
`

const carts = `import { type Money, add, zero } from './money.ts'

export type Line = { name: string; price: Money; count: number }

/** What all of it costs, in cents. */
export function total(lines: readonly Line[]): Money {
  return lines.map(priceOf).reduce(add, zero)
}

function priceOf({ price, count }: Line): Money {
  return { cents: Math.round(price.cents * count), currency: price.currency }
}
`

const money = `export type Money = { cents: number; currency: 'EUR' | 'USD' }

export const zero: Money = { cents: 0, currency: 'EUR' }

export function add(one: Money, other: Money): Money {
  if (one.currency !== other.currency) throw new TypeError('two currencies')
  return { ...one, cents: one.cents + other.cents }
}
`

const ci = `stages: [build, test, deploy]
build:
  stage: build
  script:
    - echo "Compiling"
    - mkdir -p out && echo "<h1>Shop</h1>" > out/index.html
  artifacts:
    paths: [out]
unit:
  stage: test
  script:
    - printf '\\033[32m812 tests passed\\033[0m\\n'
lint:
  stage: test
  script:
    - echo "src/carts.ts:42:7 error 'x' is never used"
    - exit 1
  allow_failure: false
docs:
  stage: build
  script: [echo built]
  environment: { name: docs, url: https://docs.example.test }
staging:
  stage: deploy
  when: manual
  script: [echo deployed]
  environment: { name: staging, url: https://staging.example.test }
production:
  stage: deploy
  needs: [unit]
  script: [echo deployed]
  when: manual
  environment: production
`

/** Makes all of it, on a server that has a runner, and waits until the pipelines of its push have ended. */
export async function makeSample(url: string, token: string): Promise<void> {
  const ask = askBy(url, token)
  for (const [username, name] of people) {
    const email = `${username}@acme.example`
    await ask('POST /users', {
      username,
      name,
      email,
      password: samplePassword,
      skip_confirmation: true,
    })
  }
  const acme = await ask<{ id: number }>('POST /groups', {
    name: 'Acme',
    path: 'acme',
    visibility: 'public',
    description: 'Everything that Acme sells and runs.',
  })
  await ask('POST /groups', {
    name: 'Infrastructure',
    path: 'infra',
    parent_id: acme.id,
    visibility: 'public',
  })
  const shop = await ask<{ id: number }>('POST /projects', {
    name: 'Shop',
    path: 'shop',
    namespace_id: acme.id,
    visibility: 'public',
    description: 'Carts, prices, and what is paid.',
    topics: ['shop', 'typescript'],
  })
  await ask('POST /projects', { name: 'Notes', path: 'notes', visibility: 'private' })
  const users = await ask<{ id: number; username: string }[]>('GET /users')
  for (const { id, username } of users) {
    if (username === 'ada')
      await ask(`POST /projects/${shop.id}/members`, { user_id: id, access_level: 40 })
    if (username === 'bo')
      await ask(`POST /projects/${shop.id}/members`, { user_id: id, access_level: 30 })
  }
  const signer = users.find(({ username }) => username === 'ada')
  await pushShop({
    url,
    token,
    addKey: (key) => ask(`POST /users/${signer?.id}/keys`, { title: 'Laptop', key }),
  })
  await ask(`POST /projects/${shop.id}/pipeline_schedules`, {
    description: 'Nightly build',
    ref: 'main',
    cron: '0 3 * * *',
    cron_timezone: 'Europe/Berlin',
  })
  await ask(`POST /projects/${shop.id}/variables`, { key: 'DEPLOY_HOST', value: 'shop.example' })
  await ask(`POST /projects/${shop.id}/triggers`, { description: 'from the warehouse' })
  await pipelinesEnd(ask, shop.id)
}

/** A push makes its pipelines after git has answered: one for each of the two branches, none for the tag. */
async function pipelinesEnd(ask: Ask, project_id: number): Promise<void> {
  const end_ms = Date.now() + pipelines_ms_max
  while (Date.now() < end_ms) {
    const pipelines = await ask<{ status: string }[]>(`GET /projects/${project_id}/pipelines`)
    if (pipelines.length === 2 && pipelines.every(({ status }) => status === 'failed')) return
    await new Promise((wake) => setTimeout(wake, 300))
  }
  throw new Error('The pipelines of the sample did not finish in time.')
}

/** Ada signs a commit by a key of hers, Bo one by a key that nobody knows. */
async function pushShop({
  url,
  token,
  addKey,
}: {
  url: string
  token: string
  addKey: (key: string) => Promise<unknown>
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-sample-'))
  const git = (args: string[], [name, email] = ['Ada Lovelace', 'ada@acme.example']) =>
    execFileSync('git', ['-c', `user.name=${name}`, '-c', `user.email=${email}`, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const commit = (message: string, who?: [string, string], key?: string) => {
    git(['add', '-A'], who)
    const how = key ? ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${key}`] : []
    git([...how, 'commit', '-qm', message, ...(key ? ['-S'] : [])], who)
  }
  const newKey = (name: string) => {
    const file = join(folder, '.git', name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    return file
  }
  git(['init', '-q', '-b', 'main'])
  write('README.md', readme)
  write('package.json', '{\n  "name": "shop",\n  "type": "module"\n}\n')
  commit('First carts')
  write('src/money.ts', money)
  write('src/carts.ts', carts)
  commit('Count in whole cents', ['Bo Jensen', 'bo@acme.example'])
  write('test/carts.test.ts', "import { total } from '../src/carts.ts'\n\ntotal([])\n")
  const known = newKey('known')
  await addKey(readFileSync(`${known}.pub`, 'utf8'))
  commit('Cover negative totals', ['Ada Lovelace', 'ada@acme.example'], known)
  git(['tag', 'v1.0.0', '-m', 'The first release'])
  write('.gitlab-ci.yml', ci)
  commit('Build, test and deploy by a pipeline')
  git(['switch', '-qc', 'feature/vouchers'])
  write('src/vouchers.ts', 'export const vouchers = new Map<string, number>()\n')
  write('src/carts.ts', carts.replace('Math.round', 'Math.ceil'))
  commit('Vouchers, rounded up', ['Bo Jensen', 'bo@acme.example'], newKey('unknown'))
  const remote = `${url.replace('://', `://root:${token}@`)}/acme/shop.git`
  git(['push', '-q', remote, 'main', 'v1.0.0', 'feature/vouchers'])
  rmSync(folder, { recursive: true })
}
