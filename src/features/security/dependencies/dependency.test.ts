import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { jobOf, newPipeline, storeFile, tellJob } from '../../../../test/kit/pipelines.ts'
import { newScannedProject } from '../../../../test/kit/scans.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import type { PipelineRequest } from '../../delivery/pipeline-creation/pipeline-request.ts'
import { dependencyTasks } from './dependency.tasks.ts'
import { ensureDependencyList } from './ensure-dependency-list.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Options = Parameters<World['newProject']>[0]
type Reports = Partial<Record<'dependency_scanning' | 'cyclonedx', unknown>>

const newProject = (options?: Options) => newScannedProject(world, ['scan', 'bom'], options)
const urlOf = ({ id }: Pick<Project, 'id'>) => `/projects/${id}/dependencies`

async function list(project: Pick<Project, 'id'>, query = '') {
  const answer = await world.as('developer').get(`${urlOf(project)}${query}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, expect.any(Array)])
  return answer.json()
}
const names = async (project: Pick<Project, 'id'>, query = '') =>
  (await list(project, query)).map(({ name, version }: Record<string, string>) =>
    version === null ? name : `${name} ${version}`,
  )

/** A pipeline of the main branch whose jobs have made these reports, and ended so. */
async function runScan(
  project: Project,
  reports: Reports,
  { event = 'succeed', ...request }: Partial<PipelineRequest> & { event?: 'succeed' | 'drop' } = {},
) {
  const pipeline = await newPipeline(world, project, request)
  await report(pipeline.id, reports)
  for (const name of ['scan', 'bom'])
    await tellJob(world, await jobOf(world, pipeline.id, name), event)
  return pipeline
}

async function report(pipeline_id: number, reports: Reports) {
  for (const [name, file_type] of [
    ['scan', 'dependency_scanning'],
    ['bom', 'cyclonedx'],
  ] as const) {
    const given = reports[file_type]
    await tellJob(world, await jobOf(world, pipeline_id, name), 'run')
    if (given === undefined) continue
    const plain = Buffer.isBuffer(given) ? given : Buffer.from(JSON.stringify(given))
    const isSbom = file_type === 'cyclonedx'
    const content = isSbom && plain === given ? plain : isSbom ? gzipSync(plain) : plain
    const file = { file_type, file_format: isSbom ? 'gzip' : 'raw', filename: 'report.json' }
    await storeFile(world, await jobOf(world, pipeline_id, name), content, file)
  }
}

const scanned = (name: string, version?: string) => ({ package: { name }, version })
const scanOf = (...dependencies: unknown[]) => ({
  version: '14.1.2',
  vulnerabilities: [],
  dependency_files: [{ path: 'yarn.lock', package_manager: 'yarn', dependencies }],
})
const flaw = (fields: object) => ({
  identifiers: [
    { type: 'gemnasium', name: 'Gemnasium-1', value: '1' },
    { type: 'CVE', name: 'CVE-2020-1', value: 'CVE-2020-1' },
  ],
  location: { file: 'yarn.lock', dependency: scanned('lodash', '4.17.20') },
  ...fields,
})
const library = (name: string, version: string, fields: object = {}) => ({
  type: 'library',
  name,
  version,
  ...fields,
})
const billOf = (...components: unknown[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.4',
  version: 1,
  components,
})

describe('The dependencies of a project', () => {
  it('are what the report of a pipeline has found, by name, version and file', async () => {
    const project = await newProject()
    const { dependency_files } = scanOf(
      scanned('lodash', '4.17.20'),
      scanned('debug', '4.0.0'),
      scanned('lodash', '3.0.0'),
      scanned('debug', '4.0.0'),
      { package: {}, version: '1' },
      null,
    )
    await runScan(project, {
      dependency_scanning: {
        version: '15.0.0',
        dependency_files: [
          ...dependency_files,
          { path: 'Gemfile.lock', package_manager: 'Bundler', dependencies: [scanned('Rack')] },
          {
            path: 'b/yarn.lock',
            package_manager: 'yarn',
            dependencies: [scanned('debug', '4.0.0')],
          },
        ],
        vulnerabilities: [],
      },
    })
    const answer = await world.as('developer').get(urlOf(project))
    const at = (name: string, version: string | null, dependency_file_path: string) => ({
      name,
      version,
      package_manager: dependency_file_path === 'Gemfile.lock' ? 'bundler' : 'yarn',
      dependency_file_path,
      licenses: [],
      vulnerabilities: [],
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        at('Rack', null, 'Gemfile.lock'),
        at('debug', '4.0.0', 'b/yarn.lock'),
        at('debug', '4.0.0', 'yarn.lock'),
        at('lodash', '3.0.0', 'yarn.lock'),
        at('lodash', '4.17.20', 'yarn.lock'),
      ],
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '5', 'x-page': '1', 'x-per-page': '20' })
  })

  it('tell Developers what is known to be wrong with them, and nobody below', async () => {
    const project = await newProject({ visibility: 'public', group: world.groups.open })
    const { dependency_files } = scanOf(scanned('lodash', '4.17.20'), scanned('debug', '4.0.0'))
    await runScan(project, {
      dependency_scanning: {
        version: '14.0.0',
        vulnerabilities: [
          flaw({ message: 'Prototype pollution', name: 'Pollution', severity: 'High' }),
          flaw({ name: 'Command injection', severity: 'Terrible' }),
          flaw({
            severity: 'Critical',
            location: { file: 'yarn.lock', dependency: scanned('lodash') },
          }),
          flaw({
            message: 'Of another version',
            location: { file: 'yarn.lock', dependency: scanned('lodash', '1.0.0') },
          }),
          flaw({
            message: 'In another file',
            location: { file: 'a/yarn.lock', dependency: scanned('lodash') },
          }),
          flaw({ message: 'Nowhere', location: {} }),
          'nonsense',
        ],
        dependency_files,
      },
    })
    const vulnerabilities = [
      { name: 'Prototype pollution', severity: 'high' },
      { name: 'Command injection', severity: 'unknown' },
      { name: 'CVE-2020-1 in yarn.lock', severity: 'critical' },
    ]
    expect(await list(project)).toMatchObject([
      { name: 'debug', vulnerabilities: [] },
      { name: 'lodash', vulnerabilities },
    ])
    for (const who of ['reporter', 'guest', 'outsider'] as const) {
      const seen = (await world.as(who).get(urlOf(project))).json()
      expect(seen, who).toEqual([
        {
          name: 'debug',
          version: '4.0.0',
          package_manager: 'yarn',
          dependency_file_path: 'yarn.lock',
          licenses: [],
        },
        {
          name: 'lodash',
          version: '4.17.20',
          package_manager: 'yarn',
          dependency_file_path: 'yarn.lock',
          licenses: [],
        },
      ])
    }
  })

  it('tell nobody what is wrong with them where the project has that switched off', async () => {
    const project = await newProject()
    await runScan(project, { dependency_scanning: scanOf(scanned('lodash', '4.17.20')) })
    const body = { security_and_compliance_access_level: 'disabled' }
    expect((await world.as('owner').put(`/projects/${project.id}`, body)).statusCode).toBe(200)
    const [seen] = (await world.as('owner').get(urlOf(project))).json()
    expect(Object.keys(seen)).toEqual([
      'name',
      'version',
      'package_manager',
      'dependency_file_path',
      'licenses',
    ])
  })

  it('tell no more than may be told of one', async () => {
    const project = await newProject()
    const { dependency_files } = scanOf(scanned('lodash', '4.17.20'), scanned('lodash', '1.0.0'))
    const many = Array.from({ length: 300 }, (_, at) =>
      flaw({ name: `Flaw ${at}`, severity: 'Low' }),
    )
    await runScan(project, {
      dependency_scanning: {
        version: '14.0.0',
        vulnerabilities: [...many, ...many],
        dependency_files,
      },
    })
    const [older, newer] = await list(project)
    expect(older.vulnerabilities).toEqual([])
    expect(newer.vulnerabilities).toHaveLength(limits.dependencies.vulnerabilities_of_one_max)
    expect(new Set(newer.vulnerabilities.map(({ name }: { name: string }) => name)).size).toBe(200)
  })

  it('come from bills of materials as well', async () => {
    const project = await newProject()
    await runScan(project, {
      cyclonedx: {
        ...billOf(
          library('core', '7.1.0', {
            group: '@babel',
            purl: 'pkg:npm/%40babel/core@7.1.0',
            'bom-ref': 'a',
            components: [library('inner', '1.0.0')],
          }),
          library('rack', '2.0.0', { purl: 'pkg:gem/rack@2.0.0' }),
          library('six', '1.16.0', {
            purl: 'pkg:pypi/six@1.16.0',
            properties: [
              { name: 'gitlab:dependency_scanning:input_file:path', value: 'Pipfile.lock' },
              { name: 'service:dependency_scanning:package_manager:name', value: 'Pipenv' },
            ],
          }),
          library('unversioned', '', { purl: 'pkg:cargo/unversioned' }),
          { type: 'application', name: 'own', version: '1' },
          { type: 'library', version: '1' },
          library('x'.repeat(256), '1'),
        ),
        metadata: {
          properties: [
            { name: 'gitlab:dependency_scanning:input_file', value: 'package-lock.json' },
            { name: 'gitlab:dependency_scanning:category', value: 'development' },
          ],
        },
        vulnerabilities: [
          {
            id: 'CVE-2021-1',
            ratings: [{ severity: 'none' }, { severity: 'HIGH' }],
            affects: [{ ref: 'a' }],
          },
          { id: 'CVE-2021-2', affects: [{ ref: 'a' }, { ref: 'missing' }] },
          { id: 'CVE-2021-3', affects: [] },
        ],
      },
      dependency_scanning: scanOf(scanned('lodash', '4.17.20')),
    })
    const of = (name: string, version: string | null, package_manager: string | null) => ({
      name,
      version,
      package_manager,
      dependency_file_path: 'package-lock.json',
      licenses: [],
      vulnerabilities: [],
    })
    expect(await list(project)).toEqual([
      {
        ...of('@babel/core', '7.1.0', 'npm'),
        vulnerabilities: [
          { name: 'CVE-2021-1', severity: 'high' },
          { name: 'CVE-2021-2', severity: 'unknown' },
        ],
      },
      of('inner', '1.0.0', null),
      { ...of('lodash', '4.17.20', 'yarn'), dependency_file_path: 'yarn.lock' },
      of('rack', '2.0.0', 'bundler'),
      { ...of('six', '1.16.0', 'pipenv'), dependency_file_path: 'Pipfile.lock' },
      of('unversioned', null, 'cargo'),
    ])
  })

  it('tell their licences, by the names of SPDX where these are known', async () => {
    const project = await newProject()
    const bill = billOf(
      library('a', '1', { licenses: [{ license: { id: 'MIT' } }] }),
      library('b', '1', { licenses: [{ expression: 'MIT OR Apache-2.0' }] }),
      library('c', '1', {
        licenses: [{ license: { name: 'Our own', url: 'https://x.test/own' } }, null],
      }),
      library('d', '1'),
    )
    await runScan(project, { cyclonedx: bill })
    const listed = await list(project)
    expect(listed.map(({ licenses }: { licenses: unknown }) => licenses)).toEqual([
      [{ name: 'MIT License', url: expect.stringContaining('http') }],
      [{ name: 'MIT OR Apache-2.0', url: null }],
      [{ name: 'Our own', url: 'https://x.test/own' }],
      [],
    ])
  })

  it('are listed by their worst vulnerability for those who may read these', async () => {
    const project = await newProject()
    const bill = {
      ...billOf(...['a', 'b', 'c', 'd'].map((name) => library(name, '1', { 'bom-ref': name }))),
      vulnerabilities: [
        { id: 'CVE-1', ratings: [{ severity: 'low' }], affects: [{ ref: 'b' }, { ref: 'd' }] },
        { id: 'CVE-2', ratings: [{ severity: 'critical' }], affects: [{ ref: 'd' }] },
      ],
    }
    await runScan(project, { cyclonedx: bill })
    expect(await names(project)).toEqual(['a 1', 'b 1', 'c 1', 'd 1'])
    expect(await names(project, '?order_by=severity')).toEqual(['d 1', 'b 1', 'a 1', 'c 1'])
    expect(await names(project, '?order_by=severity&per_page=1&page=2')).toEqual(['b 1'])
    const seen = await world.as('reporter').get(`${urlOf(project)}?order_by=severity`)
    expect(seen.json().map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are found by a part of their names', async () => {
    const project = await newProject()
    await runScan(project, { cyclonedx: billOf(library('left-pad', '1'), library('lodash', '4')) })
    expect(await names(project, '?search=PAD')).toEqual(['left-pad 1'])
    expect(await names(project, '?search=%25')).toEqual([])
    expect(await names(project, '?search=')).toEqual(['left-pad 1', 'lodash 4'])
  })

  it.each(['1.4', '1.5', '1.6', '1.7'])('come from bills of version %s', async (specVersion) => {
    const project = await newProject()
    await runScan(project, { cyclonedx: { ...billOf(library('a', '1')), specVersion } })
    expect(await list(project)).toEqual([
      {
        name: 'a',
        version: '1',
        package_manager: null,
        dependency_file_path: null,
        licenses: [],
        vulnerabilities: [],
      },
    ])
  })

  it.each([
    [
      'of an older version',
      { cyclonedx: { ...billOf(library('a', '1')), specVersion: '1.3' } },
      'Unsupported CycloneDX spec version. Must be one of: 1.4, 1.5, 1.6, 1.7',
    ],
    [
      'of a version that is no text',
      { cyclonedx: { ...billOf(library('a', '1')), specVersion: { toString: null } } },
      'Unsupported CycloneDX spec version. Must be one of: 1.4, 1.5, 1.6, 1.7',
    ],
    ['that is XML', { cyclonedx: gzipSync('<bom/>') }, 'JSON parsing failed'],
    [
      'that is cut',
      { cyclonedx: gzipSync('{"components":[').subarray(0, 12) },
      'The report cannot be unpacked',
    ],
    [
      'that unpacks to far too much',
      { cyclonedx: gzipSync(Buffer.alloc(limits.reports.bytes_max + 1, ' ')) },
      'The report is too large',
    ],
    [
      'whose end is missing',
      { dependency_scanning: Buffer.from(JSON.stringify(scanOf(scanned('b', '1'))).slice(0, -1)) },
      'JSON parsing failed',
    ],
    ['that is a list', { dependency_scanning: [] }, 'Invalid report format'],
  ])('have nothing of a report %s, which says why', async (_what, broken, error) => {
    const project = await newProject({ files: { 'Gemfile.lock': '    c (1)\n' } })
    const good: Reports =
      'cyclonedx' in broken
        ? { dependency_scanning: scanOf(scanned('good', '1')) }
        : { cyclonedx: billOf(library('good', '1')) }
    const { id } = await runScan(project, { ...good, ...broken })
    expect(await names(project)).toEqual(['good 1'])
    const jobs = (
      await world.as('developer').get(`/projects/${project.id}/pipelines/${id}/jobs`)
    ).json()
    const errors = jobs.flatMap(({ artifacts }: { artifacts: { report_error?: string }[] }) =>
      artifacts.flatMap(({ report_error }) => report_error ?? []),
    )
    expect(errors).toEqual([error])
  })

  it('come from so many files and references of one report', async () => {
    const { scanned_files_max, refs_max } = limits.dependencies
    const { dependency_files } = scanOf(scanned('late', '1'))
    const files = [...Array(scanned_files_max - 1).fill({}), ...dependency_files]
    const project = await newProject()
    await runScan(project, { dependency_scanning: { ...scanOf(), dependency_files: files } })
    expect(await names(project)).toEqual(['late 1'])
    await runScan(project, {
      dependency_scanning: { ...scanOf(), dependency_files: [{}, ...files] },
      cyclonedx: {
        ...billOf(library('a', '1', { 'bom-ref': 'a' })),
        vulnerabilities: Array.from({ length: refs_max / 1000 + 1 }, (_, at) => ({
          id: `CVE-${at}`,
          affects: Array(at === 1 ? 999 : 1000).fill({ ref: at < 2 || at > 998 ? 'a' : 'b' }),
        })),
      },
    })
    const [{ name, vulnerabilities }, ...others] = await list(project)
    const told = vulnerabilities.map((one: { name: string }) => one.name)
    expect([name, told, others]).toEqual(['a', ['CVE-0', 'CVE-1', 'CVE-999'], []])
  })

  it('come from the newest successful pipeline of the default branch that has reports', async () => {
    const project = await newProject()
    await world.commit(project, { a: '1' }, { branch: 'other', start_branch: 'main' })
    const scan = (name: string) => ({ dependency_scanning: scanOf(scanned(name)) })
    await runScan(project, scan('first'))
    await runScan(project, scan('second'))
    await runScan(project, scan('of another branch'), { ref: 'other' })
    await runScan(project, scan('of a failed pipeline'), { event: 'drop' })
    await runScan(project, {})
    expect(await names(project)).toEqual(['second'])
    await runScan(project, scan('third'))
    expect(await names(project)).toEqual(['third'])
  })

  it('do not come from a pipeline of a tag, of a merge request or of another pipeline', async () => {
    const project = await newProject()
    await world.commit(project, { a: '1' }, { branch: 'topic', start_branch: 'main' })
    const body = { title: 'Topic', source_branch: 'topic', target_branch: 'main' }
    await world.as('developer').post(`/projects/${project.id}/merge_requests`, body)
    const request = await world.app.db
      .selectFrom('merge_requests')
      .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
      .select('issuables.id')
      .where('issuables.project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const scan = (name: string) => ({ dependency_scanning: scanOf(scanned(name)) })
    const first = await runScan(project, scan('of the branch'))
    for (const origin of [
      { tag: true },
      { merge_request_id: request.id },
      { parent_id: first.id },
    ]) {
      const { id } = await runScan(project, scan('of something else'))
      await world.app.db.updateTable('pipelines').set(origin).where('id', '=', id).execute()
      expect(await names(project)).toEqual(['of the branch'])
    }
  })

  it('come from the job that counts', async () => {
    const project = await newProject()
    const { id } = await runScan(project, { dependency_scanning: scanOf(scanned('before')) })
    expect(await names(project)).toEqual(['before'])
    const { id: job_id } = await jobOf(world, id, 'scan')
    const retried = await world.as('owner').post(`/projects/${project.id}/jobs/${job_id}/retry`)
    expect(retried.statusCode).toBe(201)
    const job = await jobOf(world, id, 'scan')
    await tellJob(world, job, 'run')
    const file = { file_type: 'dependency_scanning', file_format: 'raw', filename: 'r.json' }
    const text = Buffer.from(JSON.stringify(scanOf(scanned('after'))))
    await storeFile(world, await jobOf(world, id, 'scan'), text, file)
    await tellJob(world, await jobOf(world, id, 'scan'), 'succeed')
    expect(await names(project)).toEqual(['after'])
  })

  it('are those of the lock files of the default branch where no pipeline tells', async () => {
    const project = await world.newProject({
      files: {
        'Gemfile.lock': 'GEM\n  specs:\n    rack (2.2.3)\n',
        'web/yarn.lock': 'rack@^1.0.0:\n  version "1.0.0"\n\ndebug@^4.1.0:\n  version "4.1.1"\n',
        'web/node_modules/a/yarn.lock': 'b@^1.0.0:\n  version "1.0.0"\n',
        'vendor/Gemfile.lock': 'GEM\n  specs:\n    vendored (1)\n',
        'pom.xml': '<project><dependencies>',
      },
    })
    await world.commit(
      project,
      { 'go.sum': 'a v1 h1:0=\n' },
      { branch: 'other', start_branch: 'main' },
    )
    const of = (name: string, version: string, package_manager: string, path: string) => ({
      name,
      version,
      package_manager,
      dependency_file_path: path,
      licenses: [],
      vulnerabilities: [],
    })
    expect(await list(project)).toEqual([
      of('debug', '4.1.1', 'yarn', 'web/yarn.lock'),
      of('rack', '1.0.0', 'yarn', 'web/yarn.lock'),
      of('rack', '2.2.3', 'bundler', 'Gemfile.lock'),
    ])
    await world.commit(project, { 'Gemfile.lock': null, 'web/yarn.lock': null })
    expect(await names(project)).toEqual([])
    await world.commit(project, { 'Gemfile.lock': 'GEM\n  specs:\n    rack (3.0.0)\n' })
    expect(await names(project)).toEqual(['rack 3.0.0'])
  })

  it('that are many in a large file are all there', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 15_000 }, (_, at) => [
        `node_modules/package-${at}`,
        {
          version: `1.${at}.0`,
          resolved: `https://registry.test/package-${at}.tgz`,
          license: 'MIT',
        },
      ]),
    )
    const lock = JSON.stringify({ lockfileVersion: 3, packages })
    expect(lock.length).toBeGreaterThan(limits.cached_blob_bytes)
    const project = await world.newProject({ files: { 'package-lock.json': lock } })
    const answer = await world.as('developer').get(`${urlOf(project)}?per_page=100&page=150`)
    expect(answer.json()).toHaveLength(100)
    expect(answer.headers['x-total']).toBeUndefined()
    expect(await list(project, '?per_page=100&page=151')).toEqual([])
  })

  it('of a project without any are none', async () => {
    const empty = await world.newProject()
    const bare = (await world.as('owner').post('/projects', { name: `bare-${empty.id}` })).json()
    for (const { id } of [empty, bare]) {
      const answer = await world.as('owner').get(urlOf({ id }))
      expect([answer.statusCode, answer.json()]).toEqual([200, []])
      expect(answer.headers['x-total']).toBe('0')
    }
  })
})

describe('GET /projects/:id/dependencies', () => {
  const files = {
    'Gemfile.lock': 'GEM\n  specs:\n    a (1)\n    b (1)\n',
    'go.sum': 'c v1 h1:0=\n',
    'yarn.lock': 'd@1:\n  version "1"\n',
  }

  it.each([
    ['?package_manager=bundler', ['a 1', 'b 1']],
    ['?package_manager=yarn,go', ['c v1', 'd 1']],
    ['?package_manager[]=bundler&package_manager[]=go', ['a 1', 'b 1', 'c v1']],
    ['?package_manager=npm', []],
    ['?package_manager=', ['a 1', 'b 1', 'c v1', 'd 1']],
  ])('with %s', async (query, found) => {
    const project = await world.newProject({ files })
    expect(await names(project, query)).toEqual(found)
  })

  it('pages', async () => {
    const project = await world.newProject({ files })
    const answer = await world.as('developer').get(`${urlOf(project)}?per_page=3&page=2`)
    expect(answer.json()).toMatchObject([{ name: 'd' }])
    expect(answer.headers).toMatchObject({
      'x-total': '4',
      'x-total-pages': '2',
      'x-page': '2',
      'x-prev-page': '1',
      'x-next-page': '',
    })
  })

  it.each([
    ['package_manager=cargo', { error: 'package_manager does not have a valid value' }],
    ['package_manager=npm,Yarn', { error: 'package_manager does not have a valid value' }],
    [
      'package_manager[]=pip&package_manager[]=',
      { error: 'package_manager does not have a valid value' },
    ],
    ['page=a', { error: 'page is invalid' }],
  ])('refuses %s', async (query, body) => {
    const project = await world.newProject()
    const answer = await world.as('developer').get(`${urlOf(project)}?${query}`)
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 200],
    ['guest', 'open', 200],
    ['anonymous', 'shut', 401],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the project %s sees with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.projects[place]))
    expect(answer.statusCode).toBe(status)
  })

  it('checks parameters before it looks for the project', async () => {
    const answer = await world.as('outsider').get('/projects/0/dependencies?package_manager=x')
    expect(answer.statusCode).toBe(400)
  })

  it('asks the database the same few times, however many there are', async () => {
    const count = async (rows: number) => {
      const lines = Array.from({ length: rows }, (_, at) => `    p${at} (1)`).join('\n')
      const content = `GEM\n  specs:\n${lines}\n`
      const project = await world.newProject({ files: { 'Gemfile.lock': content } })
      await list(project)
      return world.app.count(() => list(project))
    }
    const few = await count(25)
    expect(few.processes).toBe(0)
    expect(await count(500)).toEqual(few)
  })

  it('is an unknown route below ultimate', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    const answer = await app.client(rootToken).get('/projects/1/dependencies')
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    await app.close()
  })
})

describe('The list of dependencies', () => {
  const lists = (project: Project) =>
    world.app.db
      .selectFrom('dependency_lists')
      .select(['id', 'source', 'ready_at'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()

  it('is ready before anybody asks where a pipeline of the default branch has reports', async () => {
    const project = await newProject()
    await world.commit(project, { a: '1' }, { branch: 'other', start_branch: 'main' })
    await runScan(project, { dependency_scanning: scanOf(scanned('a')) }, { ref: 'other' })
    expect(await lists(project)).toEqual([])
    await runScan(project, { dependency_scanning: scanOf(scanned('b')) })
    expect(await lists(project)).toMatchObject([{ ready_at: expect.any(String) }])
    expect(await names(project)).toEqual(['b'])
    expect(await lists(project)).toHaveLength(1)
  })

  it('is made once, however many ask for it', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => names(project)))
    expect(answers).toEqual(Array(5).fill(['d 1']))
    expect(await lists(project)).toHaveLength(1)
  })

  it('replaces the one before, which is removed once nobody reads it', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    await list(project)
    await world.commit(project, { 'go.sum': 'e v2 h1:0=\n' })
    expect(await names(project)).toEqual(['d 1', 'e v2'])
    const [before, after] = await lists(project)
    expect(after).toBeDefined()
    const other = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    await list(other)
    const created_at = world.app.clock.now().toISOString()
    const unfinished = { project_id: project.id, source: 'x', created_at, ready_at: null }
    await world.app.db.insertInto('dependency_lists').values(unfinished).execute()
    world.app.clock.advance(61_000)
    await world.app.worker.drain()
    expect(await lists(project)).toMatchObject([after, { source: 'x', ready_at: null }])
    expect(await lists(other)).toHaveLength(1)
    const rows = world.app.db
      .selectFrom('dependencies')
      .select('id')
      .where('list_id', '=', before?.id ?? 0)
    expect(await rows.execute()).toEqual([])
    expect(await names(project)).toEqual(['d 1', 'e v2'])
  })

  it('stays as it is after a push that changes no lock file', async () => {
    const files = { 'a/yarn.lock': 'd@1:\n  version "1"\n', 'b/c.txt': '1' }
    const project = await world.newProject({ files })
    await list(project)
    const [before] = await lists(project)
    await world.commit(project, { 'a/b.txt': '1', 'b/c.txt': null, 'e/f.txt': '2' })
    await world.app.worker.drain()
    const [after, ...others] = await lists(project)
    expect(others).toEqual([])
    expect(after).toEqual({ ...before, source: expect.stringMatching(/^commit:[0-9a-f]{40}$/) })
    expect(after?.source).not.toBe(before?.source)
    expect(await names(project)).toEqual(['d 1'])
    expect(await lists(project)).toEqual([after])
  })

  it.each([
    ['is added in a new folder', { 'e/go.sum': 'e v2 h1:0=\n' }, ['d 1', 'e v2']],
    ['is removed', { 'a/yarn.lock': null }, []],
    ['becomes a folder', { 'a/yarn.lock': null, 'a/yarn.lock/x': '1' }, []],
  ])('is made anew after a push by which a lock file %s', async (_case, change, found) => {
    const files = { 'a/yarn.lock': 'd@1:\n  version "1"\n', 'b.txt': '1' }
    const project = await world.newProject({ files })
    await list(project)
    const [before] = await lists(project)
    await world.commit(project, change as Record<string, string | null>)
    await world.app.worker.drain()
    const [, after] = await lists(project)
    expect(after?.id).toBeGreaterThan(before?.id ?? 0)
    expect(await names(project)).toEqual(found)
  })

  it('is made anew after a push that changes a lock file', async () => {
    const project = await world.newProject({ files: { 'a/yarn.lock': 'd@1:\n  version "1"\n' } })
    await list(project)
    const content = 'd@2:\n  version "2"\n'
    const file = `/projects/${project.id}/repository/files/a%2Fyarn.lock`
    const change = { branch: 'main', content, commit_message: 'Update d' }
    const { statusCode } = await world.as('owner').put(file, change)
    expect(statusCode).toBe(200)
    await world.app.worker.drain()
    expect(await lists(project)).toHaveLength(2)
    expect(await names(project)).toEqual(['d 2'])
  })

  it('is made anew after a push that changes more folders than are compared', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    await list(project)
    const given = limits.dependencies as { compared_folders_max: number }
    const { compared_folders_max } = given
    given.compared_folders_max = 2
    try {
      await world.commit(project, { 'a/b': '1', 'c/d': '1' })
      await world.app.worker.drain()
    } finally {
      given.compared_folders_max = compared_folders_max
    }
    expect(await lists(project)).toHaveLength(2)
    expect(await names(project)).toEqual(['d 1'])
  })

  it('that was left half written is not shown, made anew, and removed', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    await list(project)
    const { db, git, config, clock } = world.app
    const uses = { db, git, config, clock: clock.now }
    await db
      .updateTable('dependency_lists')
      .set({ ready_at: null })
      .where('project_id', '=', project.id)
      .execute()
    await db.deleteFrom('dependencies').where('name', '=', 'd').execute()
    expect(await names(project)).toEqual(['d 1'])
    expect(await lists(project)).toHaveLength(2)
    const sweep = dependencyTasks.find((task) => task.name === 'remove-unfinished-dependency-lists')
    await sweep?.run(uses, {} as never)
    expect(await lists(project)).toHaveLength(2)
    world.app.clock.advance(2 * limits.dependencies.build_ms)
    await sweep?.run(uses, {} as never)
    expect(await lists(project)).toMatchObject([{ ready_at: expect.any(String) }])
  })

  it('of two that are made at once is the one that is ready first', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    const { db, git, config, clock } = world.app
    const uses = { db, git, config, clock: clock.now }
    const { objects } = git
    const rival = { ready: 0 }
    // Another server is done while this one reads.
    const meanwhile = Object.assign(Object.create(objects), {
      info: objects.info.bind(objects),
      commit: objects.commit.bind(objects),
      async wholeBlob(...given: Parameters<typeof objects.wholeBlob>) {
        const { id: project_id } = project
        const commit = await world
          .as('owner')
          .get(`/projects/${project_id}/repository/commits/main`)
        const now = clock.now().toISOString()
        const source = `commit:${commit.json().id}`
        const row = { project_id, source, created_at: now, ready_at: now }
        const made = db.insertInto('dependency_lists').values(row).returning('id')
        rival.ready = (await made.executeTakeFirstOrThrow()).id
        return objects.wholeBlob(...given)
      },
    })
    const made = await ensureDependencyList(
      { ...uses, git: { ...git, objects: meanwhile } },
      project,
    )
    expect(made).toBe(rival.ready)
    expect(await lists(project)).toMatchObject([{ id: rival.ready }])
  })

  it('goes with its project', async () => {
    const project = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    const other = await world.newProject({ files: { 'yarn.lock': 'd@1:\n  version "1"\n' } })
    for (const one of [project, other]) await list(one)
    await world.as('owner').delete(`/projects/${project.id}`)
    await world.app.worker.drain()
    expect(await lists(project)).toEqual([])
    expect(await lists(other)).toMatchObject([{ ready_at: expect.any(String) }])
  })
})
