// Forms say in German what the server refuses: each text that it says of a field has a translation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { translateProblem, translateSentence } from '../web/text/de/problems.ts'

const root = join(import.meta.dirname, '..')

/** A problem of a field begins with one of these, in a list of its own or as what a function returns. */
const problem =
  /(?:\[|return )(?:"(can't [^"]+|doesn't [^"]+)"|(['`])((?:is|has|must|needs|should|cannot|contains|exceeds|already) [^'`[\]]+)\2)(?:\]|\n)/g

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

it('each has German words', () => {
  const problems = listProblems()
  expect(problems.length).toBeGreaterThan(60)
  expect(problems.filter((text) => translateProblem(text) === text)).toEqual([])
})

it('numbers, addresses and names are kept', () => {
  expect(translateProblem('is too short (minimum is 12 characters)')).toBe(
    'ist zu kurz (mindestens 12 Zeichen)',
  )
  expect(translateProblem('is blocked: Requests to localhost are not allowed')).toContain(
    'localhost',
  )
  expect(translateProblem('what nobody translated $1')).toBe('what nobody translated $1')
  expect(translateProblem('constructor')).toBe('constructor')
  expect(translateSentence('constructor')).toBe('constructor')
  expect(translateSentence('Label already exists')).toBe('Dieses Label gibt es bereits')
})
