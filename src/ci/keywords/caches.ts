// `cache`: one, or a list of a few.

import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  readBooleanField,
  readEnumField,
  readTextField,
  reportFieldError,
  requireDictField,
  scalarTextOfNode,
  textsOfListNode,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedCache } from '../planned.ts'
import { artifactWhenValues } from './artifacts.ts'

const keys = ['key', 'untracked', 'paths', 'when', 'policy', 'unprotect', 'fallback_keys']
const policies = ['pull-push', 'push', 'pull'] as const

export function readCacheKeyword(field: ConfigurationField): PlannedCache[] | undefined {
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

function readCache(field: ConfigurationField): PlannedCache | undefined {
  const dict = requireDictField(field, keys)
  if (!dict) return undefined
  return withoutUndefined({
    key: readKey(dict),
    paths: readCachePaths(dict, 'paths'),
    untracked: readBooleanField(dict, 'untracked'),
    // A policy that contains a variable is known only when the job runs.
    policy:
      readVariableWord(dict, 'policy') ?? readEnumField(dict, 'policy', policies, ciMessages.oneOf),
    when: readEnumField(dict, 'when', artifactWhenValues, ciMessages.oneOf),
    unprotect: readBooleanField(dict, 'unprotect'),
    fallback_keys: readCachePaths(dict, 'fallback_keys'),
  })
}

/** A policy that contains a variable is passed on unexpanded. */
function readVariableWord(field: ConfigurationField, key: string): PlannedCache['policy'] {
  const text = childField(field, key)?.node
  const word = text && scalarTextOfNode(text)
  return word?.startsWith('$') ? (word as PlannedCache['policy']) : undefined
}

export function readCachePaths(field: ConfigurationField, key: string): string[] | undefined {
  const found = childField(field, key)
  if (!found) return undefined
  return textsOfListNode(found.node) ?? reportFieldError(found, `config ${ciMessages.texts}`)
}

function readKey(cache: ConfigurationField): PlannedCache['key'] {
  const field = childField(cache, 'key')
  if (!field) return undefined
  const text = scalarTextOfNode(field.node)
  if (text !== undefined) return checkKey(field, text)
  const dict = requireDictField(
    field,
    ['files', 'files_commits', 'prefix'],
    ciMessages.cacheKeyShape,
  )
  if (!dict) return undefined
  const files = readCachePaths(dict, 'files') ?? readCachePaths(dict, 'files_commits')
  if (!files) return reportFieldError(dict, ciMessages.requiredKeys('files'))
  const at = childField(dict, 'files') ?? dict
  if (files.length === 0) return reportFieldError(at, ciMessages.keyFilesMissing)
  if (files.length > 2) return reportFieldError(at, ciMessages.keyFilesTooMany)
  return withoutUndefined({ files, prefix: readTextField(dict, 'prefix') })
}

function checkKey(field: ConfigurationField, text: string): string | undefined {
  if (text.includes('/') || text.toLowerCase().includes('%2f')) {
    return reportFieldError(field, `config ${ciMessages.cacheKeyPath}`)
  }
  const isDots = ['.', '..'].includes(text.toLowerCase().replaceAll('%2e', '.'))
  return isDots ? reportFieldError(field, `config ${ciMessages.cacheKeyDots}`) : text
}
