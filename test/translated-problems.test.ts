// Pages say in German what the server refuses: each text that the sources can refuse with has a translation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNewExpression, isPropertyAssignment, type Node } from 'typescript/unstable/ast'
import { afterAll, expect, it } from 'vitest'
import { Refusal } from '../web/api/refusal.ts'
import { translateFieldName, translateProblem } from '../web/text/de/problems.ts'
import { nodesOf, nodesWithin, readSyntax } from './kit/syntax.ts'
import { readWrittenTexts } from './kit/written-texts.ts'

const syntax = readSyntax()
afterAll(syntax.close)

const nodes = syntax.sources.flatMap((file) => [...nodesOf(file)])
const texts = readWrittenTexts(syntax)

/** What `new ApiError(kind, detail, options)` is given in place of the second, and in what the third says beside it. */
function listRefusals(): string[] {
  const found = nodes.flatMap((node): readonly string[] => {
    if (!isNewExpression(node) || node.expression.getText() !== 'ApiError') return []
    const [, detail, options] = node.arguments ?? []
    const described = options ? [...nodesWithin(options)].filter(isDescription) : []
    return [detail, ...described].flatMap((one) => (one ? texts.of(one) : []))
  })
  return [...new Set(found)].sort()
}

const isDescription = (node: Node) =>
  isPropertyAssignment(node) && node.name.getText() === 'error_description'

const root = join(import.meta.dirname, '..')

/** A problem of a field begins with one of these, in a list of its own or as what a function returns. */
const problem =
  /(?:\[|return )(?:"(can't [^"]+|doesn't [^"]+)"|(['`])((?:is|has|must|needs|should|cannot|contains|exceeds|already) [^'`[\]]+)\2)(?:\]|\n)/g

/** Problems that stand in the sources, whatever becomes of them: checks hand some on through records. */
function listProblems(): string[] {
  const files = [
    ...globSync('src/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }),
    'src/kernel/names.ts',
  ]
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(problem)].map(
      ([, quoted, , text]) => quoted ?? text ?? '',
    ),
  )
  // Numbers stand where the source has expressions, and an address or a size where it says so.
  return [...new Set(found.map((text) => text.replace(/\$\{[^}]*\}/g, '7')))].sort()
}

/** What is left of the text in English, as the page shows it. */
function leftInEnglish(text: string): string[] {
  const body = { message: text }
  const { fields, sentence } = new Refusal({ status: 400, body, requestId: '' })
  const problems = Object.values(fields).flat()
  const said = problems.length > 0 ? problems : [sentence]
  return said.filter((one) => translateProblem(one) === one)
}

it('each refusal has German words', () => {
  const refusals = [...listRefusals(), ...listProblems()]
  expect(refusals.length).toBeGreaterThan(600)
  expect(refusals).toContain("can't be blank")
  expect(refusals).toContain('404 Project Not Found')
  expect(refusals).toContain('403 Forbidden - Runner is locked')
  expect(refusals.flatMap(leftInEnglish)).toEqual([])
})

it('numbers, addresses and names are kept', () => {
  expect(translateProblem('is too short (minimum is 12 characters)')).toBe(
    'ist zu kurz (mindestens 12 Zeichen)',
  )
  expect(translateProblem('is blocked: Requests to localhost are not allowed')).toContain(
    'localhost',
  )
  expect(translateProblem('Project Not Found')).toBe('Projekt nicht gefunden')
  expect(translateProblem('Bad request - name, search are mutually exclusive')).toBe(
    'Es darf nur eines davon angegeben werden: name, search',
  )
  expect(translateProblem("Failed to create branch '$1': Branch name is invalid")).toBe(
    'Der Branch „$1“ konnte nicht angelegt werden: Der Name des Branches ist ungültig',
  )
  expect(translateProblem('what nobody translated $1')).toBe('what nobody translated $1')
  expect(translateProblem('constructor')).toBe('constructor')
  expect(translateProblem('Label already exists')).toBe('Dieses Label gibt es bereits')
  expect(translateFieldName('target_branch')).toBe('Ziel-Branch')
  expect(translateFieldName('other_name')).toBe('other name')
  expect(translateFieldName('constructor')).toBe('constructor')
})
