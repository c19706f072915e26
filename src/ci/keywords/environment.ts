// `environment`: a name, or a dict.

import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import { hasVariableReference } from '../expand.ts'
import {
  type ConfigurationField,
  childField,
  readDurationField,
  readEnumField,
  readTextField,
  reportFieldError,
  reportKeyError,
  requireDictField,
  scalarTextOfNode,
  textOfNode,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedEnvironment } from '../planned.ts'
import { toPlainValue } from '../tree.ts'

const keys = ['name', 'url', 'action', 'on_stop', 'auto_stop_in', 'kubernetes', 'deployment_tier']
const actions = ['start', 'stop', 'prepare', 'verify', 'access'] as const
const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const
const nameSyntax = /^[\w ./${}-]+$/

export function readEnvironmentKeyword(field: ConfigurationField): PlannedEnvironment | undefined {
  const text = textOfNode(field.node)
  if (text !== undefined) {
    return isEnvironmentName(text)
      ? { name: text, action: 'start' }
      : reportFieldError(field, ciMessages.environmentName)
  }
  const dict = requireDictField(field, keys, ciMessages.aHashOrText)
  if (!dict) return undefined
  const name = readTextField(dict, 'name', { isRequired: true })
  if (name !== undefined && !isEnvironmentName(name))
    return reportFieldError(dict, ciMessages.environmentName)
  return withoutUndefined({
    name: name ?? '',
    url: readTextField(dict, 'url', { characters_max: 255 }),
    on_stop: readTextField(dict, 'on_stop'),
    action: readEnumField(dict, 'action', actions, ciMessages.eitherOf) ?? 'start',
    auto_stop_in: readStop(dict),
    deployment_tier: readTier(dict),
    kubernetes: readKubernetes(dict),
  })
}

/** Whether a text is a valid name of an environment or a resource group. In a configuration it may contain variables. */
export function isEnvironmentName(name: string): boolean {
  const isBounded =
    name.length <= limits.ci.name_characters && !name.startsWith('/') && !name.endsWith('/')
  return isBounded && nameSyntax.test(name)
}

function readStop(field: ConfigurationField): string | undefined {
  const stop = childField(field, 'auto_stop_in')
  const text = stop && scalarTextOfNode(stop.node)
  return text !== undefined && hasVariableReference(text)
    ? text
    : readDurationField(field, 'auto_stop_in')
}

/** Reads the tier. One that contains a variable is checked when the job is created. */
function readTier(field: ConfigurationField): string | undefined {
  const tier = readTextField(field, 'deployment_tier')
  if (tier === undefined || hasVariableReference(tier) || tiers.some((known) => known === tier))
    return tier
  return reportKeyError(field, 'deployment_tier', `must be one of ${tiers.join(', ')}`)
}

function readKubernetes(field: ConfigurationField): Record<string, unknown> | undefined {
  const kubernetes = childField(field, 'kubernetes')
  const dict = kubernetes && requireDictField(kubernetes)
  return dict && (toPlainValue(dict.node) as Record<string, unknown>)
}
