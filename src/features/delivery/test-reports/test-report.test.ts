import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  jobOf,
  newCiProject,
  newPipeline,
  storeFile,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const xml = `<?xml version="1.0"?>
<testsuites><testsuite name="s" time="3">
  <testcase classname="Sum" name="adds" time="0.5" file="sum.js"/>
  <testcase classname="Sum" name="carries" time="1,000.25"><failure message="no">expected 1 &amp; got <![CDATA[<2>]]></failure></testcase>
  <testcase classname="Sum" name="waits"><skipped/></testcase>
  <testcase classname="Sum" name="breaks" time="x"><error>boom</error><system-out>noise</system-out></testcase>
</testsuite></testsuites>`

async function report(text: string | Buffer) {
  const project = await newCiProject(world, { unit: { script: 'true' } })
  const pipeline = await newPipeline(world, project)
  const job = await jobOf(world, pipeline.id, 'unit')
  await tellJob(world, job, 'run')
  const file = { file_type: 'junit', file_format: 'gzip', filename: 'junit.xml.gz' }
  const bytes = typeof text === 'string' ? gzipSync(text) : text
  const running = await jobOf(world, pipeline.id, 'unit')
  await storeFile(world, running, bytes, file)
  const other = { file_type: 'metadata', file_format: 'gzip', filename: 'metadata.gz' }
  await storeFile(world, running, gzipSync('no report'), other)
  await tellJob(world, job, 'succeed')
  const url = `/projects/${project.id}/pipelines/${pipeline.id}/test_report`
  return { url, job, project }
}

describe('GET /projects/:id/pipelines/:pipeline_id/test_report', () => {
  it('answers a suite for each job', async () => {
    const { url, job, project } = await report(xml)
    const counts = {
      total_time: 1000.75,
      total_count: 4,
      success_count: 1,
      failed_count: 1,
      skipped_count: 1,
      error_count: 1,
    }
    const one = (fields: object) => ({
      classname: 'Sum',
      file: null,
      execution_time: 0,
      system_output: null,
      stack_trace: null,
      ...fields,
    })
    expect((await world.as('reporter').get(url)).json()).toEqual({
      ...counts,
      test_suites: [
        {
          name: 'unit',
          ...counts,
          suite_error: null,
          test_cases: [
            one({ status: 'success', name: 'adds', file: 'sum.js', execution_time: 0.5 }),
            one({
              status: 'failed',
              name: 'carries',
              execution_time: 1000.25,
              system_output: 'noexpected 1 & got <2>',
            }),
            one({ status: 'skipped', name: 'waits' }),
            one({ status: 'error', name: 'breaks', system_output: 'boom' }),
          ],
        },
      ],
    })
    expect((await world.as('reporter').get(`${url}_summary`)).json()).toEqual({
      total: {
        time: 1000.75,
        count: 4,
        success: 1,
        failed: 1,
        skipped: 1,
        error: 1,
        suite_error: null,
      },
      test_suites: [{ name: 'unit', ...counts, build_ids: [job.id], suite_error: null }],
    })
    // What a job reported counts no longer once it is retried.
    await world.as('owner').post(`/projects/${project.id}/jobs/${job.id}/retry`)
    expect((await world.as('reporter').get(url)).json()).toMatchObject({
      total_count: 0,
      test_suites: [],
    })
  })

  it.each([
    ['no XML', '<testsuite><testcase', /^JUnit XML parsing failed/],
    ['no gzip', Buffer.from('plain'), /^JUnit data parsing failed/],
  ])('says that a report is %s', async (_name, text, problem) => {
    const { url } = await report(text)
    const answer = await world.as('reporter').get(url)
    expect(answer.json().test_suites).toMatchObject([
      { total_count: 0, suite_error: expect.stringMatching(problem), test_cases: [] },
    ])
  })

  it('is for who reads pipelines', async () => {
    const { url } = await report(xml)
    expect((await world.as('guest').get(url)).statusCode).toBe(403)
    expect((await world.as('outsider').get(url)).statusCode).toBe(404)
  })
})
