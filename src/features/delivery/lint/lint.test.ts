import { beforeAll, describe, expect, it } from 'vitest'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const good = 'build:\n  script: make\n'
const bad = 'build:\n  script: make\n  when: maybe\n'
/** Good in itself; of a branch, what it needs is left out. */
const apart = {
  a: { stage: 'build', script: 'true', rules: [{ if: '$CI_COMMIT_TAG' }] },
  b: { script: 'true', needs: ['a'] },
}

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
        variables: [],
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

  it('tells the variables that whoever runs a pipeline is asked for', async () => {
    const project = await newCiProject(world, {})
    const content = `variables:
  TARGET: { value: staging, description: Where to deploy, options: [staging, production] }
  PLAIN: one
${good}`
    const answer = await world.as('developer').post(`/projects/${project.id}/ci/lint`, { content })
    expect(answer.json().variables).toEqual([
      {
        key: 'TARGET',
        value: 'staging',
        description: 'Where to deploy',
        options: ['staging', 'production'],
      },
      { key: 'PLAIN', value: 'one', description: null, options: [] },
    ])
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

  it('tells each error with the place of it, in whatever file', async () => {
    const files = { 'more.yml': 'other:\n  script: x\n  retry: 9\n' }
    const project = await newCiProject(world, {}, { files })
    const content = `include: more.yml\n${bad}`
    const answer = await world.as('developer').post(`/projects/${project.id}/ci/lint`, { content })
    const errors = [
      'retry config must be less than or equal to 2',
      'jobs:build when should be one of: on_success, on_failure, always, manual, delayed',
    ]
    expect(answer.json()).toMatchObject({
      errors,
      diagnostics: [
        { severity: 'error', text: errors[0], file: 'more.yml', line: 3, column: 10 },
        { severity: 'error', text: errors[1], file: '.gitlab-ci.yml', line: 4, column: 9 },
      ],
    })
  })

  it('is for those who may start pipelines', async () => {
    const { id } = await newCiProject(world, {})
    const answer = await world.as('reporter').post(`/projects/${id}/ci/lint`, { content: good })
    expect(answer.statusCode).toBe(403)
  })
})

describe('GET /projects/:id/ci/lint', () => {
  it('knows only in a dry run what the rules leave', async () => {
    const project = await newCiProject(world, apart)
    const lint = async (query: string) =>
      (await world.as('developer').get(`/projects/${project.id}/ci/lint${query}`)).json()
    expect(await lint('')).toMatchObject({ valid: true, errors: [], diagnostics: [] })
    expect(await lint('?dry_run=true')).toMatchObject({
      valid: false,
      errors: ["'b' job needs 'a' job, but 'a' is not in any previous stage"],
    })
  })

  it.each([
    ['anonymous', 401],
    ['guest', 403],
    ['outsider', 404],
    ['reporter', 200],
  ] as const)('answers %s of a private project with %i', async (who, status) => {
    const project = await newCiProject(world, apart, { visibility: 'private' })
    const answer = await world.as(who).get(`/projects/${project.id}/ci/lint`)
    expect(answer.statusCode).toBe(status)
  })

  it('checks the file of the commit', async () => {
    const project = await newCiProject(world, { build: { script: 'make' } })
    const answer = await world.as('reporter').get(`/projects/${project.id}/ci/lint`)
    expect([answer.statusCode, answer.json().valid]).toEqual([200, true])
    const missing = await world.as('reporter').get(`/projects/${project.id}/ci/lint?ref=none`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Commit Not Found' }])
  })

  it('answers the lint of a project without commits, GET and POST', async () => {
    const { id } = await world.newProject()
    const url = `/projects/${id}/ci/lint`
    const empty = await world.as('reporter').get(url)
    expect([empty.statusCode, empty.json()]).toEqual([
      200,
      {
        valid: false,
        errors: ['Please provide content of .gitlab-ci.yml'],
        warnings: [],
        merged_yaml: null,
        includes: [],
        diagnostics: [
          {
            severity: 'error',
            text: 'Please provide content of .gitlab-ci.yml',
            file: null,
            line: null,
            column: null,
          },
        ],
        variables: [],
      },
    ])
    const lint = async (body: object) => (await world.as('developer').post(url, body)).json()
    expect(await lint({ content: good, ref: 'main' })).toMatchObject({ valid: true, errors: [] })
    const exists = 'build: { script: x, rules: [{ exists: ["*.js"], changes: [a] }] }'
    expect(await lint({ content: exists })).toMatchObject({ valid: true, errors: [] })
    expect(await lint({ content: 'include: more.yml' })).toMatchObject({
      valid: false,
      errors: ['Local file `more.yml` does not exist!'],
    })
    expect(await lint({ content: good, dry_run: true })).toMatchObject({
      valid: false,
      errors: ['Reference not found'],
    })
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
