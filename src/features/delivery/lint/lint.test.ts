import { beforeAll, describe, expect, it } from 'vitest'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const good = 'build:\n  script: make\n'
const bad = 'build:\n  script: make\n  when: maybe\n'

describe('POST /projects/:id/ci/lint', () => {
  it('answers what is right and what is wrong', async () => {
    const project = await newCiProject(world, {})
    const url = `/projects/${project.id}/ci/lint`
    const right = await world.as('developer').post(url, { content: good, include_jobs: true })
    expect([right.statusCode, right.json()]).toEqual([
      200,
      {
        valid: true,
        errors: [],
        warnings: [],
        merged_yaml: expect.stringContaining('script: make'),
        includes: [],
        diagnostics: [],
        jobs: [
          expect.objectContaining({
            name: 'build',
            stage: 'test',
            script: ['make'],
            when: 'on_success',
            allow_failure: false,
          }),
        ],
      },
    ])
    const wrong = await world.as('developer').post(url, { content: bad })
    expect(wrong.json()).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('jobs:build when should be one of')],
      diagnostics: [
        { severity: 'error', file: '.gitlab-ci.yml', line: 3, column: expect.any(Number) },
      ],
    })
    const empty = await world.as('developer').post(url, { content: ' ' })
    expect(empty.json()).toMatchObject({
      valid: false,
      errors: ['Please provide content of .gitlab-ci.yml'],
    })
    expect((await world.as('developer').post(url, {})).json()).toEqual({
      error: 'content is missing',
    })
  })

  it('reads what the project includes, and says in a dry run that nothing would run', async () => {
    const project = await newCiProject(world, {}, { files: { 'more.yml': good } })
    const url = `/projects/${project.id}/ci/lint`
    const included = await world.as('developer').post(url, { content: 'include: more.yml' })
    expect(included.json()).toMatchObject({
      valid: true,
      includes: [expect.objectContaining({ path: 'more.yml' })],
    })
    const never = 'build: { script: x, rules: [{ if: $NEVER }] }'
    expect((await world.as('developer').post(url, { content: never })).json().valid).toBe(true)
    const dry = await world.as('developer').post(url, { content: never, dry_run: true })
    expect(dry.json()).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('Pipeline will not run')],
    })
  })
})

describe('GET /projects/:id/ci/lint', () => {
  it('checks the file of the commit', async () => {
    const project = await newCiProject(world, { build: { script: 'make' } })
    const answer = await world.as('reporter').get(`/projects/${project.id}/ci/lint`)
    expect([answer.statusCode, answer.json().valid]).toEqual([200, true])
    const empty = await world.newProject()
    expect((await world.as('reporter').get(`/projects/${empty.id}/ci/lint`)).statusCode).toBe(404)
  })
})

describe('POST /ci/lint', () => {
  it('checks a file of no project', async () => {
    const post = (body: object) => world.as('outsider').post('/ci/lint', body)
    expect((await post({ content: good, include_merged_yaml: true })).json()).toMatchObject({
      status: 'valid',
      errors: [],
      merged_yaml: expect.stringContaining('build'),
    })
    expect((await post({ content: bad })).json()).toMatchObject({ status: 'invalid' })
    const includes = (await post({ content: 'include: x.yml' })).json()
    expect(includes).toMatchObject({
      status: 'invalid',
      errors: ['Local file `x.yml` does not have project!'],
    })
    expect((await world.as('anonymous').post('/ci/lint', { content: good })).statusCode).toBe(401)
  })
})
