import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { jobOf, newPipeline, storeFile, tellJob } from '../../../../test/kit/pipelines.ts'
import { newScannedProject } from '../../../../test/kit/scans.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { classifyLicenses } from './classify.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Report = { cyclonedx: unknown } | { license_scanning: unknown }

/** A pipeline whose jobs have reported this, the project, and the address of its licences. */
async function newScan(...reports: Report[]) {
  const names = ['first', 'second', 'third']
  const project = await newScannedProject(world, names)
  const { id } = await newPipeline(world, project)
  for (const [at, report] of reports.entries()) await reportAs(id, names[at] ?? '', report)
  return { project, id, url: `/projects/${project.id}/pipelines/${id}/licenses` }
}

async function reportAs(pipeline_id: number, name: string, report: Report) {
  await tellJob(world, await jobOf(world, pipeline_id, name), 'run')
  const [[file_type = '', content] = []] = Object.entries(report)
  const text = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const isSbom = file_type === 'cyclonedx'
  const file = { file_type, file_format: isSbom ? 'gzip' : 'raw', filename: 'r.json' }
  const job = await jobOf(world, pipeline_id, name)
  await storeFile(world, job, isSbom ? gzipSync(text) : text, file)
}

const component = (name: string, ...licenses: object[]) => ({
  type: 'library',
  name,
  version: '1',
  licenses,
})
const bill = (...components: object[]): Report => ({
  cyclonedx: { bomFormat: 'CycloneDX', specVersion: '1.6', components },
})
const byId = (id: string) => ({ license: { id } })
const byName = (name: string, more: object = {}) => ({ license: { name, ...more } })

async function manage(project: { id: number }, policies: Record<string, 'allowed' | 'denied'>) {
  const ids: Record<string, number> = {}
  for (const [name, approval_status] of Object.entries(policies)) {
    const body = { name, approval_status }
    const made = await world.as('maintainer').post(`/projects/${project.id}/managed_licenses`, body)
    ids[name] = made.json().id
  }
  return ids
}

async function list(url: string, query = '') {
  const answer = await world.as('reporter').get(`${url}${query}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, expect.any(Array)])
  return answer.json()
}

const open = { id: null, approval_status: 'unclassified' }

describe('The licences of a pipeline', () => {
  it('are those of its bills of materials, by name, with what has them and what the project says', async () => {
    const { project, url } = await newScan(
      bill(
        component('b', byId('MIT')),
        component('a', byName('The MIT License'), byName('Ours', { url: 'https://ours.test' })),
        component('c', { expression: 'MIT OR GPL-2.0-only' }),
        component('d', byName('apache 2.0')),
        component('a', byId('MIT')),
        component('e'),
        component('f', {}, byName(' '), byName('x'.repeat(256))),
      ),
    )
    const ids = await manage(project, { mit: 'allowed', 'Apache License 2.0': 'denied' })
    const answer = await world.as('reporter').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        {
          name: 'Apache License 2.0',
          spdx_identifier: 'Apache-2.0',
          url: expect.stringContaining('https://www.apache.org/licenses/'),
          dependencies_count: 1,
          dependencies: ['d'],
          classification: { id: ids['Apache License 2.0'], approval_status: 'denied' },
        },
        {
          name: 'MIT License',
          spdx_identifier: 'MIT',
          url: expect.stringContaining('https://'),
          dependencies_count: 2,
          dependencies: ['b', 'a'],
          classification: { id: ids.mit, approval_status: 'allowed' },
        },
        {
          name: 'MIT OR GPL-2.0-only',
          spdx_identifier: 'MIT OR GPL-2.0-only',
          url: null,
          dependencies_count: 1,
          dependencies: ['c'],
          classification: { id: ids.mit, approval_status: 'allowed' },
        },
        {
          name: 'Ours',
          spdx_identifier: null,
          url: 'https://ours.test',
          dependencies_count: 1,
          dependencies: ['a'],
          classification: open,
        },
      ],
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '4', 'x-page': '1', 'x-per-page': '20' })
    const summary = await world.as('reporter').get(`${url}/summary`)
    const counts = { allowed: 2, denied: 1, unclassified: 1 }
    expect([summary.statusCode, summary.json()]).toEqual([200, counts])
  })

  it.each([
    [
      '1.0',
      {
        licenses: [{ count: 1, name: 'MIT' }],
        dependencies: [
          { license: { name: 'MIT', url: 'https://m.test' }, dependency: { name: 'a' } },
          { license: { name: 'Ours' }, dependency: { name: 'b' } },
        ],
      },
    ],
    [
      '1.1',
      {
        version: '1.1',
        dependencies: [
          { licenses: [{ name: 'MIT', url: 'https://m.test' }], dependency: { name: 'a' } },
          { licenses: [{ name: 'Ours' }], dependency: { name: 'b' } },
          { licenses: [{ name: 'Ours' }] },
        ],
      },
    ],
    [
      '2.1',
      {
        version: '2.1',
        dependencies: [
          { name: 'a', version: '1', package_manager: 'npm', licenses: ['MIT'] },
          { name: 'b', licenses: ['ours'] },
          null,
        ],
        licenses: [
          { id: 'MIT', name: 'MIT License', url: 'https://m.test' },
          { id: 'ours', name: 'Ours' },
          7,
        ],
      },
    ],
  ])('are those of reports of version %s of licence scanners', async (_version, report) => {
    const { url } = await newScan({ license_scanning: report })
    const of = (name: string, dependency: string) => ({
      name,
      dependencies_count: 1,
      dependencies: [dependency],
      classification: open,
    })
    expect(await list(url)).toEqual([
      { ...of('MIT License', 'a'), spdx_identifier: 'MIT', url: 'https://m.test' },
      { ...of('Ours', 'b'), spdx_identifier: null, url: null },
    ])
  })

  it('of several reports are one list, and change with them', async () => {
    const { id, url } = await newScan(bill(component('a', byId('MIT'))), {
      license_scanning: { version: '2.1', dependencies: [{ name: 'b', licenses: ['MIT'] }] },
    })
    expect(await list(url)).toMatchObject([{ name: 'MIT License', dependencies: ['a', 'b'] }])
    await reportAs(id, 'third', bill(component('c', byId('ISC'))))
    expect(await list(url)).toMatchObject([{ name: 'ISC License' }, { name: 'MIT License' }])
    const { id: job_id, project_id } = await jobOf(world, id, 'third')
    await tellJob(world, await jobOf(world, id, 'third'), 'succeed')
    const path = `/projects/${project_id}/jobs/${job_id}/artifacts`
    expect((await world.as('maintainer').delete(path)).statusCode).toBe(204)
    expect(await list(url)).toMatchObject([{ name: 'MIT License' }])
  })

  it('have nothing of a report that is broken, and none where there is no report', async () => {
    const { url } = await newScan(
      { cyclonedx: '{"components":[{}' },
      bill(component('a', byId('MIT'))),
    )
    expect(await list(url)).toMatchObject([{ name: 'MIT License' }])
    const bare = await newScan()
    expect(await list(bare.url)).toEqual([])
    const summary = await world.as('reporter').get(`${bare.url}/summary`)
    expect(summary.json()).toEqual({ allowed: 0, denied: 0, unclassified: 0 })
  })

  it('tell the first names of many', async () => {
    const many = Array.from({ length: 30 }, (_, at) => component(`p${at}`, byId('MIT')))
    const { url } = await newScan(bill(...many))
    const [license] = await list(url)
    expect(license.dependencies_count).toBe(30)
    expect(license.dependencies).toHaveLength(limits.pipeline_licenses.dependencies_told_max)
    expect(license.dependencies[19]).toBe('p19')
  })

  it('are no more than may be kept', async () => {
    const many = Array.from({ length: 1100 }, (_, at) =>
      component('p', byName(`Licence ${at} of ours`)),
    )
    const { url } = await newScan(bill(...many))
    const answer = await world.as('reporter').get(`${url}?per_page=100&page=10`)
    expect(answer.json()).toHaveLength(100)
    expect(answer.headers['x-total']).toBe(String(limits.pipeline_licenses.licenses_max))
  })

  it('are looked for among so many of one report', async () => {
    const { listed_max } = limits.pipeline_licenses
    const licenses = Array.from({ length: listed_max + 1 }, (_, at) => ({
      id: `l${at}`,
      name: `Licence ${at}`,
    }))
    const dependencies = [listed_max - 1, listed_max].map((at) => ({
      name: 'p',
      licenses: [`l${at}`],
    }))
    const { url } = await newScan({ license_scanning: { version: '2.1', licenses, dependencies } })
    expect(await list(url)).toMatchObject([
      { name: `Licence ${listed_max - 1}` },
      { name: `l${listed_max}` },
    ])
  })

  it('are not replaced by those of another pipeline', async () => {
    const [one, other] = [
      await newScan(bill(component('a', byId('MIT')))),
      await newScan(bill(component('b', byId('ISC')))),
    ]
    for (const _ of [1, 2]) {
      expect(await list(one.url)).toMatchObject([{ name: 'MIT License', dependencies: ['a'] }])
      expect(await list(other.url)).toMatchObject([{ name: 'ISC License', dependencies: ['b'] }])
    }
  })

  it('are read once', async () => {
    const { url } = await newScan(bill(component('a', byId('MIT'))))
    await list(url)
    const again = await world.app.count(() => list(url))
    await list(url)
    expect(await world.app.count(() => list(url))).toEqual(again)
    expect(again.processes).toBe(0)
  })
})

describe('What a project says of a licence', () => {
  const statusOf = async (expression: string, policies: Record<string, 'allowed' | 'denied'>) => {
    const rows = Object.entries(policies).map(([name, approval_status], id) => ({
      id,
      name,
      approval_status,
    }))
    const license = { name: expression, spdx_identifier: expression }
    const [found] = await classifyLicenses([license], rows)
    return found?.classification.approval_status
  }
  const both = { MIT: 'allowed', 'GPL-3.0-only': 'denied' } as const

  it.each([
    ['MIT', { 'MIT License': 'allowed' }, 'allowed'],
    ['MIT', { mit: 'allowed' }, 'allowed'],
    ['MIT', { 'the mit licence': 'denied' }, 'denied'],
    ['MIT', { MIT: 'allowed', 'MIT License': 'denied' }, 'denied'],
    ['MIT', { 'MIT License': 'denied', MIT: 'allowed' }, 'denied'],
    ['MIT', { 'MIT-0': 'allowed' }, 'unclassified'],
    ['Apache-2.0', { 'The Apache Software License, Version 2.0': 'allowed' }, 'allowed'],
    ['Apache-2.0', { 'Apache License v2.0': 'allowed' }, 'allowed'],
    ['GPL-2.0', { 'GPL-2.0-only': 'denied' }, 'denied'],
    ['GPL-2.0+', { 'GPL-2.0-or-later': 'denied' }, 'denied'],
    ['MIT OR GPL-3.0-only', both, 'allowed'],
    ['GPL-3.0-only OR MIT', both, 'allowed'],
    ['GPL-3.0-only OR ISC', both, 'unclassified'],
    ['GPL-3.0-only OR GPL-3.0', both, 'denied'],
    ['MIT AND GPL-3.0-only', both, 'denied'],
    ['MIT AND ISC', both, 'unclassified'],
    ['MIT AND (MIT OR ISC)', both, 'allowed'],
    ['ISC OR (MIT AND GPL-3.0-only)', both, 'unclassified'],
    ['(MIT OR GPL-3.0-only)', both, 'allowed'],
    ['MIT OR GPL-3.0-only', { ...both, 'MIT OR GPL-3.0-only': 'denied' }, 'denied'],
    ['GPL-3.0-only WITH Classpath-exception-2.0', both, 'denied'],
    [
      'GPL-3.0-only WITH Classpath-exception-2.0',
      { ...both, 'GPL-3.0-only WITH Classpath-exception-2.0': 'allowed' },
      'allowed',
    ],
    ['Ours', { ours: 'allowed' }, 'allowed'],
    ['Ours AND', both, 'unclassified'],
    ['(MIT', both, 'allowed'],
    ['(MIT OR', both, 'unclassified'],
    ['ライセンス', { 許可: 'denied' }, 'unclassified'],
    ['constructor', both, 'unclassified'],
  ] as const)('of %s with %j is %s', async (expression, policies, status) => {
    expect(await statusOf(expression, policies)).toBe(status)
  })
})

describe('GET /projects/:id/pipelines/:pipeline_id/licenses', () => {
  it('filters by what the project says, and pages', async () => {
    const { project, url } = await newScan(
      bill(component('a', byId('MIT'), byId('ISC'), byId('0BSD'), byId('Zlib'))),
    )
    await manage(project, { MIT: 'allowed', ISC: 'denied', '0BSD': 'allowed' })
    const names = async (query: string) =>
      (await list(url, query)).map(({ name }: { name: string }) => name)
    expect(await names('?approval_status=allowed')).toEqual([
      'BSD Zero Clause License',
      'MIT License',
    ])
    expect(await names('?approval_status=denied')).toEqual(['ISC License'])
    expect(await names('?approval_status=unclassified')).toEqual(['zlib License'])
    const answer = await world
      .as('reporter')
      .get(`${url}?approval_status=allowed&per_page=1&page=2`)
    expect(answer.json()).toMatchObject([{ name: 'MIT License' }])
    expect(answer.headers).toMatchObject({ 'x-total': '2', 'x-page': '2', 'x-total-pages': '2' })
  })

  it.each(['', '/summary'])('%s answers whoever may read pipelines', async (path) => {
    const pipelines = await Promise.all(
      (['open', 'shut'] as const).map(async (place) => {
        const group = world.groups[place]
        const visibility = place === 'open' ? ('public' as const) : ('private' as const)
        const project = await newScannedProject(world, ['scan'], { group, visibility })
        const { id } = await newPipeline(world, project)
        return [place, `/projects/${project.id}/pipelines/${id}/licenses${path}`] as const
      }),
    )
    const urls = Object.fromEntries(pipelines)
    for (const [who, place, status] of [
      ['anonymous', 'open', 200],
      ['outsider', 'open', 200],
      ['anonymous', 'shut', 404],
      ['outsider', 'shut', 404],
      ['guest', 'shut', 403],
      ['reporter', 'shut', 200],
    ] as const) {
      const answer = await world.as(who).get(urls[place] ?? '')
      expect([who, place, answer.statusCode]).toEqual([who, place, status])
    }
  })

  it.each(['', '/summary'])('%s refuses what is no pipeline of the project', async (path) => {
    const { project, id } = await newScan()
    const other = await world.newProject()
    const reporter = world.as('reporter')
    const missing = await reporter.get(`/projects/${other.id}/pipelines/${id}/licenses${path}`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
    const bad = await reporter.get(`/projects/${project.id}/pipelines/x/licenses${path}`)
    expect([bad.statusCode, bad.json()]).toEqual([400, { error: 'pipeline_id is invalid' }])
  })

  it('refuses a status that is none', async () => {
    const { url } = await newScan()
    const answer = await world.as('reporter').get(`${url}?approval_status=approved`)
    const body = { error: 'approval_status does not have a valid value' }
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })

  it('is an unknown route below ultimate', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    for (const path of ['licenses', 'licenses/summary']) {
      const answer = await app.client(rootToken).get(`/projects/1/pipelines/1/${path}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    }
    await app.close()
  })
})
