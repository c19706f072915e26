// What holds for every text: it is answered, and it costs no more than its size.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so are variables written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { limits } from '../kernel/limits.ts'
import { DiagnosticCollector } from './diagnostic-collector.ts'
import { parseDuration_s } from './durations.ts'
import { createExpandingVariableLookup, createVariableLookup, expandVariables } from './expand.ts'
import { planPipeline } from './plan-pipeline.ts'
import type { ConfigFiles, PipelineEvent } from './planned.ts'
import { readYaml } from './read-yaml.ts'
import { StepBudget } from './step-budget.ts'
import { treeSizeOf } from './tree.ts'

const event: PipelineEvent = {
  source: 'push',
  ref: 'main',
  tag: false,
  project_path: 'group/project',
  predefined: { CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push' },
  given: {},
}

function filesOf(texts: Record<string, string> = {}): ConfigFiles {
  return {
    async read(file) {
      const text = file.kind === 'local' ? texts[file.path] : undefined
      return text === undefined ? { problem: 'It is not there' } : { text }
    },
    async listPaths() {
      return Object.keys(texts)
    },
    async listChanges() {
      return ['src/a.ts']
    },
  }
}

const plan = (text: string, texts?: Record<string, string>) =>
  planPipeline({ text, path: 'ci.yml', event, files: filesOf(texts) })

/** Words that mean something, so that what is made of them is often nearly right. */
const keys = [
  ...[
    'stages',
    'default',
    'variables',
    'workflow',
    'include',
    'image',
    'services',
    'spec',
    'pages',
  ],
  ...[
    'script',
    'before_script',
    'stage',
    'rules',
    'only',
    'except',
    'needs',
    'extends',
    'parallel',
  ],
  ...['artifacts', 'cache', 'environment', 'trigger', 'retry', 'when', 'allow_failure', 'release'],
  ...[
    'if',
    'changes',
    'exists',
    'name',
    'paths',
    'key',
    'files',
    'reports',
    'matrix',
    'job',
    'max',
  ],
  ...[
    'local',
    'project',
    'file',
    'inherit',
    'tags',
    'timeout',
    'start_in',
    'resource_group',
    'inputs',
  ],
  ...['a', 'b', '.c', '<<', '__proto__', 'constructor', 'toString'],
]
const words = [
  ...[
    'a',
    'b',
    '.c',
    'build',
    'manual',
    'delayed',
    'never',
    'always',
    '1 day',
    '$A',
    '${B',
    '/a+/i',
  ],
  ...[
    '$A == "b"',
    '($A',
    '!reference',
    '**/*.ts',
    '{a,b',
    '[',
    'depend',
    'a.yml',
    '$[[ inputs.a ]]',
  ],
]
const scalar = fc.oneof(
  fc.constantFrom(...words),
  fc.boolean(),
  fc.integer({ min: -3, max: 300 }),
  fc.constant(null),
  fc.string(),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 6 }),
  ),
}))
const configuration = fc.dictionary(fc.constantFrom(...keys), tree, { maxKeys: 10 })

/** A job that is right but for one of its keywords. */
const nearlyRight = fc
  .tuple(fc.constantFrom(...keys), tree)
  .map(([key, value]) => ({ a: { script: 'make' }, b: { script: 'make', [key]: value } }))

describe('planPipeline', () => {
  it('answers whatever is configured, with a plan, a refusal or what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(configuration, nearlyRight), async (value) => {
        const text = stringify(value)
        const found = await plan(text, { 'a.yml': text })
        const hasErrors = found.diagnostics.some(({ severity }) => severity === 'error')
        const answers = [hasErrors, found.plan !== undefined, found.refusal !== undefined]
        expect(answers.filter((isGiven) => isGiven)).toHaveLength(1)
        for (const { file, line, column } of found.diagnostics) {
          expect([typeof file, (line ?? 0) > 0, (column ?? 0) > 0]).toEqual(['string', true, true])
        }
        expect(typeof found.merged_yaml).toMatch(/string|undefined/)
      }),
      { numRuns: 500 },
    )
  })

  it('answers whatever is written', async () => {
    const marks = fc.constantFrom(
      ...'abc:-[]{}&*!|>\'"%#,?\n \t\\'.split(''),
      '- ',
      ': ',
      '\n  ',
      '<<',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(marks, { maxLength: 60 }).map((all) => all.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        expect((await plan(written)).diagnostics.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads what it wrote as the same', async () => {
    const own = await plan(
      '.a: {image: x}\nb: {extends: .a, script: [1x, "yes", "0755"], tags: [a]}\n',
    )
    const again = await plan(own.merged_yaml ?? '')
    expect(again.plan).toEqual(own.plan)
    expect(again.diagnostics).toEqual([])
  })
})

/** How many steps a text takes, or how many were taken before it was refused. */
async function stepsOf(text: string): Promise<number> {
  const work = new StepBudget()
  await planPipeline({ text, path: 'ci.yml', event, files: filesOf(), work })
  return work.steps
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

describe('a configuration n times as long', () => {
  it.each<[string, (count: number) => string]>([
    ['jobs', (n) => lines(n, (at) => `j${at}: {script: x}`)],
    ['keys of a job', (n) => `a:\n  script: x\n${lines(n, (at) => `  k${at}: 1`)}`],
    ['lines of a script', (n) => `a:\n  script:\n${lines(n, () => '    - x')}`],
    ['variables', (n) => `variables:\n${lines(n, (at) => `  V${at}: x`)}\na: {script: x}`],
    ['aliases', (n) => `.a: &a [x]\nb:\n  script:\n${lines(n, () => '    - *a')}`],
    ['anchors', (n) => `a:\n  script:\n${lines(n, (at) => `    - &a${at} x`)}`],
    ['merge keys', (n) => `.a: &a {image: x}\n${lines(n, (at) => `j${at}: {<<: *a, script: x}`)}`],
    ['references', (n) => `.a: [x]\nb:\n  script:\n${lines(n, () => '    - !reference [.a]')}`],
    ['extends', (n) => `.a: {image: x}\n${lines(n, (at) => `j${at}: {extends: .a, script: x}`)}`],
    ['rules', (n) => `a:\n  script: x\n  rules:\n${lines(n, () => '    - if: $A == "b" && $C')}`],
    [
      'patterns',
      (n) => `a:\n  script: x\n  rules:\n${lines(n, () => '    - changes: ["**/*.md"]')}`,
    ],
    ['needs in a row', (n) => lines(n, (at) => `j${at}: {script: x, needs: [j${at + 1}]}`)],
    ['stages', (n) => `stages:\n${lines(n, (at) => `  - s${at}`)}\na: {stage: s1, script: x}`],
    ['unknown stages', (n) => lines(n, (at) => `j${at}: {stage: s${at}, script: x}`)],
  ])('takes n times the steps, of %s', async (_, make) => {
    const few = await stepsOf(make(400))
    const many = await stepsOf(make(1600))
    expect(many / few).toBeLessThan(5)
  })

  it('is refused before it is worked out, where a little text stands for very much', async () => {
    const doubled = (count: number) =>
      lines(count, (at) =>
        at === 0 ? 'a0: &a0 [x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
      )
    const found = await plan(doubled(40))
    expect(found.diagnostics.map(({ text }) => text)).toEqual(['The parsed YAML is too big'])
    expect(await stepsOf(doubled(40))).toBeLessThan(1000)
  })

  it('is refused where jobs times variables are too many', async () => {
    const many = `variables:\n${lines(5000, (at) => `  V${at}: x`)}\n${lines(1000, (at) => `j${at}: {script: x}`)}`
    const work = new StepBudget()
    const found = await planPipeline({ text: many, path: 'ci.yml', event, files: filesOf(), work })
    expect(found.diagnostics).toHaveLength(1)
    expect(work.steps).toBeLessThan(limits.ci.steps_max * 1.1)
  })

  it('is read once, however often it is planned', async () => {
    const [first, second] = [new StepBudget(), new StepBudget()]
    const text = 'a: {script: [read, once]}\n'
    const trees = await readYaml(text, 'ci.yml', first)
    expect(await readYaml(text, 'ci.yml', second)).toBe(trees)
    expect([first.steps > 0, second.steps]).toEqual([true, 0])
    expect(await readYaml(text, 'other.yml', second)).not.toBe(trees)
  })

  it('shares what aliases share', async () => {
    const [tree] = await readYaml('a: &a [x, y]\nb: [*a, *a]\n', 'ci.yml', new StepBudget())
    expect(tree && treeSizeOf(tree).characters).toBeGreaterThan(3 * 18)
  })
})

describe('Problems', () => {
  it('keeps as many as anybody reads, and whether there was an error', () => {
    const problems = new DiagnosticCollector()
    for (let at = 0; at < 500; at++) problems.warn('odd', undefined)
    problems.error('x'.repeat(10_000), undefined)
    expect(problems.diagnostics).toHaveLength(100)
    expect(problems.hasErrors).toBe(true)
  })
})

describe('parseDuration_s', () => {
  it.each([
    ['3 mins 4 sec', 184],
    ['2 hrs 20 min', 8400],
    ['2h20min', 8400],
    ['6 mos 1 day', 6 * 30 * 86_400 + 86_400],
    ['47 yrs 6 mos and 4d', 47 * 31_557_600 + 6 * 30 * 86_400 + 4 * 86_400],
    ['3 weeks and 2 days', 23 * 86_400],
    ['1 week, 1 hour', 7 * 86_400 + 3600],
    ['1.5 hours', 5400],
    ['two days', 172_800],
    ['42', 42],
    ['0', 0],
    ['1:30', 90],
    ['1:00:00', 3600],
    ['never', null],
    ['1 Day', 86_400],
    ['soon', undefined],
    ['', undefined],
    ['day', undefined],
    ['1 day 2', undefined],
    ['-1 day', undefined],
    ['1 lightyear', undefined],
    ['$TIMEOUT', undefined],
  ])('reads %j as %j', (text, seconds) => {
    expect(parseDuration_s(text)).toBe(seconds)
  })
})

describe('expandVariables', () => {
  it.each([
    ['$A and ${A}', 'one and one'],
    ['$NONE.${NONE}.', '..'],
    ['$$A costs $$', '$$A costs $$'],
    ['$', '$'],
    ['${A', '${A'],
    ['$A_B', ''],
    ['$constructor', ''],
  ])('makes of %j %j', (text, expanded) => {
    expect(expandVariables(text, createVariableLookup({ A: 'one' }), 100)).toBe(expanded)
  })

  it('expands variables in variables, as far as that ends', () => {
    const expandAll = (values: Record<string, string>) => {
      const lookup = createExpandingVariableLookup(values, new StepBudget())
      return Object.fromEntries(Object.keys(values).map((name) => [name, lookup(name)]))
    }
    expect(expandAll({ A: '$B-$C', B: 'b', C: '${D}', D: 'd$$E' })).toMatchObject({ A: 'b-d$$E' })
    expect(expandAll({ A: '$B', B: '$A' })).toEqual({ A: '$B', B: '$B' })
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`V${at}`, at === 39 ? 'x' : `$V${at + 1}$V${at + 1}`]),
    )
    const lengths = Object.values(expandAll(doubling)).map((value) => value?.length ?? 0)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 1024)
  })

  it('makes nothing longer than it may', () => {
    const lookup = createVariableLookup({ A: 'a'.repeat(10) })
    expect(expandVariables('$A$A', lookup, 20)).toBe('a'.repeat(20))
    for (const text of ['$A$A', '$A--$A', 'x'.repeat(20), '$'.repeat(200), '$NONE'.repeat(100)]) {
      expect(expandVariables(text, lookup, 19)).toBeUndefined()
    }
  })
})

describe('a text that grows when its variables are expanded', () => {
  const grown = { A: 'a'.repeat(1000), B: '$A$A$A$A$A$A$A$A$A$A', C: '$B$B$B$B$B$B' }
  const long = '$C'.repeat(500)
  const job = (more: object) => ({ script: 'x', ...more })
  /** Each keyword that the plan expands, with a text in it that becomes 30 MB. */
  const places: Record<string, (text: string) => object> = {
    'a tag': (text) => ({ j: job({ tags: [text] }) }),
    'many tags': (text) => ({ j: job({ tags: Array(50).fill(text) }) }),
    'a resource group': (text) => ({ j: job({ resource_group: text }) }),
    'the environment of a resource group': (text) => ({
      j: job({ environment: text.slice(0, 255), resource_group: '$CI_ENVIRONMENT_NAME' }),
    }),
    'the name of a pipeline': (text) => ({ workflow: { name: text.slice(0, 255) }, j: job({}) }),
    'a path that changed': (text) => ({ j: job({ rules: [{ changes: [text] }] }) }),
    'what changes are compared with': (text) => ({
      j: job({ rules: [{ changes: { paths: ['a'], compare_to: text } }] }),
    }),
    'a path that exists': (text) => ({ j: job({ rules: [{ exists: [text] }] }) }),
    'an include': (text) => ({ include: [{ local: `${text}.yml` }], j: job({}) }),
    'a project of an include': (text) => ({
      include: [{ project: text, file: 'a.yml' }],
      j: job({}),
    }),
  }
  it.each(Object.entries(places))(
    'is cut short or refused, as %s of many jobs',
    async (_, make) => {
      for (const text of [long, '$NONE'.repeat(2000)]) {
        const { j, ...common } = make(text) as { j: object }
        const shared = { variables: grown, ...common }
        const keys = Object.entries(shared).map(
          ([key, value]) => `${key}: ${JSON.stringify(value)}`,
        )
        const jobs = lines(200, (at) => `j${at}: *j`)
        const config = `${keys.join('\n')}\n.j: &j ${JSON.stringify(j)}\n${jobs}\n`
        const work = new StepBudget()
        const began = process.memoryUsage().heapUsed
        const { plan, diagnostics } = await planPipeline({
          text: JSON.stringify(config),
          path: 'ci.yml',
          event: { ...event, given: grown },
          files: filesOf(),
          work,
        })
        expect(plan !== undefined || diagnostics.length > 0).toBe(true)
        expect(JSON.stringify([plan, diagnostics]).length).toBeLessThan(5_000_000)
        expect(work.steps).toBeLessThan(limits.ci.steps_max * 1.1)
        expect(process.memoryUsage().heapUsed - began).toBeLessThan(300_000_000)
      }
    },
  )

  it('is refused as the audience of more tokens than a job may have', async () => {
    const tokens = (count: number, aud: string[]) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`T${at}`, { aud }]))
    const told = async (id_tokens: object) =>
      (await plan(JSON.stringify({ a: { script: 'x', id_tokens } }))).diagnostics.map(
        ({ text }) => text,
      )
    expect(await told(tokens(20, Array(20).fill('a')))).toEqual([])
    expect(await told(tokens(21, ['a']))).toEqual([
      'jobs:a:id_tokens config has too many items (maximum is 20)',
    ])
    expect(await told(tokens(1, Array(21).fill('a')))).toEqual([
      'jobs:a:id_tokens:t0 config has too many items (maximum is 20)',
    ])
  })
})
