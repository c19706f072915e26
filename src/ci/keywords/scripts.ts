// `script`, `before_script`, `after_script` and hooks: texts, in lists that may hold lists.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  flattenTextsOfNode,
  reportFieldError,
  requireDictField,
} from '../fields.ts'
import type { Tree } from '../tree.ts'

/** A cache of flattened scripts, since jobs share them. */
const flattened = new WeakMap<Tree, string[]>()

export function readScriptKeyword(field: ConfigurationField): string[] | undefined {
  const known = flattened.get(field.node)
  if (known) return known
  const lines = flattenTextsOfNode(field.node)
  if (!lines) return reportFieldError(field, `config ${ciMessages.nestedTexts}`)
  flattened.set(field.node, lines)
  return lines
}

export function readHooksKeyword(
  field: ConfigurationField,
): { pre_get_sources_script?: string[] } | undefined {
  const hooks = requireDictField(field, ['pre_get_sources_script'])
  const script = hooks && childField(hooks, 'pre_get_sources_script')
  const lines = script && readScriptKeyword(script)
  return lines && { pre_get_sources_script: lines }
}
