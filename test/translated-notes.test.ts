// Pages say in German what the server notes of changes: each text that the sources can note has a translation.
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  type Node,
} from 'typescript/unstable/ast'
import { afterAll, expect, it } from 'vitest'
import { translateNote } from '../web/text/de/system-notes.ts'
import { elementSign, type NotePart } from '../web/text/system-notes.ts'
import { nodesOf, nodesWithin, readSyntax } from './kit/syntax.ts'
import { readWrittenTexts } from './kit/written-texts.ts'

const syntax = readSyntax()
afterAll(syntax.close)

const texts = readWrittenTexts(syntax, ['notes', 'reason'])

/** The functions that note something, and the name of what they are handed for it. */
const writers: Readonly<Record<string, string>> = {
  insertSystemNotes: 'bodies',
  insertMentionNotes: 'body',
}

/** What one call or one addition to a list of notes can note, by its place. */
function listNotes(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const file of syntax.sources) {
    for (const node of nodesOf(file)) {
      const given = givenNotes(node)
      if (given.length > 0) found.set(syntax.placeOf(node, file), given.flatMap(texts.of))
    }
  }
  return found
}

function givenNotes(node: Node): Node[] {
  if (!isCallExpression(node)) return []
  const { expression: callee } = node
  if (isIdentifier(callee)) {
    const name = writers[callee.text]
    if (name === undefined) return []
    return [...nodesWithin(node)].filter(
      (inner) =>
        (isPropertyAssignment(inner) || isShorthandPropertyAssignment(inner)) &&
        inner.name.getText() === name,
    )
  }
  // Lists of notes are called so wherever one is handed on.
  const isPush =
    isPropertyAccessExpression(callee) &&
    callee.name.text === 'push' &&
    callee.expression.getText() === 'notes' &&
    typeOf(callee.expression) === 'string[]'
  return isPush ? [...node.arguments] : []
}

function typeOf(node: Node): string {
  const type = syntax.checker.getTypeAtLocation(node)
  return type ? syntax.checker.typeToString(type) : ''
}

/** As a page asks for the translation of each paragraph. */
function noteOf(paragraph: string): { text: string; masked: string } {
  const text = paragraph.replace(/^\[([^\]]+)\]\([^)]+\)$/, '$1')
  return { text, masked: text.replace(/\*\*[^*]+\*\*|`[^`]+`/g, elementSign) }
}

const paragraphsOf = (note: string) =>
  note.split('\n\n').filter((paragraph) => !paragraph.startsWith('<ul>'))

/** The translation, with what stays in its place. */
function say(note: string): string | undefined {
  const { text, masked } = noteOf(note)
  const parts: readonly NotePart[] | undefined = translateNote({ text, masked })
  return parts
    ?.map((part) => {
      if (typeof part === 'string') return part
      const words = masked.slice(part.from, part.to)
      return part.translate?.(words) ?? words
    })
    .join('')
}

it('each note has German words', () => {
  const notes = listNotes()
  const all = new Set([...notes.values()].flat().flatMap(paragraphsOf))
  expect([...notes].filter(([, found]) => found.length === 0)).toEqual([])
  expect(all.size).toBeGreaterThan(70)
  for (const note of [
    'changed title from **7** to **7**',
    'assigned to @7 and unassigned @7',
    'added 7 commits',
    '[Compare with previous version](7/diffs?diff_id=7&start_sha=7)',
    'mentioned in merge request 77',
    'changed due date to March 7, 7',
    'locked this merge request',
    'marked this merge request as **draft**',
  ]) {
    expect(all).toContain(note)
  }
  expect([...all].filter((note) => say(note) === undefined)).toEqual([])
})

it('only those functions write system notes', () => {
  const places = syntax.sources.flatMap((file) =>
    [...nodesOf(file)]
      .filter((node) => isPropertyAssignment(node) && /^system: true\b/.test(node.getText()))
      .map((node) => syntax.placeOf(node, file).replace(/:\d+$/, '')),
  )
  expect([...new Set(places)]).toEqual(['src/features/planning/issuables/issuable.ts'])
})

it('what people wrote stays as it is', () => {
  expect(say('assigned to @ada and @bo and unassigned @cy')).toBe(
    'hat @ada und @bo zugewiesen und die Zuweisung von @cy entfernt',
  )
  expect(say('changed due date to March 7, 2026')).toBe(
    'hat das Fälligkeitsdatum auf 7. März 2026 geändert',
  )
  expect(say('changed due date to some day')).toBe('hat das Fälligkeitsdatum auf some day geändert')
  expect(say('changed title from **a** to **b to c**')).toBe(
    `hat den Titel von ${elementSign} in ${elementSign} geändert`,
  )
  expect(say('mentioned in issue other/shop#7')).toBe('hat dies in Issue other/shop#7 erwähnt')
  expect(say('mentioned in issue ')).toBeUndefined()
  expect(say('what nobody translated')).toBeUndefined()
  expect(say('constructor')).toBeUndefined()
})
