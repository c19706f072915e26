// What a caller may not see is answered as what does not exist, whatever names it: each parameter of the path, the
// query or the body of every endpoint, and every address outside the API.
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { newJobToken } from '../src/kernel/ids.ts'
import { exampleOf, nameOf } from './kit/every-example.ts'
import { forgetKept } from './kit/examples.ts'
import { newBranches, newRequest } from './kit/merge-requests.ts'
import { newCiProject, newPipeline } from './kit/pipelines.ts'
import { newWorld, type Who, type World } from './kit/world.ts'

type Value = string | number
type Values = Record<string, Value>

/** The callers are members of `world` alone; all that is hidden from them is of `other`. */
let world: World
let other: World
let hidden: Values

/** Numbers and names that nothing has. */
const absent_id = 987_654_321
const absentOf = (value: Value): Value =>
  /^\d+$/.test(String(value)) ? absent_id : String(value).replace(/[^/]/g, '0').slice(0, -1) || '0'

beforeAll(async () => {
  world = await newWorld()
  other = await newWorld(world.app)
  const owner = other.as('owner')
  const { project, url: requests } = await newBranches(other)
  const url = `/projects/${project.id}`
  const make = async (path: string, body: object) => {
    const made = await owner.post(`${url}${path}`, body)
    if (made.statusCode !== 201) throw new Error(`${path} ${made.statusCode} ${made.body}`)
    return made.json()
  }
  const ci = await newCiProject(other, { build: { script: ['x'] } })
  const pipeline = await newPipeline(other, ci)
  const issue = await make('/issues', { title: 'Hidden' })
  const request = await newRequest(other, { url: requests }, { who: 'owner' })
  const thread = await make(`/merge_requests/${request.iid}/discussions`, { body: 'x' })
  hidden = {
    project: project.id,
    group: other.groups.shut.id,
    group_path: other.groups.shut.full_path,
    issue: issue.id,
    milestone: (await make('/milestones', { title: 'Hidden' })).id,
    label: (await make('/labels', { name: 'Hidden', color: '#000000' })).id,
    branch: (await make('/protected_branches', { name: 'topic' })).id,
    pipeline: pipeline.id,
    'approval rule': (await make('/approval_rules', { name: 'x', approvals_required: 1 })).id,
    thread: thread.id,
  }
})

/** What parameters beside the path name. Null: no object, or none that is hidden from anybody. */
const kinds: readonly (readonly [RegExp, string | null])[] = [
  [/^(.*_)?project_id$|^forked_from_id$/, 'project'],
  [/^(target_)?group_id$|^namespace_id$|^parent_id$|^group_with_project_templates_id$/, 'group'],
  [/^namespace_path$/, 'group_path'],
  [/^move_(after|before)_id$/, 'issue'],
  [/^milestone_ids?$/, 'milestone'],
  [/^label_id$/, 'label'],
  [/^protected_branch_ids$/, 'branch'],
  [/^group_ids$/, 'group'],
  [/^approval_project_rule_id$/, 'approval rule'],
  [/^pipeline_id$/, 'pipeline'],
  [/^in_reply_to_discussion_id$/, 'thread'],
  // Everybody sees users and topics, and that there is a runner of a number is no secret.
  [/^runner_id$|^(.*_)?user_ids?$|^(assignee|author|reviewer)_ids?$|_topic_id$/, null],
  // Their number counts within the project that is named beside it.
  [/^target_issue_iid$|^external_status_check_id$/, null],
  // Names of commits and files, settings, and what runners call themselves.
  [/^(last_)?commit_id$|_ci_config_path$|^ci_config_path$|^(target|direct_asset)_path$/, null],
  [
    /^(after_sign_out_path|.*_allowed_group_path|system_id|entity_id|(theme|color_scheme)_id)$/,
    null,
  ],
  [/^(eks_.*|slack_app|snowplow_app|saml_provider)_id$/, null],
]

const propertiesOf = ({ input }: Endpoint) =>
  Object.entries((input as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {})

/** The parameters of an endpoint beside its path that name something. */
function namesOf(endpoint: Endpoint) {
  return propertiesOf(endpoint).filter(
    ([name]) => /_(id|iid|path)s?$/.test(name) && !new RegExp(`:${name}\\b`).test(endpoint.path),
  )
}

const isArray = (schema: TSchema): boolean => JSON.stringify(schema).includes('"type":"array"')

function kindOf(name: string): string | null {
  const found = kinds.find(([pattern]) => pattern.test(name))
  if (!found) throw new Error(`Say in test/hidden-objects.test.ts what ${name} names.`)
  return found[1]
}

type Asked = { endpoint: Endpoint; path: Values; body?: object; who: Who }

async function ask({ endpoint, path, body, who }: Asked) {
  const client = world.as(who)
  const template = nameOf(endpoint).split(' ')[1] ?? ''
  const url = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  if (endpoint.method !== 'GET') {
    const method = endpoint.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
    return client[method](url, body)
  }
  const query = new URLSearchParams(body as Record<string, string>).toString()
  return client.get(query ? `${url}?${query}` : url)
}

/** What an answer tells, with neither of the two names in it; of success that nothing of the hidden place shows. */
function told(answer: Awaited<ReturnType<typeof ask>>, names: readonly Value[]): string {
  if (answer.statusCode < 300) {
    const secrets = [other.groups.shut.path, other.projects.shut.path]
    const shown = secrets.filter((text) => answer.body.includes(text))
    return `success ${shown.join()}`
  }
  const plain = names.reduce<string>(
    (text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '<name>'),
    `${answer.body} ${answer.headers.location ?? ''}`,
  )
  return `${answer.statusCode} ${plain}`
}

/** Where the two are told apart. */
async function difference(
  asked: (name: Value) => Asked | Promise<Asked>,
  of: string,
  name: Value,
): Promise<string[]> {
  const nothing = absentOf(name)
  const names = [name, nothing, encodeURIComponent(name), encodeURIComponent(nothing)]
  const { endpoint, who } = await asked(name)
  const seen = told(await ask(await asked(name)), names)
  if (seen.startsWith('success')) forgetKept(world)
  const missing = told(await ask(await asked(nothing)), names)
  if (missing.startsWith('success')) forgetKept(world)
  return seen === missing ? [] : [`${nameOf(endpoint)} ${of} ${who}: ${seen} / ${missing}`]
}

it('the callers see nothing of the other world', async () => {
  for (const who of ['outsider', 'owner'] as const) {
    expect((await world.as(who).get(`/projects/${hidden.project}`)).statusCode).toBe(404)
    expect((await world.as(who).get(`/groups/${hidden.group}`)).statusCode).toBe(404)
  }
})

it('names in bodies and queries', { timeout: 180_000 }, async () => {
  const differences: string[] = []
  forgetKept(world)
  for (const endpoint of endpoints) {
    for (const [name, schema] of namesOf(endpoint)) {
      const kind = kindOf(name)
      if (kind === null) continue
      for (const who of ['guest', 'owner'] as const) {
        const asked = async (value: Value): Promise<Asked> => {
          const { path = {}, body } = await exampleOf(endpoint)(world, who)
          const given = { ...body, [name]: isArray(schema) ? [value] : value }
          return { endpoint, path, who, body: given }
        }
        differences.push(...(await difference(asked, name, hidden[kind] ?? '')))
      }
    }
  }
  expect(differences).toEqual([])
})

describe('names in paths', () => {
  /** The paths of the examples of all endpoints below projects, groups and runners, in a world. */
  async function pathsIn(place: World): Promise<Map<Endpoint, Values>> {
    forgetKept(place)
    const paths = new Map<Endpoint, Values>()
    for (const endpoint of endpoints) {
      if (!/^\/(projects|groups|runners)\/.*:/.test(`${endpoint.path}/`)) continue
      const { path = {} } = await exampleOf(endpoint)(place, 'owner')
      paths.set(endpoint, path)
    }
    return paths
  }

  it('of projects, groups and what is in them', { timeout: 180_000 }, async () => {
    const theirs = await pathsIn(other)
    const mine = await pathsIn(world)
    const differences: string[] = []
    for (const [endpoint, path] of theirs) {
      const own = mine.get(endpoint) ?? {}
      for (const [name, value] of Object.entries(path)) {
        // Numbers of issues count within their project, equal contents have one hash, everybody sees users, and that
        // there is a runner of a number is no secret.
        if (/_iid$|^user_id$|^runner_id$|^sha$/.test(name)) continue
        if (!endpoint.path.includes(`:${name}`) || !/^\d+$|^[0-9a-f]{40}$/.test(String(value)))
          continue
        const asked = (who: Who) => (given: Value) => ({
          ...{ endpoint, who },
          path: { ...(name === 'id' ? path : own), [name]: given },
        })
        const callers = name === 'id' ? (['anonymous', 'outsider'] as const) : ['owner' as const]
        for (const who of callers) {
          differences.push(...(await difference(asked(who), name, value)))
        }
      }
    }
    expect(differences).toEqual([])
  })
})

describe('addresses outside the API', () => {
  const gitAndPages = (path: string): [method: 'GET' | 'POST', url: string][] => [
    ['GET', `/${path}`],
    ['GET', `/${path}?go-get=1`],
    ['GET', `/${path}.git/info/refs?service=git-upload-pack`],
    ['GET', `/${path}.git/info/refs?service=git-receive-pack`],
    ['POST', `/${path}.git/git-upload-pack`],
    ['GET', `/${path}.wiki.git/info/refs?service=git-upload-pack`],
    ['POST', `/${path}.git/info/lfs/objects/batch`],
    ['GET', `/${path}.git/info/lfs/locks`],
    ['GET', `/${path}/-/raw/main/README.md`],
    ['GET', `/${path}/raw/main/README.md`],
    ['GET', `/${path}/-/archive/main/x.tar.gz`],
    ['GET', `/${path}/-/commit/main.diff`],
    ['GET', `/${path}/-/commit/main.patch`],
    ['GET', `/${path}/-/merge_requests/1.diff`],
    ['GET', `/${path}/-/badges/release.svg`],
    ['GET', `/${path}/badges/main/pipeline.svg`],
    ['GET', `/${path}/badges/main/coverage.svg`],
    ['GET', `/${path}/uploads/${'0'.repeat(32)}/a.png`],
    ['GET', `/${path}/-/releases`],
    ['GET', `/${path}/-/releases/permalink/latest`],
    ['GET', `/${path}/-/releases/v1/downloads/a`],
    ['GET', `/${path}/-/jobs/1/raw`],
    ['GET', `/${path}/-/jobs/1/artifacts/download`],
    ['GET', `/${path}/-/jobs/artifacts/main/download?job=build`],
    ['POST', `/${path}/alerts/notify.json`],
    ['POST', `/${path}/alerts/notify/x/0123456789abcdef.json`],
    ['POST', `/${path}/prometheus/alerts/notify.json`],
    ['GET', `/api/v4/resolve?path=${encodeURIComponent(`/${path}`)}`],
    ['GET', `/api/v4/resolve?path=${encodeURIComponent(`/${path}/-/issues/1`)}`],
    ['GET', `/api/v4/namespaces/${encodeURIComponent(path)}`],
    ['POST', `/api/graphql?query=${encodeURIComponent(`{project(fullPath:"${path}"){id}}`)}`],
  ]

  it.each(['anonymous', 'outsider', 'owner'] as const)('for %s', async (who) => {
    const { full_path } = other.projects.shut
    const nothing = `${full_path}-none`
    const ways: Record<string, string>[] =
      who === 'anonymous'
        ? [{}, { authorization: 'Bearer x' }]
        : [{ authorization: `Basic ${btoa(`${world.users[who].username}:${world.token(who)}`)}` }]
    const read = async ([method, url]: ['GET' | 'POST', string]) => {
      const isPost = method === 'POST'
      const answers = ways.map((way) =>
        world.app.server.inject({
          ...{ method, url, payload: isPost ? '{}' : undefined },
          headers: {
            ...{ host: 'bloomery.test', ...way },
            ...(isPost && { 'content-type': 'application/json' }),
          },
        }),
      )
      return (await Promise.all(answers)).map(({ statusCode, body, headers }) => {
        const text = decodeURIComponent(`${statusCode} ${body} ${headers.location ?? ''}`)
        return text.replaceAll(nothing, '<path>').replaceAll(full_path, '<path>')
      })
    }
    const seen = gitAndPages(full_path)
    const missing = gitAndPages(nothing)
    for (const [at, address] of seen.entries()) {
      const absent = missing[at]
      if (!absent) throw new Error('unreachable')
      expect([address, await read(address)]).toEqual([address, await read(absent)])
    }
  })
})

describe('what a rule about the project itself forgets', () => {
  it('a token in the place of a trigger’s tells nothing of a project', async () => {
    for (const token of ['x', newJobToken()]) {
      const start = async (id: Value) => {
        const answer = await world.as('anonymous').post(`/projects/${id}/trigger/pipeline`, {
          ...{ token, ref: 'main' },
        })
        return [answer.statusCode, answer.body]
      }
      expect(await start(hidden.project ?? 0)).toEqual(await start(absent_id))
    }
  })

  it('names of jobs, where who reads the code does not read pipelines', async () => {
    const group = world.groups.open
    const project = await newCiProject(world, { secret_job: { script: ['x'] } }, { group })
    const url = `/projects/${project.id}`
    await newPipeline(world, project)
    await world.as('owner').post(`${url}/statuses/main`, { state: 'success', name: 'elsewhere' })
    const head = (await world.as('owner').get(`${url}/repository/commits/main`)).json().id
    const names = async (who: Who) =>
      (await world.as(who).get(`${url}/repository/commits/${head}/statuses`))
        .json()
        .map(({ name }: { name: string }) => name)
    expect(await names('outsider')).toEqual(['secret_job', 'elsewhere'])
    await world.as('owner').put(url, { public_builds: false })
    expect(await names('outsider')).toEqual(['elsewhere'])
    expect(await names('reporter')).toEqual(['secret_job', 'elsewhere'])
  })

  it('titles of milestones, where there are neither issues nor merge requests to have them', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    const url = `/projects/${id}`
    await world.as('owner').post(`${url}/milestones`, { title: 'Secret plan' })
    const isTold = async (who: Who) =>
      (await world.as(who).get(`${url}/events`)).body.includes('Secret plan')
    expect(await isTold('outsider')).toBe(true)
    const access = (level: string) =>
      world.as('owner').put(url, { issues_access_level: level, merge_requests_access_level: level })
    await access('private')
    expect([await isTold('outsider'), await isTold('guest')]).toEqual([false, true])
    await access('disabled')
    expect(await isTold('guest')).toBe(false)
  })

  it('pipelines of a fork that the reader does not see', async () => {
    const config = { '.gitlab-ci.yml': JSON.stringify({ build: { script: ['x'] } }) }
    const { project } = await newBranches(world, {
      options: { group: world.groups.open },
      files: config,
    })
    const url = `/projects/${project.id}`
    const body = { namespace_id: world.groups.inside.id, path: `fork-${project.id}` }
    const fork = (await world.as('owner').post(`${url}/fork`, body)).json()
    await world.app.worker.drain()
    await world.as('owner').put(`/projects/${fork.id}`, { visibility: 'internal' })
    const request = await newRequest(
      world,
      { url: `/projects/${fork.id}/merge_requests` },
      {
        ...{ who: 'owner', target_project_id: project.id },
      },
    )
    const run = await world.as('owner').post(`/projects/${fork.id}/pipeline`, { ref: 'topic' })
    expect(run.statusCode).toBe(201)
    const at = `${url}/merge_requests/${request.iid}`
    const pipelines = async (who: Who) => {
      const listed = await world.as(who).get(`${at}/pipelines`)
      const shown = (await world.as(who).get(at)).json()
      const places = listed.json().map((one: { project_id: number }) => one.project_id)
      return [places.includes(fork.id), shown.pipeline?.project_id, shown.head_pipeline?.project_id]
    }
    expect(await pipelines('outsider')).toEqual([true, fork.id, fork.id])
    expect(await pipelines('anonymous')).toEqual([false, undefined, undefined])
  })
})
