// Removes one condition of a query at a time, runs the tests beside it, and lists each removal that no test noticed.
// `npm run mutate:conditions -- <folder or file>... [--tests=<pattern>]... [--only=<pattern>]`
//
// A condition is a call of `where` or `whereRef`, or one of the members of `eb.and([...])` and `eb.or([...])`. Of a folder
// all files are changed and all tests in it are run; of a file, the tests of its folder. `--tests` names further test
// files, `--only` a regular expression that the text of a condition must match. Takes some seconds for each condition.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'vite'

const noticed_percent_min = 85
const timeout_ms = 300_000

type Condition = { file: string; line: number; text: string; from: number; to: number }
type AstNode = { type: string; start: number; end: number; [key: string]: unknown }

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** Every node of a syntax tree, parents before children. */
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

/** The ranges of a source text that hold a condition each; without one of them the text is still valid. */
function rangesOf(node: AstNode): { from: number; to: number }[] {
  const method = methodOf(node)
  if (method?.name === 'where' || method?.name === 'whereRef') {
    return [{ from: method.object.end, to: node.end }]
  }
  if (method?.name !== 'and' && method?.name !== 'or') return []
  const [list] = node.arguments as AstNode[]
  if (list?.type !== 'ArrayExpression') return []
  const members = list.elements as AstNode[]
  if (members.length < 2) return []
  return members.map(({ start, end }, index) => {
    const next = members[index + 1]
    return { from: start, to: next ? next.start : end }
  })
}

/** The conditions of a file, in its order. */
function conditionsOf(file: string): Condition[] {
  const source = readFileSync(file, 'utf8')
  const tree = parseAst(source, { lang: 'ts' }) as unknown as AstNode
  return [...walk(tree)]
    .flatMap(rangesOf)
    .map(({ from, to }) => ({
      file,
      line: source.slice(0, from).split('\n').length,
      text: source.slice(from, to).replace(/\s+/g, ' ').trim(),
      from,
      to,
    }))
    .toSorted((a, b) => a.from - b.from)
}

/** Whether a test fails without the condition. */
function isNoticed({ file, from, to }: Condition): boolean {
  return !passes({ MUTATE_FILE: resolve(file), MUTATE_RANGE: `${from}-${to}` })
}

function passes(env: Record<string, string>): boolean {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tools/mutate-conditions.vitest.ts',
  ]
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env, MUTATE_TESTS: tests.join('\n') },
    stdio: 'ignore',
    timeout: timeout_ms,
    killSignal: 'SIGKILL',
  })
  return status === 0
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
if (!passes({})) {
  console.error('The tests fail without a mutation. Fix them first.')
  process.exit(2)
}
let noticed = 0
for (const condition of conditions) {
  if (isNoticed(condition)) noticed += 1
  else console.log(`survived: ${condition.file}:${condition.line} ${condition.text}`)
}
const percent = (noticed * 100) / conditions.length
console.log(`${noticed} of ${conditions.length} mutants killed, ${percent.toFixed(1)} %`)
process.exit(percent < noticed_percent_min ? 1 : 0)
