// The keywords that `default` sets for all jobs, and that each job may set for itself.

import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import { parseDuration_s } from '../durations.ts'
import {
  type ConfigurationField,
  childField,
  flattenTextsOfNode,
  readBooleanField,
  reportFieldError,
  reportKeyError,
  requireDictField,
  scalarTextOfNode,
  textOfNode,
  textsOfListNode,
} from '../fields.ts'
import type { JobOptions } from '../planned.ts'
import type { Dict } from '../tree.ts'
import { childOfDict } from '../tree.ts'
import { readArtifactsKeyword } from './artifacts.ts'
import { readCacheKeyword } from './caches.ts'
import { readImageKeyword, readServicesKeyword } from './images.ts'
import { readRetryKeyword } from './retry.ts'
import { readHooksKeyword, readScriptKeyword } from './scripts.ts'

type SharedOptions = Pick<
  JobOptions,
  | 'before_script'
  | 'after_script'
  | 'hooks'
  | 'image'
  | 'services'
  | 'cache'
  | 'artifacts'
  | 'retry'
  | 'id_tokens'
>
export type SharedKeywords = SharedOptions & {
  interruptible?: boolean
  tags?: string[]
  timeout_s?: number
}

type Reader<Value> = (parent: ConfigurationField<Dict>, key: string) => Value | undefined

/** Returns a reader of a key from a reader of its value. */
function ofField<Value>(read: (field: ConfigurationField) => Value | undefined): Reader<Value> {
  return (parent, key) => {
    const field = childField(parent, key)
    return field && read(field)
  }
}

const readers: { [Keyword in keyof SharedOptions]-?: Reader<NonNullable<SharedOptions[Keyword]>> } =
  {
    before_script: ofField(readScriptKeyword),
    after_script: ofField(readScriptKeyword),
    hooks: ofField(readHooksKeyword),
    image: ofField(readImageKeyword),
    services: ofField(readServicesKeyword),
    cache: ofField(readCacheKeyword),
    artifacts: ofField(readArtifactsKeyword),
    retry: ofField(readRetryKeyword),
    id_tokens: ofField(readIdTokens),
  }

export const sharedKeys = [...Object.keys(readers), 'interruptible', 'tags', 'timeout', 'identity']

/** Reads the keywords that `default` and jobs share; missing ones are omitted. */
export function readSharedKeywords(field: ConfigurationField<Dict>): SharedKeywords {
  const options = Object.entries(readers).map(([key, read]) => [key, read(field, key)] as const)
  const shared: SharedKeywords = {
    ...Object.fromEntries(options),
    interruptible: readBooleanField(field, 'interruptible'),
    tags: readTags(field),
    timeout_s: readTimeout_s(field),
  }
  const given = Object.entries(shared).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as SharedKeywords
}

function readTags(field: ConfigurationField): string[] | undefined {
  const tags = childField(field, 'tags')
  if (!tags) return undefined
  const found = tags.node.kind === 'list' ? flattenTextsOfNode(tags.node) : undefined
  if (!found) return reportKeyError(field, 'tags', ciMessages.texts)
  return found.length > limits.ci.tags_max ? reportFieldError(tags, ciMessages.tooManyTags) : found
}

function readTimeout_s(parent: ConfigurationField): number | undefined {
  const field = childField(parent, 'timeout')
  if (!field) return undefined
  const timeout_s = parseDuration_s(scalarTextOfNode(field.node) ?? '')
  return timeout_s ?? reportFieldError(field, `config ${ciMessages.aDuration}`)
}

function readIdTokens(field: ConfigurationField): JobOptions['id_tokens'] {
  const dict = requireDictField(field)
  if (!dict) return undefined
  const { id_tokens_max, audiences_max } = limits.ci
  if (dict.node.entries.size > id_tokens_max) {
    return reportFieldError(field, ciMessages.tooManyItems(id_tokens_max))
  }
  const tokens: [string, { aud: string | string[] }][] = []
  for (const [name] of dict.node.entries) {
    const token = childField(dict, name)
    const named = token && requireDictField(token, ['aud'])
    const audience = childOfDict(named?.node, 'aud')
    const aud = textOfNode(audience) ?? textsOfListNode(audience)
    if (Array.isArray(aud) && aud.length > audiences_max) {
      reportFieldError(named ?? dict, ciMessages.tooManyItems(audiences_max))
    } else if (aud !== undefined) tokens.push([name, { aud }])
    else if (named)
      reportFieldError(
        named,
        audience ? `aud ${ciMessages.textsOrText}` : ciMessages.requiredKeys('aud'),
      )
  }
  return Object.fromEntries(tokens)
}
