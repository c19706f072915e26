// `script`, `before_script`, `after_script` and hooks: texts, in lists that may hold lists.

import { ciMessages } from '../ci-messages.ts'
import { type Field, fieldOf, flattenTexts, reportFieldError, requireDict } from '../fields.ts'
import type { Tree } from '../tree.ts'

/** Jobs share scripts; each is flattened once. */
const flattened = new WeakMap<Tree, string[]>()

export function readScript(field: Field): string[] | undefined {
  const known = flattened.get(field.node)
  if (known) return known
  const lines = flattenTexts(field.node)
  if (!lines) return reportFieldError(field, `config ${ciMessages.nestedTexts}`)
  flattened.set(field.node, lines)
  return lines
}

export function readHooks(field: Field): { pre_get_sources_script?: string[] } | undefined {
  const hooks = requireDict(field, ['pre_get_sources_script'])
  const script = hooks && fieldOf(hooks, 'pre_get_sources_script')
  const lines = script && readScript(script)
  return lines && { pre_get_sources_script: lines }
}
