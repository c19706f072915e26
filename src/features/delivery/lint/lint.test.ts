import { beforeAll, describe, expect, it } from 'vitest'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const good = { job: { script: 'true', environment: 'prod' } }
/** Good in itself; of a branch, what it needs is left out. */
const apart = {
  a: { stage: 'build', script: 'true', rules: [{ if: '$CI_COMMIT_TAG' }] },
  b: { script: 'true', needs: ['a'] },
}
const missing = "'b' job needs 'a' job, but 'a' is not in any previous stage"

describe('GET /projects/:id/ci/lint', () => {
  it('says that the file of the default branch is good, and what it is merged into', async () => {
    const project = await newCiProject(world, good)
    const answer = await world.as('developer').get(`/projects/${project.id}/ci/lint`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        valid: true,
        errors: [],
        warnings: [],
        merged_yaml: '---\njob:\n  script: "true"\n  environment: prod\n',
        includes: [],
        diagnostics: [],
      },
    ])
  })

  it('includes jobs when asked', async () => {
    const project = await newCiProject(world, good)
    const answer = await world
      .as('developer')
      .get(`/projects/${project.id}/ci/lint?include_jobs=true`)
    expect(answer.json().jobs).toEqual([
      {
        name: 'job',
        stage: 'test',
        before_script: [],
        script: ['true'],
        after_script: [],
        tag_list: [],
        only: { refs: ['branches', 'tags'] },
        except: null,
        environment: 'prod',
        when: 'on_success',
        allow_failure: false,
        needs: null,
      },
    ])
  })

  it('knows only in a dry run what the rules leave', async () => {
    const project = await newCiProject(world, apart)
    const lint = async (query: string) =>
      (await world.as('developer').get(`/projects/${project.id}/ci/lint${query}`)).json()
    expect(await lint('')).toMatchObject({ valid: true, errors: [], diagnostics: [] })
    expect(await lint('?dry_run=true')).toMatchObject({ valid: false, errors: [missing] })
  })

  it('has 404 for a project without commits', async () => {
    const project = await world.newProject({})
    const answer = await world.as('developer').get(`/projects/${project.id}/ci/lint`)
    expect(answer.statusCode).toBe(404)
  })

  it.each([
    ['anonymous', 401],
    ['guest', 403],
    ['outsider', 404],
    ['reporter', 200],
  ] as const)('answers %s of a private project with %i', async (who, status) => {
    const project = await newCiProject(world, good, { visibility: 'private' })
    const answer = await world.as(who).get(`/projects/${project.id}/ci/lint`)
    expect(answer.statusCode).toBe(status)
  })
})

describe('POST /projects/:id/ci/lint', () => {
  it('tells each error with the place of it, and includes files of the project', async () => {
    const project = await newCiProject(world, good, {
      files: { 'more.yml': 'other:\n  script: x\n  retry: 9\n' },
    })
    const content = 'include: more.yml\njob:\n  script: x\n  when: sometimes\n'
    const answer = await world.as('developer').post(`/projects/${project.id}/ci/lint`, { content })
    const errors = [
      'retry config must be less than or equal to 2',
      'jobs:job when should be one of: on_success, on_failure, always, manual, delayed',
    ]
    expect(answer.json()).toMatchObject({
      valid: false,
      errors,
      includes: [{ kind: 'local', path: 'more.yml' }],
      diagnostics: [
        { severity: 'error', text: errors[0], file: 'more.yml', line: 3, column: 10 },
        { severity: 'error', text: errors[1], file: '.gitlab-ci.yml', line: 4, column: 9 },
      ],
    })
  })

  it('is for those who may start pipelines, and wants content', async () => {
    const project = await newCiProject(world, good)
    const url = `/projects/${project.id}/ci/lint`
    expect((await world.as('reporter').post(url, { content: 'a: {script: x}' })).statusCode).toBe(
      403,
    )
    const without = await world.as('developer').post(url, {})
    expect([without.statusCode, without.json()]).toEqual([400, { error: 'content is missing' }])
    const empty = await world.as('developer').post(url, { content: ' ' })
    expect(empty.json().errors).toEqual(['Please provide content of .gitlab-ci.yml'])
  })
})

describe('POST /ci/lint', () => {
  it('is for whoever is signed in, and includes nothing', async () => {
    const lint = (content: string, more = {}) =>
      world.as('outsider').post('/ci/lint', { content, ...more })
    const content = 'a: {script: x}'
    expect((await world.as('anonymous').post('/ci/lint', { content })).statusCode).toBe(401)
    const valid = await lint(content, { include_merged_yaml: true })
    expect([valid.statusCode, valid.json()]).toEqual([
      200,
      { status: 'valid', errors: [], warnings: [], merged_yaml: '---\na:\n  script: x\n' },
    ])
    expect((await lint('a: [')).json().status).toBe('invalid')
    expect((await lint('include: a.yml\na: {script: x}')).json().errors).toEqual([
      'Local file `a.yml` does not have project!',
    ])
    expect((await lint('a: {script: x, needs: [b]}')).json()).toEqual({
      status: 'invalid',
      errors: ['a job: undefined need: b'],
      warnings: [],
    })
  })
})
