// Every regular expression in the sources takes time linear in the text it is tried on, wherever in the
// text it may begin. Texts come from callers, and one thread serves them all.
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

const analysed = new Map<string, Promise<string | undefined>>()

/** What is wrong with an expression; undefined where it is proven linear. */
function problemOf({ source, flags }: Expression): Promise<string | undefined> {
  const key = `/${source}/${flags}`
  const known = analysed.get(key) ?? analyse(source, flags)
  analysed.set(key, known)
  return known
}

/** `automaton` proves; the other checker of the package only tries. */
async function analyse(source: string, flags: string): Promise<string | undefined> {
  const found = await check(source, flags, { checker: 'automaton', timeout: 120_000 })
  if (found.status === 'safe') return undefined
  return found.status === 'vulnerable' ? found.complexity.summary : `unknown: ${found.error.kind}`
}

async function problemsIn(files: readonly SourceFile[]): Promise<string[]> {
  const problems: string[] = []
  for (const file of files) {
    const { expressions, made } = findExpressions(file)
    problems.push(...made.map((place) => `${place} made at run time`))
    for (const expression of expressions) {
      const problem = await problemOf(expression)
      if (problem) problems.push(`${expression.place} /${expression.source}/: ${problem}`)
    }
  }
  return problems
}

describe('regular expressions', () => {
  it('are linear, each of them', { timeout: 300_000 }, async () => {
    // Those of callers, which an engine runs that is linear or refuses them.
    const own = (problem: string) => problem.startsWith('src/kernel/linear-expression.ts')
    const problems = await problemsIn(syntax.sources)
    expect(problems.filter((problem) => !own(problem))).toEqual([])
    expect(problems.filter(own)).toHaveLength(1)
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
    const problems = await problemsIn([syntax.file('test/linear-expressions.test.ts')])
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
