// Every regular expression in the sources takes time linear in the text it is tried on, wherever in the
// text it may begin. Texts come from callers, and one thread serves them all.
// What a proof says depends on nothing but the expression, and one may take a minute: test/linear-expressions.txt keeps those
// that are proven. UPDATE=1 npm test -- test/linear-expressions proves all of them anew and rewrites it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateHead,
  isTypeReferenceNode,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { afterAll, describe, expect, it } from 'vitest'
import { nodesOf, readSyntax } from './kit/syntax.ts'

// In JavaScript alone: neither Java nor a program for one kind of machine decides what is good.
process.env.RECHECK_BACKEND = 'pure'

const syntax = readSyntax()
afterAll(syntax.close)

type Expression = { place: string; source: string; flags: string }

/** The expressions of a file, and the places where one is made that nobody can read beforehand. */
function findExpressions(file: SourceFile): { expressions: Expression[]; made: string[] } {
  const expressions: Expression[] = []
  const made: string[] = []
  for (const node of nodesOf(file)) {
    const place = () => syntax.placeOf(node, file)
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
      expressions.push({ place: place(), source, flags })
    } else if (isStringLiteral(node) || isTemplateHead(node)) {
      for (const source of inRoute(node.text))
        expressions.push({ place: place(), source, flags: '' })
    } else if (makesExpression(node)) made.push(place())
  }
  return { expressions, made }
}

/** The router makes expressions of what stands in brackets: `/users/:id(^\\d+$)`. */
function inRoute(text: string): string[] {
  return [...text.matchAll(/:\w+\(((?:[^()]|\([^()]*\))*)\)/g)].map((match) => match[1] ?? '')
}

/** `RegExp` used as a value, or a text given to a method that would make an expression of it. */
function makesExpression(node: Node): boolean {
  if (isIdentifier(node)) return node.text === 'RegExp' && !isTypeReferenceNode(node.parent)
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false
  const { name, expression: receiver } = node.expression
  const [argument] = node.arguments
  if (!['match', 'matchAll', 'search'].includes(name.text) || !argument) return false
  return nameOfType(receiver).startsWith('string') && nameOfType(argument) !== 'RegExp'
}

function nameOfType(node: Node): string {
  const type = syntax.checker.getTypeAtLocation(node)
  return type ? syntax.checker.typeToString(type) : ''
}

const list = join(import.meta.dirname, 'linear-expressions.txt')
const analyser: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../node_modules/recheck/package.json'), 'utf8'),
)
const about = `# Expressions that recheck ${analyser.version} has proven linear, kept by test/linear-expressions.test.ts.`

/** The expressions that are proven: none of what another analyser has proven. */
function readProven(): Set<string> {
  const [first, ...lines] = readFileSync(list, 'utf8').trimEnd().split('\n')
  return new Set(first === about ? lines : [])
}

const proven = process.env.UPDATE ? new Set<string>() : readProven()
const keyOf = ({ source, flags }: Expression) => `/${source}/${flags}`
const analysed = new Map<string, Promise<string | undefined>>()

/** What is wrong with an expression; undefined where it is proven linear. */
async function problemOf(expression: Expression): Promise<string | undefined> {
  const key = keyOf(expression)
  if (proven.has(key)) return undefined
  const known = analysed.get(key) ?? analyse(expression.source, expression.flags)
  analysed.set(key, known)
  return known
}

/** `automaton` proves; the other checker of the package only tries. */
async function analyse(source: string, flags: string): Promise<string | undefined> {
  const found = await check(source, flags, { checker: 'automaton', timeout: 120_000 })
  if (found.status === 'safe') return undefined
  return found.status === 'vulnerable' ? found.complexity.summary : `unknown: ${found.error.kind}`
}

async function judge(
  files: readonly SourceFile[],
): Promise<{ problems: string[]; linear: Set<string> }> {
  const problems: string[] = []
  const linear = new Set<string>()
  for (const file of files) {
    const { expressions, made } = findExpressions(file)
    problems.push(...made.map((place) => `${place} made at run time`))
    for (const expression of expressions) {
      const problem = await problemOf(expression)
      if (problem) problems.push(`${expression.place} /${expression.source}/: ${problem}`)
      else linear.add(keyOf(expression))
    }
  }
  return { problems, linear }
}

describe('regular expressions', () => {
  it('are linear, each of them', { timeout: 600_000 }, async () => {
    // Those of callers, which an engine runs that is linear or refuses them.
    const own = (problem: string) => problem.startsWith('src/kernel/linear-regex.ts')
    const { problems, linear } = await judge(syntax.sources)
    expect(problems.filter((problem) => !own(problem))).toEqual([])
    expect(problems.filter(own)).toHaveLength(1)
    const document = [about, ...[...linear].sort(), ''].join('\n')
    if (process.env.UPDATE) writeFileSync(list, document)
    expect(document).toBe(readFileSync(list, 'utf8'))
  })

  it('are all found and judged', { timeout: 120_000 }, async () => {
    // What these samples are is read from this very file.
    const samples = [
      () => /=+$/,
      () => /^(?:'[^']*'|[a-z]+)+(?=$| )/,
      () => /^(a|a)*$/,
      (text: string) => new RegExp(text),
      (text: string) => text.match(text),
      () => 'GET /users/:id(^(\\d+)*$)',
    ]
    const { problems } = await judge([syntax.file('test/linear-expressions.test.ts')])
    expect(problems.map((problem) => problem.replace(/^[^ ]* /, '')).sort()).toEqual([
      '/=+$/: 2nd degree polynomial',
      "/^(?:'[^']*'|[a-z]+)+(?=$| )/: unknown: unsupported",
      '/^(\\d+)*$/: exponential',
      '/^(a|a)*$/: exponential',
      'made at run time',
      'made at run time',
    ])
    expect(samples.length).toBe(problems.length)
  })
})
