import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { runCiCommand } from './ci-command.ts'

const root = mkdtempSync(join(tmpdir(), 'bloomery-ci-'))
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  rmSync(root, { recursive: true })
  mkdirSync(root)
})

function put(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function run(...args: string[]) {
  let output = ''
  const status = await runCiCommand(args, root, (text) => {
    output += text
  })
  return { status, output }
}

describe('bloomery ci', () => {
  it('prints the plan of a file as a table', async () => {
    put(
      'ci.yml',
      `include: ci/*.yml
workflow: {name: Of $CI_COMMIT_BRANCH}
build: {stage: build, script: make}
deploy:
  stage: deploy
  trigger: group/project
  rules: [{if: $WHERE == "here", when: manual, allow_failure: true}]
`,
    )
    put(
      'ci/test.yml',
      'test: {needs: [build], script: make test}\nlint: {needs: [], script: lint}\n',
    )
    expect(await run('plan', 'ci.yml', '--ref', 'topic', '--var', 'WHERE=here')).toEqual({
      status: 0,
      output: `Of topic

STAGE   JOB     WHEN                        NEEDS
build   build   on_success                  previous stages
test    test    on_success                  build
test    lint    on_success                  none
deploy  deploy  manual, may fail, triggers  previous stages
`,
    })
  })

  it('says where what is wrong', async () => {
    put('ci.yml', 'build:\n  script: make\n  when: sometimes\n')
    const text =
      'ci.yml:3:9 error jobs:build when should be one of: on_success, on_failure, always, manual, delayed\n'
    expect(await run('lint', 'ci.yml')).toEqual({ status: 1, output: text })
    expect(await run('plan', 'ci.yml')).toEqual({ status: 1, output: text })
  })

  it('warns, and is content', async () => {
    put('ci.yml', 'build:\n  script: make\n  rules: [{when: always}]\n')
    const { status, output } = await run('lint', 'ci.yml')
    expect(status).toBe(0)
    expect(output).toMatch(/^ci\.yml:1:1 warning jobs:build may allow multiple pipelines/)
    expect(output).toMatch(/\nci\.yml is valid: 1 jobs\n$/)
  })

  it('says why there is no pipeline', async () => {
    put('ci.yml', 'workflow: {rules: [{if: $CI_COMMIT_TAG}]}\nbuild: {script: make, only: [web]}\n')
    expect((await run('plan', 'ci.yml')).output).toMatch(/^No pipeline: the workflow rules/)
    expect((await run('plan', 'ci.yml', '--ref', 'refs/tags/v1')).status).toBe(0)
    expect((await run('plan', 'ci.yml', '--source', 'web')).output).toMatch(/^No pipeline/)
  })

  it('reads templates, and leaves to a server what only a server reaches', async () => {
    put('a.yml', 'include: {template: Workflows/Branch-Pipelines.gitlab-ci.yml}\na: {script: x}\n')
    put('b.yml', 'include: {template: ../../../package.json}\na: {script: x}\n')
    put('c.yml', 'include: {project: group/lib, file: ci.yml}\na: {script: x}\n')
    put('d.yml', 'include: ../outside.yml\na: {script: x}\n')
    expect((await run('lint', 'a.yml')).status).toBe(0)
    expect((await run('lint', 'b.yml')).output).toContain('can only be read by a server')
    expect((await run('lint', 'c.yml')).output).toContain('can only be read by a server')
    expect((await run('lint', 'd.yml')).output).toContain('can only be read by a server')
  })

  it.each([
    [[]],
    [['plan']],
    [['draw', 'ci.yml']],
    [['plan', 'ci.yml', '--source', 'nobody']],
    [['plan', 'ci.yml', '--other']],
    [['plan', 'one.yml', 'two.yml']],
  ])('says how it is used, given %j', async (args) => {
    const { status, output } = await run(...args)
    expect(status).toBe(2)
    expect(output).toMatch(/^Usage: bloomery ci lint\|plan <file>/)
  })

  it('says that a file is not there', async () => {
    expect(await run('lint', 'none.yml')).toEqual({
      status: 1,
      output: 'none.yml does not exist\n',
    })
  })

  it('is a command of its own that loads no server', () => {
    put('ci.yml', 'build: {script: make}\n')
    const hook = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context) } })`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        `--import=data:text/javascript,${encodeURIComponent(hook)}`,
        join(import.meta.dirname, 'main.ts'),
        ...['ci', 'plan', 'ci.yml'],
      ],
      { cwd: root, encoding: 'utf8' },
    )
    expect(stdout).toContain('build  on_success')
    const own = stderr.split('\n').filter((url) => url.includes('/src/'))
    const folders = new Set(own.map((url) => url.replace(/^.*\/src\//, '').replace(/\/.*/, '')))
    expect([...folders].sort()).toEqual(['ci', 'ci-command.ts', 'kernel', 'main.ts'])
  })
})
