import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  storeFile,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import {
  newScannedProject,
  reportAs,
  runScan,
  sastFinding,
  sastReport,
} from '../../../../test/kit/scans.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const vulnerabilitiesOf = async ({ id }: Project) =>
  (await world.as('developer').get(`/projects/${id}/vulnerabilities`)).json()

const scansUrl = ({ project_id, id }: Pipeline) =>
  `/projects/${project_id}/pipelines/${id}/security_scans`

const scansOf = async (pipeline: Pipeline) =>
  (await world.as('developer').get(scansUrl(pipeline))).json()

async function shownJob(pipeline: Pipeline, name = 'scan') {
  const { id } = await jobOf(world, pipeline.id, name)
  return (await world.as('reporter').get(`/projects/${pipeline.project_id}/jobs/${id}`)).json()
}

describe('GET /projects/:id/pipelines/:pipeline_id/security_scans', () => {
  it('answers what each report says of itself', async () => {
    const project = await newScannedProject(world)
    const pipeline = await runScan(world, project, {
      sast: sastReport(sastFinding()),
      dast: '{',
    })
    const answer = await world.as('developer').get(scansUrl(pipeline))
    const job = { id: (await jobOf(world, pipeline.id, 'scan')).id, name: 'scan' }
    const common = { id: expect.any(Number), job, created_at: expect.stringMatching(/Z$/) }
    expect(answer.json()).toEqual([
      {
        ...common,
        report_type: 'sast',
        status: 'succeeded',
        scan_status: 'success',
        scanner: { external_id: 'bandit', name: 'Bandit' },
        findings_count: 1,
        error: null,
      },
      {
        ...common,
        report_type: 'dast',
        status: 'report_error',
        scan_status: null,
        scanner: null,
        findings_count: 0,
        error: 'JSON parsing failed',
      },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '2' })
  })

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const project = await newScannedProject(world, ['scan'], { group: world.groups[place] })
    const pipeline = await newPipeline(world, project)
    expect((await world.as(who).get(scansUrl(pipeline))).statusCode).toBe(status)
  })

  it('answers 404 for a pipeline of another project', async () => {
    const project = await newScannedProject(world)
    const other = await newPipeline(world, await newScannedProject(world))
    const url = `/projects/${project.id}/pipelines/${other.id}/security_scans`
    const answer = await world.as('developer').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
  })
})

describe('A report that cannot be read', () => {
  const entry = (fields: object) => ({ ...sastReport({ ...sastFinding(), ...fields }) })
  it.each([
    ['no JSON', '{"version": "15.0.0", "vulnerabilities": [', 'JSON parsing failed'],
    ['empty', '', 'JSON parsing failed'],
    ['a list', '[]', 'Invalid report format'],
    ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, 'JSON parsing failed'],
    ['without version', { vulnerabilities: [] }, 'Invalid report format: version is missing'],
    [
      'of another version',
      { ...sastReport(), version: '2.0' },
      'Invalid report format: version "2.0" is not one of 14.x.x, 15.x.x',
    ],
    [
      'without vulnerabilities',
      { version: '15.0.0' },
      'Invalid report format: vulnerabilities is missing',
    ],
    [
      'with something else in their place',
      { version: '15.0.0', vulnerabilities: { a: sastFinding() } },
      'Invalid report format: vulnerabilities is missing',
    ],
    [
      'with one that is none',
      sastReport(sastFinding(), 'x'),
      'Invalid report format: vulnerabilities[1] is not an object',
    ],
    [
      'with one that is nowhere',
      entry({ location: null }),
      'Invalid report format: vulnerabilities[0] has no location',
    ],
    [
      'with one that nothing identifies',
      entry({ identifiers: [{ type: 'cve' }] }),
      'Invalid report format: vulnerabilities[0] has no identifiers',
    ],
  ])('is shown as such if it is %s, and changes nothing else', async (_what, sast, error) => {
    const project = await newScannedProject(world)
    await runScan(world, project, { sast: sastReport(sastFinding()) })
    const before = await vulnerabilitiesOf(project)
    const pipeline = await runScan(world, project, { sast: sast as object | string })
    expect(await vulnerabilitiesOf(project)).toEqual(before)
    const job = await shownJob(pipeline)
    expect(job).toMatchObject({ status: 'success', pipeline: { status: 'success' } })
    expect(job.artifacts).toMatchObject([{ file_type: 'sast', report_error: error }])
    expect(await scansOf(pipeline)).toMatchObject([{ status: 'report_error', error }])
  })

  it('does not keep others of its pipeline from being read, nor says that anything is gone', async () => {
    const project = await newScannedProject(world, ['scan', 'other'])
    const both = async (scan: object | string, other: object) => {
      const pipeline = await newPipeline(world, project)
      await reportAs(world, pipeline, { sast: scan })
      await reportAs(world, pipeline, { sast: other }, 'other')
    }
    await both(sastReport(sastFinding()), sastReport(sastFinding({ file: 'b.py' })))
    await both('broken', sastReport(sastFinding({ file: 'c.py' })))
    const found: { resolved_on_default_branch: boolean }[] = await vulnerabilitiesOf(project)
    expect(found.map((one) => one.resolved_on_default_branch)).toEqual([false, false, false])
  })

  it('is stored all the same', async () => {
    const project = await newScannedProject(world)
    const pipeline = await newPipeline(world, project)
    const job = await jobOf(world, pipeline.id, 'scan')
    await tellJob(world, job, 'run')
    const file = { file_type: 'sast', file_format: 'raw', filename: 'gl-sast-report.json' }
    await storeFile(world, await jobOf(world, pipeline.id, 'scan'), Buffer.from('\0\xff'), file)
    const { artifacts } = await shownJob(pipeline)
    expect(artifacts).toEqual([{ ...file, size: 3 }])
  })

  it('is told of beside no report that can be read', async () => {
    const project = await newScannedProject(world)
    const pipeline = await runScan(world, project, { sast: sastReport() })
    const [artifact] = (await shownJob(pipeline)).artifacts
    expect(Object.keys(artifact)).toEqual(['file_type', 'size', 'filename', 'file_format'])
  })
})

describe('Findings', () => {
  it('of other branches are counted, and no vulnerabilities', async () => {
    const project = await newScannedProject(world)
    await world.commit(project, { a: 'a' }, { branch: 'topic', start_branch: 'main' })
    const report = { sast: sastReport(sastFinding()) }
    const pipeline = await runScan(world, project, report, { ref: 'topic' })
    expect(await scansOf(pipeline)).toMatchObject([{ findings_count: 1 }])
    expect(await vulnerabilitiesOf(project)).toEqual([])
  })

  it('wait until their pipeline has ended, however it ends', async () => {
    const project = await newScannedProject(world, ['scan', 'late'])
    const pipeline = await newPipeline(world, project)
    await reportAs(world, pipeline, { sast: sastReport(sastFinding()) })
    expect(await scansOf(pipeline)).toMatchObject([{ findings_count: 1 }])
    expect(await vulnerabilitiesOf(project)).toEqual([])
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'run')
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'drop')
    expect(await vulnerabilitiesOf(project)).toHaveLength(1)
  })

  it('of a pipeline that is overtaken by a newer one are none', async () => {
    const project = await newScannedProject(world)
    const older = await newPipeline(world, project)
    await runScan(world, project, { sast: sastReport(sastFinding({ file: 'new.py' })) })
    await reportAs(world, older, { sast: sastReport(sastFinding({ file: 'old.py' })) })
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'new.py' } }, resolved_on_default_branch: false },
    ])
  })

  it('of a pipeline are not overtaken by those of another project or branch', async () => {
    const project = await newScannedProject(world)
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const older = await newPipeline(world, project)
    const report = { sast: sastReport(sastFinding()) }
    await runScan(world, await newScannedProject(world), report)
    await runScan(world, project, report, { ref: 'topic' })
    await reportAs(world, older, report)
    expect(await vulnerabilitiesOf(project)).toHaveLength(1)
  })

  it('of a pipeline are not overtaken by those of another type', async () => {
    const project = await newScannedProject(world)
    const older = await newPipeline(world, project)
    await runScan(world, project, { secret_detection: sastReport(sastFinding()) })
    await reportAs(world, older, { sast: sastReport(sastFinding()) })
    const found: { report_type: string }[] = await vulnerabilitiesOf(project)
    expect(found.map(({ report_type }) => report_type)).toEqual(['sast', 'secret_detection'])
  })

  it('of a running pipeline are kept when another pipeline ends', async () => {
    const project = await newScannedProject(world, ['scan', 'late'])
    const [older, newer] = [await newPipeline(world, project), await newPipeline(world, project)]
    const end = async (pipeline: Pipeline) => {
      await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'run')
      await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'succeed')
    }
    await reportAs(world, newer, { sast: sastReport(sastFinding({ file: 'new.py' })) })
    await reportAs(world, older, { sast: sastReport(sastFinding({ file: 'old.py' })) })
    await end(older)
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'old.py' } } },
    ])
    await end(newer)
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'new.py' } } },
      { finding: { location: { file: 'old.py' } } },
    ])
  })

  it('of one type do not mark those of another type as gone', async () => {
    const project = await newScannedProject(world)
    const both = { sast: sastReport(sastFinding()), secret_detection: sastReport(sastFinding()) }
    await runScan(world, project, both)
    await runScan(world, project, { sast: sastReport() })
    const found: { report_type: string; resolved_on_default_branch: boolean }[] =
      await vulnerabilitiesOf(project)
    const gone = found.map((one) => [one.report_type, one.resolved_on_default_branch])
    expect(Object.fromEntries(gone)).toEqual({ sast: true, secret_detection: false })
  })

  it('of a job that was retried are replaced by those of the retry', async () => {
    const project = await newScannedProject(world, ['scan', 'late'])
    const pipeline = await newPipeline(world, project)
    await reportAs(world, pipeline, { sast: sastReport(sastFinding({ file: 'before.py' })) })
    const { id } = await jobOf(world, pipeline.id, 'scan')
    const retried = await world.as('owner').post(`/projects/${project.id}/jobs/${id}/retry`)
    expect(retried.statusCode).toBe(201)
    await reportAs(world, pipeline, { sast: sastReport(sastFinding({ file: 'after.py' })) })
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'run')
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'succeed')
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'after.py' } } },
    ])
    expect(await scansOf(pipeline)).toHaveLength(1)
  })

  it('of a scanner that says it failed say nothing of what is gone', async () => {
    const project = await newScannedProject(world)
    await runScan(world, project, { sast: sastReport(sastFinding()) })
    const failed = sastReport(sastFinding({ file: 'b.py' }))
    await runScan(world, project, {
      sast: { ...failed, scan: { ...failed.scan, status: 'failure' } },
    })
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { resolved_on_default_branch: false },
      { resolved_on_default_branch: false },
    ])
  })

  it('of one scanner say nothing of those of another', async () => {
    const project = await newScannedProject(world)
    const of = (id: string, ...findings: object[]) => {
      const report = sastReport(...findings.map((one) => ({ ...one, scanner: { id, name: id } })))
      return { ...report, scan: { ...report.scan, scanner: { id, name: id } } }
    }
    await runScan(world, project, { sast: of('semgrep', sastFinding()) })
    await runScan(world, project, { sast: of('bandit') })
    expect(await vulnerabilitiesOf(project)).toMatchObject([{ resolved_on_default_branch: false }])
    await runScan(world, project, { sast: of('semgrep') })
    expect(await vulnerabilitiesOf(project)).toMatchObject([{ resolved_on_default_branch: true }])
  })

  it('of child pipelines are found with those of their parent', async () => {
    const child = JSON.stringify({ scan: { script: 'true' } })
    const files = { 'one.yml': child, 'two.yml': child }
    const start = (file: string) => ({ trigger: { include: file } })
    const config = { one: start('one.yml'), two: start('two.yml') }
    const project = await newCiProject(world, config, { files })
    const run = async (...findings: [object[], object[]]) => {
      const { id } = await newPipeline(world, project)
      await world.app.worker.drain()
      const children = await world.app.db
        .selectFrom('pipelines')
        .selectAll()
        .where('parent_id', '=', id)
        .orderBy('id')
        .execute()
      expect(children).toHaveLength(2)
      for (const [at, pipeline] of children.entries()) {
        await reportAs(world, pipeline, { sast: sastReport(...(findings[at] ?? [])) })
      }
    }
    await run([sastFinding({ file: 'a.py' })], [sastFinding({ file: 'b.py' })])
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'b.py' } }, resolved_on_default_branch: false },
      { finding: { location: { file: 'a.py' } }, resolved_on_default_branch: false },
    ])
    await run([sastFinding({ file: 'a.py' })], [])
    expect(await vulnerabilitiesOf(project)).toMatchObject([
      { finding: { location: { file: 'b.py' } }, resolved_on_default_branch: true },
      { finding: { location: { file: 'a.py' } }, resolved_on_default_branch: false },
    ])
  })

  it('of a job that was retried are read anew', async () => {
    const project = await newScannedProject(world)
    const pipeline = await newPipeline(world, project)
    await tellJob(world, await jobOf(world, pipeline.id, 'scan'), 'run')
    await tellJob(world, await jobOf(world, pipeline.id, 'scan'), 'drop')
    const url = `/projects/${project.id}/pipelines/${pipeline.id}/retry`
    expect((await world.as('owner').post(url)).statusCode).toBe(201)
    await reportAs(world, pipeline, { sast: sastReport(sastFinding()) })
    expect(await vulnerabilitiesOf(project)).toHaveLength(1)
    expect(await scansOf(pipeline)).toHaveLength(1)
  })

  it('of many are stored in several transactions, each once', async () => {
    const project = await newScannedProject(world)
    const many = Array.from({ length: 450 }, (_, at) => sastFinding({ start_line: at + 1 }))
    const pipeline = await newPipeline(world, project)
    const { queries } = await world.app.count(() =>
      reportAs(world, pipeline, { sast: sastReport(...many, ...many) }),
    )
    expect(await scansOf(pipeline)).toMatchObject([{ findings_count: 900 }])
    const url = `/projects/${project.id}/vulnerabilities`
    expect((await world.as('developer').get(url)).headers['x-total']).toBe('450')
    // Some of each of the five parts of 200, none of each finding.
    expect(queries).toBeLessThan(200)
  })

  it('are left alone below ultimate', async () => {
    const own = await newWorld(await startApp({ BLOOMERY_TIER: 'premium' }))
    const project = await newScannedProject(own)
    await runScan(own, project, { sast: 'broken' })
    const rows = await own.app.db.selectFrom('security_scans').select('id').execute()
    expect(rows).toEqual([])
    await own.app.close()
  })
})

describe('The task that reads reports', () => {
  it('may run again', async () => {
    const project = await newScannedProject(world)
    const pipeline = await runScan(world, project, { sast: sastReport(sastFinding()), dast: 'x' })
    const { db } = world.app
    const scans = await scansOf(pipeline)
    const before = await vulnerabilitiesOf(project)
    await db
      .updateTable('security_scans')
      .set({ state: 'pending' })
      .where('pipeline_id', '=', pipeline.id)
      .where('report_type', '=', 'sast')
      .execute()
    const job = await jobOf(world, pipeline.id, 'scan')
    const rows = [
      ['check-security-reports', String(job.id), { job_id: job.id }],
      ['store-vulnerabilities', String(project.id), { project_id: project.id }],
    ] as const
    const now = new Date(world.app.clock.now()).toISOString()
    for (const [name, key, payload] of rows) {
      const common = { lane: 'reports', run_at: now, created_at: now }
      const task = { name, key, payload: JSON.stringify(payload), ...common }
      await db.insertInto('tasks').values(task).execute()
    }
    await world.app.worker.drain()
    expect(await scansOf(pipeline)).toEqual(scans)
    expect(await vulnerabilitiesOf(project)).toEqual(before)
  })

  it('says of a report whose file is gone that nothing is to be stored', async () => {
    const project = await newScannedProject(world, ['scan', 'late'])
    const pipeline = await newPipeline(world, project)
    await reportAs(world, pipeline, { sast: sastReport(sastFinding()) })
    const { id } = await jobOf(world, pipeline.id, 'scan')
    await world.as('maintainer').delete(`/projects/${project.id}/jobs/${id}/artifacts`)
    await world.app.worker.drain()
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'run')
    await tellJob(world, await jobOf(world, pipeline.id, 'late'), 'succeed')
    expect(await vulnerabilitiesOf(project)).toEqual([])
    const failed = await world.app.db
      .selectFrom('tasks')
      .select('name')
      .where('lane', '=', 'reports')
      .execute()
    expect(failed).toEqual([])
  })
})
