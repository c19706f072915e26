// Counts the bytes of each language in a commit by file names (and the first line of scripts), with linguist's data and
// rules.

import { readFileSync } from 'node:fs'
import { type ListedFile, listRegularFiles } from '../../../git/files.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'
import { MatchBudget } from '../../../kernel/match-budget.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { trimEndOf } from '../../../kernel/trim.ts'
import { excludedPathKinds, isExcludedPath } from './excluded-paths.ts'
import {
  estimateLinguistMatchCost,
  type LinguistRule,
  linguist_attributes_bytes_max,
  linguistOverridesForPath,
  parseLinguistRules,
} from './linguist-attributes.ts'

type Table = Record<'extensions' | 'filenames' | 'interpreters' | 'names', Record<string, string>>

/** Reads the table for each count and does not cache it: it has 100 KB and is rarely needed. */
function readTable(): Table {
  return JSON.parse(readFileSync(new URL('./language-table.json', import.meta.url), 'utf8'))
}

/** The maximum number of scripts without an extension whose first lines are read. */
const scripts_max = 200

/**
 * The maximum cost of matching paths against rules: there may be tens of thousands of files and hundreds of
 * rules.
 */
const rules_steps_max = 10_000_000

/** Returns the bytes by language; empty for a commit with very many files. */
export async function detectLanguages(
  git: GitAccess,
  repository: Repository,
  commit: Oid,
): Promise<Map<string, number>> {
  const bytes = new Map<string, number>()
  const files = await listRegularFiles(git.git, repository, {
    commit,
    files_max: limits.language_files_max,
  })
  if (!files) return bytes
  const table = readTable()
  const rules = await readAttributes(git, repository, files)
  const count = (language: string, size: number) =>
    bytes.set(language, (bytes.get(language) ?? 0) + size)
  let header_bytes = 0
  let scripts = 0
  const budget = new MatchBudget(rules_steps_max)
  for (const file of files) {
    // Beyond the budget, only file names are considered.
    const asked = budget.count(1 + estimateLinguistMatchCost(rules, file.path)) ? rules : []
    if (budget.isDue) await budget.pause()
    const known = languageOf(table, asked, file)
    if (
      known === undefined &&
      file.isExecutable &&
      isNamedLikeScript(file) &&
      scripts < scripts_max
    ) {
      scripts++
      const language = await interpreterOf(git, repository, table, file)
      if (language) count(language, file.size)
    } else if (known === header) header_bytes += file.size
    else if (known) count(known, file.size)
  }
  if (header_bytes > 0) count(languageOfHeaders(bytes), header_bytes)
  for (const [language, size] of bytes) if (size === 0) bytes.delete(language)
  return bytes
}

/** The extension of headers, which may be C, C++ or Objective-C. */
const header = '.h'

/** Returns the language of headers: that of most sources beside them. */
function languageOfHeaders(bytes: ReadonlyMap<string, number>): string {
  const of = (language: string) => bytes.get(language) ?? 0
  if (of('C++') > of('C')) return 'C++'
  return of('Objective-C') > of('C') ? 'Objective-C' : 'C'
}

/**
 * Returns the language that a file counts for; an empty string if it counts for none, undefined if its name
 * is not enough to decide.
 */
function languageOf(
  table: Table,
  rules: readonly LinguistRule[],
  { path }: ListedFile,
): string | undefined {
  const overrides = rules.length > 0 ? linguistOverridesForPath(rules, path) : {}
  if (excludedPathKinds.some((kind) => overrides[kind] ?? isExcludedPath(path, kind))) return ''
  if (overrides.detectable === false) return ''
  const named = overrides.language && findName(table, overrides.language)
  return named || byName(table, path.slice(path.lastIndexOf('/') + 1))
}

function findName({ names }: Table, name: string): string | undefined {
  return ownValue(names, name) ?? ownValue(names, name.replaceAll('-', ' '))
}

function byName({ filenames, extensions }: Table, name: string): string | undefined {
  const known = ownValue(filenames, name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  // Longer extensions are checked first: `.html.erb` before `.erb`.
  for (let at = lower.indexOf('.'); at >= 0; at = lower.indexOf('.', at + 1)) {
    const extension = lower.slice(at)
    if (extension === header) return header
    const language = ownValue(extensions, extension)
    if (language !== undefined) return language
  }
  return undefined
}

function isNamedLikeScript({ path }: ListedFile): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.')
}

/** Returns the interpreter in the first line, such as `#!/usr/bin/env python3` or `#!/bin/sh`. */
async function interpreterOf(
  git: GitAccess,
  repository: Repository,
  { interpreters }: Table,
  { oid, size }: ListedFile,
): Promise<string | undefined> {
  if (size > limits.cached_blob_bytes) return undefined
  const head = (await git.objects.blob(repository, oid))?.content.toString('latin1', 0, 256) ?? ''
  const line = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?([^\s=]+))?/.exec(head)
  const program = line?.[1]?.endsWith('/env') ? line[2] : line?.[1]
  const name = program?.slice(program.lastIndexOf('/') + 1) ?? ''
  return ownValue(interpreters, name) ?? ownValue(interpreters, trimEndOf(name, '0123456789.'))
}

async function readAttributes(
  git: GitAccess,
  repository: Repository,
  files: readonly ListedFile[],
): Promise<LinguistRule[]> {
  const file = files.find(({ path }) => path === '.gitattributes')
  if (!file || file.size > linguist_attributes_bytes_max) return []
  const blob = await git.objects.blob(repository, file.oid)
  return parseLinguistRules(blob?.content.toString('utf8') ?? '')
}
