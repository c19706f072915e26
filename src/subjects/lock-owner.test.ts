// Limits of how many records an owner has hold when many are added at the same time.
import { afterEach, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { newWorld, type World } from '../../test/kit/world.ts'
import { limits } from '../kernel/limits.ts'

const most = 2
let app: TestApp
beforeAll(async () => {
  app = await startApp({ BLOOMERY_PIPELINE_SCHEDULES_MAX: String(most) })
  atFileEnd(app.close)
})

/** Puts back the limits that a test has lowered. */
const resets: (() => void)[] = []
afterEach(() => {
  for (const reset of resets.splice(0)) reset()
})

function lower<Key extends string>(within: { readonly [key in Key]: number }, key: Key): void {
  const given = within as Record<Key, number>
  const before = given[key]
  resets.push(() => {
    given[key] = before
  })
  given[key] = most
}

type Adding = {
  /** Undefined where the limit is a setting. */
  limit?: () => void
  prepare?: (world: World) => Promise<string>
  /** Below the project unless `prepare` answers a path. */
  path?: string
  body: (index: number) => object
  method?: 'put'
  who?: 'admin' | 'owner'
}

const named = (index: number) => ({ name: `name-${index}` })

const kinds: Record<string, Adding> = {
  'pipeline schedules': {
    path: '/pipeline_schedules',
    body: () => ({ description: 'd', ref: 'main', cron: '0 1 * * *' }),
  },
  'variables of a schedule': {
    limit: () => lower(limits.variables_max, 'schedule'),
    async prepare({ as, projects: { open } }) {
      const url = `/projects/${open.id}/pipeline_schedules`
      const schedule = { description: 'd', ref: 'main', cron: '0 1 * * *' }
      return `${url}/${(await as('owner').post(url, schedule)).json().id}/variables`
    },
    body: (index) => ({ key: `KEY_${index}`, value: 'v' }),
  },
  'variables of a project': {
    limit: () => lower(limits.variables_max, 'project'),
    path: '/variables',
    body: (index) => ({ key: `KEY_${index}`, value: 'v' }),
  },
  'variables of a group': {
    limit: () => lower(limits.variables_max, 'group'),
    prepare: async ({ groups: { open } }) => `/groups/${open.id}/variables`,
    body: (index) => ({ key: `KEY_${index}`, value: 'v' }),
  },
  'variables of the instance': {
    limit: () => lower(limits.variables_max, 'instance'),
    prepare: async () => '/admin/ci/variables',
    body: (index) => ({ key: `KEY_${index}`, value: 'v' }),
    who: 'admin',
  },
  triggers: {
    limit: () => lower(limits, 'triggers_max'),
    path: '/triggers',
    body: () => ({ description: 'd' }),
  },
  badges: {
    limit: () => lower(limits, 'badges_max'),
    path: '/badges',
    body: () => ({ link_url: 'https://x.test/', image_url: 'https://x.test/b.svg' }),
  },
  'deploy tokens': {
    limit: () => lower(limits, 'deploy_tokens_max'),
    path: '/deploy_tokens',
    body: () => ({ name: 'd', scopes: ['read_repository'] }),
  },
  'access tokens': {
    limit: () => lower(limits, 'access_token_bots_max'),
    path: '/access_tokens',
    body: () => ({ name: 't', scopes: ['api'], expires_at: null }),
  },
  'push mirrors': {
    limit: () => lower(limits.remote_mirrors, 'mirrors_max'),
    path: '/remote_mirrors',
    body: () => ({ url: 'https://mirror.example.com/a.git' }),
  },
  'status checks': {
    limit: () => lower(limits, 'status_checks_max'),
    path: '/external_status_checks',
    body: (index) => ({ name: `c${index}`, external_url: `https://x.test/${index}` }),
  },
  domains: {
    limit: () => lower(limits.pages, 'domains_max'),
    path: '/pages/domains',
    body: (index) => ({ domain: `n${index}.${crypto.randomUUID()}.example.com` }),
  },
  'managed licenses': {
    limit: () => lower(limits, 'managed_licenses_max'),
    path: '/managed_licenses',
    body: (index) => ({ name: `L${index}`, approval_status: 'denied' }),
  },
  'approval rules': {
    limit: () => lower(limits, 'approval_rules_max'),
    async prepare({ projects: { open }, users }) {
      ruleFor.user = users.developer.id
      return `/projects/${open.id}/approval_rules`
    },
    body: (index) => ({ name: `r${index}`, approvals_required: 1, user_ids: [ruleFor.user] }),
  },
  boards: {
    limit: () => lower(limits, 'boards_max'),
    path: '/boards',
    body: named,
  },
  'custom attributes': {
    limit: () => lower(limits, 'custom_attributes_max'),
    path: '/custom_attributes/#',
    body: () => ({ value: 'v' }),
    method: 'put',
    who: 'admin',
  },
  clusters: {
    limit: () => lower(limits.clusters, 'per_owner_max'),
    path: '/clusters/user',
    body: (index) => ({
      name: `c${index}`,
      environment_scope: `e${index}/*`,
      platform_orchestrator_attributes: { api_url: 'https://k.example.com', token: 't' },
    }),
  },
  'links of a release': {
    limit: () => lower(limits, 'release_links_max'),
    async prepare({ as, projects: { open } }) {
      const url = `/projects/${open.id}`
      await as('owner').post(`${url}/releases`, { tag_name: 'v1', ref: 'main' })
      return `${url}/releases/v1/assets/links`
    },
    body: (index) => ({ name: `l${index}`, url: `https://x.test/${index}` }),
  },
  'lists of a board': {
    limit: () => lower(limits, 'board_lists_max'),
    async prepare({ as, projects: { open } }) {
      const url = `/projects/${open.id}`
      const label = (index: number) =>
        as('owner').post(`${url}/labels`, { name: `l${index}`, color: '#fff' })
      const labels = await Promise.all(Array.from({ length: 8 }, (_, index) => label(index)))
      listOf.labels = labels.map((answer) => answer.json().id)
      return `${url}/boards/${(await as('owner').post(`${url}/boards`, named(0))).json().id}/lists`
    },
    body: (index) => ({ label_id: listOf.labels[index] }),
  },
  'draft notes of one user': {
    limit: () => lower(limits, 'draft_notes_max'),
    prepare: async (world) => `${await newRequest(world)}/draft_notes`,
    body: (index) => ({ note: `n${index}` }),
  },
  'files marked as viewed': {
    limit: () => lower(limits, 'viewed_files_max'),
    prepare: async (world) => `${await newRequest(world)}/viewed_files`,
    body: (index) => ({ path: `f${index}`, head_sha: '0'.repeat(40) }),
    method: 'put',
  },
}
/** The path of a new merge request. */
async function newRequest({ as, projects: { open } }: World): Promise<string> {
  const url = `/projects/${open.id}`
  const commit = { branch: 'topic', start_branch: 'main', commit_message: 'Add' }
  const actions = [{ action: 'create', file_path: 'topic', content: 'x' }]
  await as('owner').post(`${url}/repository/commits`, { ...commit, actions })
  const request = { source_branch: 'topic', target_branch: 'main', title: 'Add' }
  return `${url}/merge_requests/${(await as('owner').post(`${url}/merge_requests`, request)).json().iid}`
}
const listOf: { labels: number[] } = { labels: [] }
const ruleFor = { user: 0 }

it.each(Object.entries(kinds))('there are never more %s than allowed', async (_, adding) => {
  const world = await newWorld(app)
  const { limit, prepare, path = '', body, method = 'post', who = 'owner' } = adding
  limit?.()
  const url = (await prepare?.(world)) ?? `/projects/${world.projects.open.id}${path}`
  const client = world.as(who)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      client[method](url.replace('#', `k${index}`), body(index)),
    ),
  )
  const isMade = ({ statusCode }: { statusCode: number }) => statusCode < 300
  const refusals = answers.filter((answer) => !isMade(answer))
  expect(answers.filter(isMade)).toHaveLength(most)
  for (const { statusCode } of refusals) expect([400, 422]).toContain(statusCode)
})
