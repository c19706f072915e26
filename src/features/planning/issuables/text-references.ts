// Finds references in texts of issues, merge requests, notes and commits: to issues, merge requests and users, and to
// issues they close (docs/api/issues.md, "References" and "Closing"). Takes time linear in the text.
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'

export type IssuableReference = {
  kind: IssuableKind
  /** The text before the sign: none, the path of a project in the same namespace, or a full path. */
  path: string | undefined
  iid: number
}

export type ReferencesInText = { references: IssuableReference[]; usernames: string[] }

const word_characters_max = 600
const separators = /[\s()<>[\]{},;"'`|*~]+/
const pathPattern = /^[\w.-]+(?:\/[\w.-]+)*$/
const mentionPattern = /^@([A-Za-z0-9_][\w.-]{0,254})$/

/** Returns the text without fenced and inline code, in which references do not count. */
function withoutCode(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    const mark = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : undefined
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined
      continue
    }
    if (fence === undefined) lines.push(line.includes('`') ? withoutSpans(line) : line)
  }
  return lines.join('\n')
}

function withoutSpans(line: string): string {
  // Pieces at odd positions are between two backticks.
  const pieces = line.split('`')
  return pieces.filter((_, at) => at % 2 === 0 || at === pieces.length - 1).join(' ')
}

/**
 * Returns the issues and merge requests that a text references by `#1`, `group/project!2` or their URL, and the users that
 * it mentions by `@name`.
 */
export function parseReferences(text: string, baseUrl?: string): ReferencesInText {
  const references = new Map<string, IssuableReference>()
  const usernames = new Set<string>()
  for (const word of withoutCode(text).split(separators, limits.reference_words_max)) {
    if (word.length > word_characters_max) continue
    const bare = word.replace(/[.:!?]{1,3}$/, '')
    const name = mentionPattern.exec(bare)?.[1]
    if (name !== undefined && usernames.size < limits.text_references_max) {
      usernames.add(name.toLowerCase())
    }
    const reference = readReference(bare, baseUrl)
    if (reference && references.size < limits.text_references_max) {
      references.set(`${reference.path}${reference.kind}${reference.iid}`, reference)
    }
  }
  return { references: [...references.values()], usernames: [...usernames] }
}

const segments: Readonly<Record<string, IssuableKind>> = {
  issues: 'issue',
  merge_requests: 'merge_request',
}
const numberPattern = /^[1-9]\d{0,8}$/

function readReference(word: string, baseUrl: string | undefined): IssuableReference | undefined {
  const sign = Math.max(word.indexOf('#'), word.indexOf('!'))
  if (sign >= 0 && numberPattern.test(word.slice(sign + 1))) {
    const kind = word[sign] === '#' ? 'issue' : 'merge_request'
    const named = word.slice(0, sign)
    const iid = Number(word.slice(sign + 1))
    if (named === '') return { kind, path: undefined, iid }
    return pathPattern.test(named) ? { kind, path: named, iid } : undefined
  }
  if (baseUrl === undefined || !word.startsWith(`${baseUrl}/`)) return undefined
  const [path = '', rest = '', ...more] = word.slice(baseUrl.length + 1).split('/-/')
  const [segment = '', last = '', ...beyond] = rest.split('/')
  const [digits = ''] = last.split('#', 1)
  const kind = ownValue(segments, segment)
  const isAddress = more.length === 0 && beyond.length === 0 && numberPattern.test(digits)
  return kind && isAddress && path !== '' ? { kind, path, iid: Number(digits) } : undefined
}

const closingWords = new Set(
  ['clos', 'fix', 'resolv', 'implement'].flatMap((stem) => {
    const base = stem === 'clos' || stem === 'resolv' ? `${stem}e` : stem
    const third = stem === 'fix' ? 'fixes' : `${base}s`
    return [base, third, `${stem}ed`, `${stem}ing`]
  }),
)

/**
 * Returns the issues that a text says it closes: `Closes #1, #2 and group/project#3`. Does not check whether they exist and
 * may be closed.
 */
export function parseClosingReferences(text: string, baseUrl?: string): IssuableReference[] {
  const words = withoutCode(text)
    .split(/[\s()<>[\]{};"'`|*~]+/, limits.reference_words_max)
    .flatMap((word) =>
      word.includes(',') ? word.split(',').flatMap((part) => [part, ',']) : [word],
    )
    .filter((word) => word !== '')
  const found = new Map<string, IssuableReference>()
  let isClosing = false
  let mayEnd = false
  for (const word of words) {
    const plain = word.toLowerCase().replace(/:$/, '')
    if (closingWords.has(plain)) {
      isClosing = true
      mayEnd = false
      continue
    }
    if (!isClosing) continue
    if (plain === ',' || plain === 'and') continue
    if (!mayEnd && (plain === 'issue' || plain === 'issues' || plain === '')) continue
    const reference =
      word.length > word_characters_max
        ? undefined
        : readReference(word.replace(/[.:!?]{1,3}$/, ''), baseUrl)
    if (reference?.kind !== 'issue') {
      isClosing = false
      continue
    }
    mayEnd = true
    if (found.size < limits.text_references_max) {
      found.set(`${reference.path}#${reference.iid}`, reference)
    }
  }
  return [...found.values()]
}

export type TaskItem = { text: string; isDone: boolean }

const taskPattern = /^(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s/

/** Returns the task list items of a text, in order. */
export function parseTaskItems(text: string | null): TaskItem[] {
  if (text === null || !text.includes('[')) return []
  const tasks: TaskItem[] = []
  for (const line of withoutFences(text)) {
    const item = line.trimStart()
    const [start, mark] = taskPattern.exec(item) ?? []
    if (start !== undefined) {
      tasks.push({ text: item.slice(start.length).trim(), isDone: mark !== ' ' })
    }
  }
  return tasks
}

function* withoutFences(text: string): Generator<string> {
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    else if (!isCode) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
