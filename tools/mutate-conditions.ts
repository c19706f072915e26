// Removes one condition of a query at a time, runs the tests beside it, and lists each removal that no test noticed.
// `npm run mutate:conditions -- <folder or file>... [--tests=<pattern>]... [--only=<pattern>]`
//
// A condition is a call of `where` or `whereRef`, or one of the members of `eb.and([...])` and `eb.or([...])`. Of a folder
// all files are changed and all tests in it are run; of a file, the tests of its folder. `--tests` names further test
// files, `--only` a regular expression that the text of a condition must match. All tests run once at the beginning, to
// see which of them reach which condition; only those run without it, the quickest first. Takes some seconds for each.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'vite'
import type { Part } from './mutate-conditions.changes.ts'
import type { ReachedConditions } from './mutate-conditions.reached.ts'

const noticed_percent_min = 85
const timeout_ms = 300_000

type Range = { from: number; to: number }

type Condition = Range & {
  file: string
  line: number
  text: string
  /** The expression that is evaluated whenever the condition becomes part of a query. */
  evaluated: Range
}
type AstNode = { type: string; start: number; end: number; [key: string]: unknown }

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** Yields every node of a syntax tree, parents before children. */
function* walk(node: AstNode): Generator<AstNode> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* walk(child)
    }
  }
}

/** The name of the method that a call calls, and what it is called on. */
function methodOf(node: AstNode): { name: string; object: AstNode } | undefined {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined
  const { property, object } = node.callee
  if (!isNode(property) || !isNode(object) || typeof property.name !== 'string') return undefined
  return { name: property.name, object }
}

const rangeOf = ({ start, end }: AstNode): Range => ({ from: start, to: end })

/** The ranges of a source text that hold a condition each; without one of them the text is still valid. */
function rangesOf(node: AstNode): (Range & { evaluated: Range })[] {
  const method = methodOf(node)
  if (method?.name === 'where' || method?.name === 'whereRef') {
    return [{ from: method.object.end, to: node.end, evaluated: rangeOf(method.object) }]
  }
  if (method?.name !== 'and' && method?.name !== 'or') return []
  const [list] = node.arguments as AstNode[]
  if (list?.type !== 'ArrayExpression') return []
  const members = list.elements as AstNode[]
  if (members.length < 2) return []
  return members.map((member, index) => {
    const value = member.type === 'SpreadElement' ? (member.argument as AstNode) : member
    const to = members[index + 1]?.start ?? member.end
    return { from: member.start, to, evaluated: rangeOf(value) }
  })
}

/** The conditions of a file, in its order. */
function conditionsOf(file: string): Condition[] {
  const source = readFileSync(file, 'utf8')
  const tree = parseAst(source, { lang: 'ts' }) as unknown as AstNode
  return [...walk(tree)]
    .flatMap(rangesOf)
    .map((range) => ({
      ...range,
      file,
      line: source.slice(0, range.from).split('\n').length,
      text: source.slice(range.from, range.to).replace(/\s+/g, ' ').trim(),
    }))
    .toSorted((a, b) => a.from - b.from)
}

/** Runs test files, in the order given, and says whether all pass. */
function passes(tests: string[], env: Record<string, string>): boolean {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tools/mutate-conditions.vitest.ts',
  ]
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env, MUTATE_TESTS: tests.join('\n') },
    stdio: 'ignore',
    timeout: env.MUTATE_REMOVAL ? timeout_ms : 0,
    killSignal: 'SIGKILL',
  })
  return status === 0
}

/** The test files that reach each condition, the quickest first. Ends the program when one of them fails. */
function findTests(tests: string[], conditions: Condition[]): Map<Condition, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-conditions-'))
  const marks = conditions.map(
    ({ file, evaluated }): Part => ({ file: resolve(file), ...evaluated }),
  )
  const env = { MUTATE_REACHED: folder, MUTATE_MARKS: JSON.stringify(marks) }
  if (!passes(tests, env)) {
    console.error('The tests fail without a mutation. Fix them first.')
    process.exit(2)
  }
  const runs = readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReachedConditions)
    .toSorted((a, b) => a.duration_ms - b.duration_ms)
  rmSync(folder, { recursive: true })
  return new Map(
    conditions.map((condition, index) => [
      condition,
      runs.filter(({ reached }) => reached.includes(index)).map(({ test }) => test),
    ]),
  )
}

const args = process.argv.slice(2)
const valuesOf = (option: string) =>
  args.filter((arg) => arg.startsWith(option)).map((arg) => arg.slice(option.length))
const named = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.replace(/\/$/, ''))
const only = new RegExp(valuesOf('--only=')[0] ?? '')
const isFolder = (path: string) => statSync(path).isDirectory()
const files = named
  .flatMap((path) => (isFolder(path) ? globSync(join(path, '**/*.ts')) : [path]))
  .filter((path) => !/\.(test|examples)\.ts$/.test(path))
  .toSorted()
const tests = [
  ...new Set(named.map((path) => join(isFolder(path) ? path : dirname(path), '**/*.test.ts'))),
  ...valuesOf('--tests='),
]
const conditions = files.flatMap(conditionsOf).filter(({ text }) => only.test(text))
if (conditions.length === 0) {
  console.error(
    'No query conditions found. Usage: npm run mutate:conditions -- <folder or file>... [--tests=<pattern>]... [--only=<pattern>]',
  )
  process.exit(2)
}
const testsOf = findTests(tests, conditions)
let noticed = 0
for (const condition of conditions) {
  const { file, line, text, from, to } = condition
  const reaching = testsOf.get(condition) ?? []
  const removal: Part = { file: resolve(file), from, to }
  const env = { MUTATE_REMOVAL: JSON.stringify(removal) }
  if (reaching.length > 0 && !passes(reaching, env)) noticed += 1
  else console.log(`${reaching.length > 0 ? 'survived' : 'not reached'}: ${file}:${line} ${text}`)
}
const percent = (noticed * 100) / conditions.length
console.log(`${noticed} of ${conditions.length} mutants killed, ${percent.toFixed(1)} %`)
process.exit(percent < noticed_percent_min ? 1 : 0)
