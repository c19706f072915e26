// `cache`: one, or a list of a few.

import { limits } from '../../kernel/limits.ts'
import {
  asDict,
  type Field,
  fieldOf,
  looseTextOf,
  readBoolean,
  readText,
  readWord,
  refuse,
  textsOf,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedCache } from '../planned.ts'
import { texts } from '../texts.ts'
import { uploadTimes } from './artifacts.ts'

const keys = ['key', 'untracked', 'paths', 'when', 'policy', 'unprotect', 'fallback_keys']
const policies = ['pull-push', 'push', 'pull'] as const

export function readCaches(field: Field): PlannedCache[] | undefined {
  const { node } = field
  if (node.kind !== 'list') {
    const cache = readCache(field)
    return cache && [cache]
  }
  if (node.items.length > limits.ci.caches_max) {
    return refuse(field, texts.tooManyCaches)
  }
  return node.items.flatMap((item) => readCache({ ...field, node: item }) ?? [])
}

function readCache(field: Field): PlannedCache | undefined {
  const dict = asDict(field, keys)
  if (!dict) return undefined
  return withoutUndefined({
    key: readKey(dict),
    paths: readPaths(dict, 'paths'),
    untracked: readBoolean(dict, 'untracked'),
    // What is written with a variable is known when the job runs.
    policy: readVariableWord(dict, 'policy') ?? readWord(dict, 'policy', policies, texts.oneOf),
    when: readWord(dict, 'when', uploadTimes, texts.oneOf),
    unprotect: readBoolean(dict, 'unprotect'),
    fallback_keys: readPaths(dict, 'fallback_keys'),
  })
}

/** A policy that is a variable is carried as it stands. */
function readVariableWord(field: Field, key: string): PlannedCache['policy'] {
  const text = fieldOf(field, key)?.node
  const word = text && looseTextOf(text)
  return word?.startsWith('$') ? (word as PlannedCache['policy']) : undefined
}

export function readPaths(field: Field, key: string): string[] | undefined {
  const found = fieldOf(field, key)
  if (!found) return undefined
  return textsOf(found.node) ?? refuse(found, `config ${texts.texts}`)
}

function readKey(cache: Field): PlannedCache['key'] {
  const field = fieldOf(cache, 'key')
  if (!field) return undefined
  const text = looseTextOf(field.node)
  if (text !== undefined) return checkKey(field, text)
  const dict = asDict(field, ['files', 'files_commits', 'prefix'], texts.cacheKeyShape)
  if (!dict) return undefined
  const files = readPaths(dict, 'files') ?? readPaths(dict, 'files_commits')
  if (!files) return refuse(dict, texts.requiredKeys('files'))
  const at = fieldOf(dict, 'files') ?? dict
  if (files.length === 0) return refuse(at, texts.keyFilesMissing)
  if (files.length > 2) return refuse(at, texts.keyFilesTooMany)
  return withoutUndefined({ files, prefix: readText(dict, 'prefix') })
}

function checkKey(field: Field, text: string): string | undefined {
  if (text.includes('/') || text.toLowerCase().includes('%2f')) {
    return refuse(field, `config ${texts.cacheKeyPath}`)
  }
  const isDots = ['.', '..'].includes(text.toLowerCase().replaceAll('%2e', '.'))
  return isDots ? refuse(field, `config ${texts.cacheKeyDots}`) : text
}
