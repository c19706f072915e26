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
sast:
  stage: test
  script: [echo "2 findings"]
  artifacts:
    reports: { sast: .reports/sast.json }
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

const finding = (name: string, severity: string, start_line: number) => ({
  category: 'sast',
  name,
  description: 'A negative count makes the total smaller than it is.',
  solution: 'Refuse lines whose count is below one.',
  severity,
  scanner: { id: 'semgrep', name: 'Semgrep' },
  identifiers: [{ type: 'cwe', name: 'CWE-20', value: '20', url: 'https://cwe.example.test/20' }],
  location: { file: 'src/carts.ts', start_line, end_line: start_line },
})

const sastReport = {
  version: '15.0.7',
  scan: { type: 'sast', status: 'success', scanner: { id: 'semgrep', name: 'Semgrep' } },
  vulnerabilities: [
    finding('Counts are not checked', 'High', 11),
    finding('Rounding by floating point', 'Low', 12),
  ],
}

const lockFile = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'shop' },
    'node_modules/lodash': { version: '4.17.21' },
    'node_modules/zod': { version: '4.1.0' },
  },
}

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
  await makeContent(ask, { shop: shop.id, url })
  await makePlans(ask, shop.id, new Map(users.map(({ id, username }) => [username, id])))
}

const description = `What happens:

1. put 3 of 0.335 EUR into the cart
2. look at the total

- [x] find out why
- [ ] round half up in \`src/carts.ts\`

See #2 and @ada.
`

/** Issues with labels and a milestone, and a merge request with a thread on its changes. */
async function makePlans(
  ask: Ask,
  shop: number,
  people: ReadonlyMap<string, number>,
): Promise<void> {
  const at = `/projects/${shop}`
  for (const [name, color] of [
    ['bug', '#c0392b'],
    ['feature', '#1f75cb'],
    ['needs design', '#217645'],
  ])
    await ask(`POST ${at}/labels`, { name, color })
  const { id: milestone_id } = await ask<{ id: number }>(`POST ${at}/milestones`, {
    title: '2.0',
    start_date: '2030-01-01',
    due_date: '2030-03-01',
    description: 'Vouchers, and prices that are **rounded half up**.',
  })
  await ask(`POST ${at}/milestones`, { title: 'Later' })
  const now_ms = Date.now()
  const dayFrom = (days: number) => new Date(now_ms + days * 86_400_000).toISOString().slice(0, 10)
  const sprint = await ask<{ id: number }>(`POST ${at}/milestones`, {
    title: 'Sprint 12',
    start_date: dayFrom(-7),
    due_date: dayFrom(7),
  })
  const [ada, bo] = [people.get('ada'), people.get('bo')]
  const issues = [
    {
      title: 'Round prices half up',
      labels: ['bug'],
      assignee_ids: [ada],
      description,
      milestone_id,
    },
    { title: 'Combine vouchers', labels: ['feature', 'needs design'], assignee_ids: [bo] },
    { title: 'The customer Initech waits', confidential: true, milestone_id: sprint.id, weight: 3 },
    { title: 'Empty carts are kept', labels: ['bug'], milestone_id: sprint.id, weight: 2 },
  ]
  for (const issue of issues) await ask(`POST ${at}/issues`, issue)
  await ask(`PUT ${at}/issues/4`, { state_event: 'close' })
  await ask(`POST ${at}/issues/1/links`, {
    target_project_id: String(shop),
    target_issue_iid: 2,
    link_type: 'relates_to',
  })
  await makeBoard(ask, at)
  const thread = await ask<{ id: string }>(`POST ${at}/issues/1/discussions`, {
    body: 'Is there a test for **negative** totals?',
  })
  await ask(`POST ${at}/issues/1/discussions/${thread.id}/notes`, { body: 'See `carts.test.ts`.' })
  await ask(`POST ${at}/issues/1/award_emoji`, { name: 'thumbsup' })
  const request = await ask<{ iid: number; diff_refs: object }>(`POST ${at}/merge_requests`, {
    title: 'Vouchers',
    source_branch: 'feature/vouchers',
    target_branch: 'main',
    description: 'Closes #2.',
    labels: ['feature'],
    reviewer_ids: [ada],
  })
  const { diff_refs } = await ask<{ diff_refs: object }>(`GET ${at}/merge_requests/${request.iid}`)
  await ask(`POST ${at}/merge_requests/${request.iid}/discussions`, {
    body: 'Half up, as in #1:\n\n```suggestion:-0+0\n  const cents = Math.round(price.cents * count)\n```',
    position: {
      ...diff_refs,
      position_type: 'text',
      old_path: 'src/vouchers.ts',
      new_path: 'src/vouchers.ts',
      new_line: 1,
    },
  })
}

/** Creates a board of the project with a list, and a label, a milestone and a board of the group above it. */
async function makeBoard(ask: Ask, project: string): Promise<void> {
  const group = '/groups/acme'
  await ask(`POST ${group}/labels`, {
    name: 'customer',
    color: '#6f42c1',
    description: 'Somebody who pays asked for it.',
  })
  await ask(`POST ${group}/milestones`, { title: 'This year', due_date: '2030-12-31' })
  for (const owner of [project, group]) {
    const { id } = await ask<{ id: number }>(`POST ${owner}/boards`, { name: 'Work' })
    const labels = await ask<{ id: number; name: string }[]>(`GET ${owner}/labels`)
    const label = labels.find(({ name }) => name === 'bug' || owner === group)
    await ask(`POST ${owner}/boards/${id}/lists`, { label_id: label?.id })
  }
}

const wikiHome = `How the shop is run.

- [Set up on Linux](setup/Linux)
- Prices are rounded half up, see #1.
`

/** Two pages of the wiki, a badge, and a release of the tag. */
async function makeContent(ask: Ask, { shop, url }: { shop: number; url: string }): Promise<void> {
  const at = `/projects/${shop}`
  await ask(`POST ${at}/wikis`, { title: 'home', content: wikiHome })
  await ask(`POST ${at}/wikis`, {
    title: 'setup/Linux',
    content: '## Packages\n\nInstall `git`.\n',
  })
  const badge = 'badges/%{default_branch}/pipeline.svg'
  await ask(`POST ${at}/badges`, {
    name: 'Pipeline',
    link_url: `${url}/%{project_path}/-/pipelines`,
    image_url: `${url}/%{project_path}/${badge}`,
  })
  await ask(`POST ${at}/managed_licenses`, { name: 'MIT', approval_status: 'allowed' })
  const integrations = `${at}/alert_management/integrations`
  const { id: integration } = await ask<{ id: number }>(`POST ${integrations}`, { name: 'Uptime' })
  await ask(`POST ${integrations}/${integration}/test`, {
    payload: {
      title: 'The checkout answers slowly',
      description: 'The 95th percentile is above 2 s.',
      severity: 'high',
      service: 'checkout',
      hosts: ['web-1'],
    },
  })
  await ask(`POST ${at}/hooks`, { url: 'https://chat.example.test/hook', name: 'Chat' })
  await ask(`POST ${at}/pages/domains`, { domain: 'shop.example.test' })
  await ask(`POST ${at}/clusters/user`, {
    name: 'Production',
    environment_scope: 'production',
    platform_orchestrator_attributes: {
      api_url: 'https://kube.example.test:6443',
      token: 'a-token',
    },
  })
  await ask('POST /security/projects', { project_id: String(shop) })
  await ask(`POST ${at}/releases`, {
    tag_name: 'v1.0.0',
    name: 'Carts',
    description: 'The first carts, counted in **whole cents**.',
    assets: { links: [{ name: 'Handbook', url: 'https://docs.example.test/1.0' }] },
  })
}

/**
 * Waits for the pipelines of a push, which are created after git has returned: one for each of the two branches, none for
 * the tag. The findings of the default branch are stored after the pipeline has ended.
 */
async function pipelinesEnd(ask: Ask, project_id: number): Promise<void> {
  const end_ms = Date.now() + pipelines_ms_max
  const at = `/projects/${project_id}`
  while (Date.now() < end_ms) {
    const pipelines = await ask<{ status: string }[]>(`GET ${at}/pipelines`)
    const hasEnded = pipelines.every(({ status }) => status === 'failed')
    const found = await ask<unknown[]>(`GET ${at}/vulnerabilities`)
    if (pipelines.length === 2 && hasEnded && found.length > 0) return
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
  write('.reports/sast.json', JSON.stringify(sastReport))
  write('package-lock.json', JSON.stringify(lockFile))
  commit('Build, test and deploy by a pipeline')
  git(['switch', '-qc', 'feature/vouchers'])
  write('src/vouchers.ts', 'export const vouchers = new Map<string, number>()\n')
  write('src/carts.ts', carts.replace('Math.round', 'Math.ceil'))
  commit('Vouchers, rounded up', ['Bo Jensen', 'bo@acme.example'], newKey('unknown'))
  const remote = `${url.replace('://', `://root:${token}@`)}/acme/shop.git`
  git(['push', '-q', remote, 'main', 'v1.0.0', 'feature/vouchers'])
  rmSync(folder, { recursive: true })
}
