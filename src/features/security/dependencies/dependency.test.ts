import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  storeFile,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const ci = { scan: { script: 'true' }, bom: { script: 'true' } }
const urlOf = ({ id }: Pick<Project, 'id'>) => `/projects/${id}/dependencies`
const list = async (project: Pick<Project, 'id'>, query = '') => {
  const answer = await world.as('developer').get(`${urlOf(project)}${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

type Reports = Partial<Record<'dependency_scanning' | 'cyclonedx', object | string>>

/** A pipeline of the project's main branch whose job has made these reports, and ends so. */
async function runScan(
  project: Project,
  reports: Reports,
  { event = 'succeed', ref = 'main' }: { event?: 'succeed' | 'drop'; ref?: string } = {},
) {
  const pipeline = await newPipeline(world, project, { ref })
  for (const name of ['scan', 'bom'])
    await tellJob(world, await jobOf(world, pipeline.id, name), 'run')
  for (const [file_type, report] of Object.entries(reports)) {
    const text = Buffer.from(typeof report === 'string' ? report : JSON.stringify(report))
    const isSbom = file_type === 'cyclonedx'
    await storeFile(
      world,
      await jobOf(world, pipeline.id, isSbom ? 'bom' : 'scan'),
      isSbom ? gzipSync(text) : text,
      { file_type, file_format: isSbom ? 'gzip' : 'raw', filename: 'report.json' },
    )
  }
  await tellJob(world, await jobOf(world, pipeline.id, 'scan'), event)
  await tellJob(world, await jobOf(world, pipeline.id, 'bom'), event)
  return pipeline
}

const scanned = (name: string, version: string) => ({ package: { name }, version })
const scan = {
  version: '14.1.2',
  dependency_files: [
    {
      path: 'yarn.lock',
      package_manager: 'Yarn',
      dependencies: [
        scanned('lodash', '4.17.20'),
        scanned('debug', '4.0.0'),
        scanned('lodash', '3.0.0'),
      ],
    },
    { path: 'Gemfile.lock', package_manager: 'bundler', dependencies: [scanned('rack', '2.0.0')] },
  ],
  vulnerabilities: [],
}

describe('GET /projects/:id/dependencies', () => {
  it('tells what the newest successful pipeline with a report has found', async () => {
    const project = await newCiProject(world, ci)
    await runScan(project, { dependency_scanning: scan })
    const answer = await world.as('developer').get(urlOf(project))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      {
        name: 'debug',
        version: '4.0.0',
        package_manager: 'yarn',
        dependency_file_path: 'yarn.lock',
        vulnerabilities: [],
      },
      {
        name: 'lodash',
        version: '3.0.0',
        package_manager: 'yarn',
        dependency_file_path: 'yarn.lock',
        vulnerabilities: [],
      },
      {
        name: 'lodash',
        version: '4.17.20',
        package_manager: 'yarn',
        dependency_file_path: 'yarn.lock',
        vulnerabilities: [],
      },
      {
        name: 'rack',
        version: '2.0.0',
        package_manager: 'bundler',
        dependency_file_path: 'Gemfile.lock',
        vulnerabilities: [],
      },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '4', 'x-page': '1', 'x-per-page': '20' })
  })

  it('tells what lock files say where no pipeline tells', async () => {
    const project = await world.newProject({
      files: {
        'Gemfile.lock': 'GEM\n  specs:\n    rack (2.2.3)\n',
        'vendor/Gemfile.lock': '    a (1)',
      },
    })
    expect(await list(project)).toMatchObject([{ name: 'rack', version: '2.2.3' }])
  })
})
