// `cache`: one, or a list of a few.

import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import {
  type Field,
  fieldOf,
  readBoolean,
  readEnum,
  readText,
  reportFieldError,
  requireDict,
  scalarTextOf,
  textsOf,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedCache } from '../planned.ts'
import { artifactWhenValues } from './artifacts.ts'

const keys = ['key', 'untracked', 'paths', 'when', 'policy', 'unprotect', 'fallback_keys']
const policies = ['pull-push', 'push', 'pull'] as const

export function readCaches(field: Field): PlannedCache[] | undefined {
  const { node } = field
  if (node.kind !== 'list') {
    const cache = readCache(field)
    return cache && [cache]
  }
  if (node.items.length > limits.ci.caches_max) {
    return reportFieldError(field, ciMessages.tooManyCaches)
  }
  return node.items.flatMap((item) => readCache({ ...field, node: item }) ?? [])
}

function readCache(field: Field): PlannedCache | undefined {
  const dict = requireDict(field, keys)
  if (!dict) return undefined
  return withoutUndefined({
    key: readKey(dict),
    paths: readPaths(dict, 'paths'),
    untracked: readBoolean(dict, 'untracked'),
    // What is written with a variable is known when the job runs.
    policy:
      readVariableWord(dict, 'policy') ?? readEnum(dict, 'policy', policies, ciMessages.oneOf),
    when: readEnum(dict, 'when', artifactWhenValues, ciMessages.oneOf),
    unprotect: readBoolean(dict, 'unprotect'),
    fallback_keys: readPaths(dict, 'fallback_keys'),
  })
}

/** A policy that is a variable is carried as it stands. */
function readVariableWord(field: Field, key: string): PlannedCache['policy'] {
  const text = fieldOf(field, key)?.node
  const word = text && scalarTextOf(text)
  return word?.startsWith('$') ? (word as PlannedCache['policy']) : undefined
}

export function readPaths(field: Field, key: string): string[] | undefined {
  const found = fieldOf(field, key)
  if (!found) return undefined
  return textsOf(found.node) ?? reportFieldError(found, `config ${ciMessages.texts}`)
}

function readKey(cache: Field): PlannedCache['key'] {
  const field = fieldOf(cache, 'key')
  if (!field) return undefined
  const text = scalarTextOf(field.node)
  if (text !== undefined) return checkKey(field, text)
  const dict = requireDict(field, ['files', 'files_commits', 'prefix'], ciMessages.cacheKeyShape)
  if (!dict) return undefined
  const files = readPaths(dict, 'files') ?? readPaths(dict, 'files_commits')
  if (!files) return reportFieldError(dict, ciMessages.requiredKeys('files'))
  const at = fieldOf(dict, 'files') ?? dict
  if (files.length === 0) return reportFieldError(at, ciMessages.keyFilesMissing)
  if (files.length > 2) return reportFieldError(at, ciMessages.keyFilesTooMany)
  return withoutUndefined({ files, prefix: readText(dict, 'prefix') })
}

function checkKey(field: Field, text: string): string | undefined {
  if (text.includes('/') || text.toLowerCase().includes('%2f')) {
    return reportFieldError(field, `config ${ciMessages.cacheKeyPath}`)
  }
  const isDots = ['.', '..'].includes(text.toLowerCase().replaceAll('%2e', '.'))
  return isDots ? reportFieldError(field, `config ${ciMessages.cacheKeyDots}`) : text
}
