// What is in a feature of a project that is closed to somebody, or switched off, shows in no answer to them: every GET
// endpoint there is, about the project, its group and its people, is asked by each of them.
import { beforeAll, expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { type AddressValues, addressesOf } from './kit/every-address.ts'
import { newBranches, newRequest } from './kit/merge-requests.ts'
import { newPipeline } from './kit/pipelines.ts'
import { newWorld, type Who, type World } from './kit/world.ts'

let world: World
let project_id: number
let values: AddressValues

/** A word that only texts of one feature have, by the feature. */
const words = {
  repository: 'sesamecode',
  merge_requests: 'sesamerequest',
  issues: 'sesameissue',
  builds: 'sesamejob',
  wiki: 'sesamepage',
} as const
type Feature = keyof typeof words
const features = Object.keys(words) as Feature[]

/** What is closed together with a feature. */
const closedWith: Record<Feature, readonly Feature[]> = {
  repository: ['repository', 'merge_requests', 'builds'],
  merge_requests: ['merge_requests'],
  issues: ['issues'],
  builds: ['builds'],
  wiki: ['wiki'],
}

const scopes = [
  ...['all', 'issues', 'merge_requests', 'milestones', 'notes', 'projects', 'users'],
  ...['commits', 'blobs', 'wiki_blobs'],
]

async function send(url: string, body: object) {
  const answer = await world.as('owner').post(url, body)
  if (answer.statusCode >= 300) throw new Error(`${url} ${answer.statusCode} ${answer.body}`)
  return answer.json()
}

beforeAll(async () => {
  world = await newWorld()
  const { project, url: requests } = await newBranches(world, {
    options: { group: world.groups.open },
    files: {
      [`${words.repository}.md`]: words.repository,
      'README.md': words.repository,
      '.gitlab-ci.yml': JSON.stringify({ build: { script: ['x'], environment: '$PLACE' } }),
    },
  })
  project_id = project.id
  const at = `/projects/${project_id}`
  const milestone = await send(`${at}/milestones`, { title: 'One', start_date: '2026-01-01' })
  const milestone_id = milestone.id
  await send(`${at}/labels`, { name: 'one', color: '#000000' })
  const issue = { title: words.issues, description: words.issues, labels: 'one', milestone_id }
  await send(`${at}/issues`, issue)
  await send(`${at}/issues`, { title: 'Another' })
  await send(`${at}/issues/1/notes`, { body: `${words.issues} is like #2` })
  await send(`${at}/issues/1/links`, { target_project_id: project_id, target_issue_iid: 2 })
  await newRequest(
    world,
    { url: requests },
    { who: 'owner', title: words.merge_requests, labels: 'one', milestone_id },
  )
  await send(`${at}/merge_requests/1/notes`, { body: `${words.merge_requests} is like #2` })
  await send(`${at}/wikis`, { title: words.wiki, content: words.wiki })
  await send(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main', message: words.repository })
  await send(`${at}/releases`, { tag_name: 'v1', milestones: ['One'] })
  const commit_note = { note: words.repository }
  await send(`${at}/repository/commits/main/comments`, commit_note)
  const place = { key: 'PLACE', value: words.builds, variable_type: 'env_var' as const }
  const pipeline = await newPipeline(world, project, { variables: [place] })
  // The code tells what jobs are called, so that one has another name here.
  const { db } = world.app
  const jobsHere = db.updateTable('jobs').where('pipeline_id', '=', pipeline.id)
  await jobsHere.set({ name: words.builds }).execute()
  const jobs = (await world.as('owner').get(`${at}/pipelines/${pipeline.id}/jobs`)).json()
  const environments = (await world.as('owner').get(`${at}/environments`)).json()
  const head = (await world.as('owner').get(`${at}/repository/commits/main`)).json().id
  await world.app.worker.drain()
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
  values = {
    project: [project_id],
    group: [world.groups.open.id],
    user: [world.users.owner.id],
    issue_iid: [1, 2],
    merge_request_iid: [1],
    milestone_id: [milestone_id],
    pipeline_id: [pipeline.id],
    job_id: idsOf(jobs),
    environment_id: idsOf(environments),
    sha: ['main', head],
    branch: ['main', 'topic'],
    tag_name: ['v1'],
    ref_name: ['main'],
    file_path: ['README.md'],
    slug: [words.wiki],
  }
})

/** Who asks told of these features, and by which addresses. */
async function readAll(who: Who, closed: readonly Feature[]): Promise<string[]> {
  const told: string[] = []
  for (const endpoint of endpoints) {
    // A stream of changes does not end, and holds no texts.
    if (endpoint.method !== 'GET' || endpoint.path.includes('event_streams')) continue
    // What the project's own people did to it, and what was sent, was said at the time.
    if (/audit_events|\/hooks\//.test(endpoint.path)) continue
    for (const feature of closed) {
      const word = words[feature]
      for (const url of addressesOf(endpoint, { values, scopes, word })) {
        const { statusCode, body } = await world.as(who).get(url)
        if (statusCode < 300 && body.includes(word)) told.push(`${feature}: ${url}`)
      }
    }
  }
  return told
}

async function setAccess(feature: Feature, access: 'enabled' | 'private' | 'disabled') {
  const body = { [`${feature}_access_level`]: access }
  const answer = await world.as('owner').put(`/projects/${project_id}`, body)
  expect(answer.statusCode).toBe(200)
}

it('everybody is told of each feature while it is open, so that the walk proves something', {
  timeout: 120_000,
}, async () => {
  const told = await readAll('outsider', features)
  for (const feature of features) {
    expect(told.filter((one) => one.startsWith(feature)).length).toBeGreaterThan(3)
  }
})

it.each(
  features.flatMap((feature) => [
    [feature, 'private', 'anonymous'] as const,
    [feature, 'private', 'outsider'] as const,
    [feature, 'disabled', 'owner'] as const,
  ]),
)('no endpoint shows what is in %s that are %s to %s', { timeout: 120_000 }, async (...of) => {
  const [feature, access, who] = of
  await setAccess(feature, access)
  expect(await readAll(who, closedWith[feature])).toEqual([])
  await setAccess(feature, 'enabled')
})

it('a closed feature counts nothing in the record of the project', async () => {
  const counted = async (who: Who) =>
    (await world.as(who).get(`/projects/${project_id}`)).json().open_issues_count
  expect(await counted('outsider')).toBe(2)
  await setAccess('issues', 'private')
  expect([await counted('outsider'), await counted('guest')]).toEqual([0, 2])
  await setAccess('issues', 'disabled')
  expect(await counted('owner')).toBe(0)
  await setAccess('issues', 'enabled')
})
