// A table is asked for a key that somebody chose only by `ownValue`, or is a Map: every object inherits
// `constructor`, `toString` and more, which would be found in a table that has no such key.
import {
  isBinaryExpression,
  isDeleteExpression,
  isElementAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { afterAll, expect, it } from 'vitest'
import { nodesOf, readSyntax } from './kit/syntax.ts'

const syntax = readSyntax()
afterAll(syntax.close)

/** Reading `table[key]`, where the table is one of any texts and the key any text. */
function isOpenLookup(node: Node): boolean {
  if (!isElementAccessExpression(node)) return false
  const { parent } = node
  const isSet =
    isDeleteExpression(parent) ||
    (isBinaryExpression(parent) && parent.left === node && parent.operatorToken.getText() === '=')
  const key = syntax.checker.getTypeAtLocation(node.argumentExpression)
  if (isSet || !key || syntax.checker.typeToString(key) !== 'string') return false
  const table = syntax.checker.getTypeAtLocation(node.expression)
  return table !== undefined && syntax.checker.typeToString(table) !== 'string[]'
}

function openLookups(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    [...nodesOf(file)].filter(isOpenLookup).map((node) => syntax.placeOf(node, file)),
  )
}

it('tables are asked for what somebody chose by ownValue alone', () => {
  // Rows and columns of the database have the names the schema gave them.
  const files = syntax.sources.filter(({ fileName }) => !fileName.includes('/src/db/'))
  const found = openLookups(files).map((place) => place.replace(/:\d+$/, ''))
  expect(found).toEqual(['src/kernel/own-value.ts'])
})
