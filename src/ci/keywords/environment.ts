// `environment`: a name, or a dict.

import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import { hasVariable } from '../expand.ts'
import {
  type Field,
  fieldOf,
  readDuration,
  readEnum,
  readText,
  reportFieldError,
  reportKeyError,
  requireDict,
  scalarTextOf,
  textOf,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedEnvironment } from '../planned.ts'
import { toPlainValue } from '../tree.ts'

const keys = ['name', 'url', 'action', 'on_stop', 'auto_stop_in', 'kubernetes', 'deployment_tier']
const actions = ['start', 'stop', 'prepare', 'verify', 'access'] as const
const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const
const nameSyntax = /^[\w ./${}-]+$/

export function readEnvironment(field: Field): PlannedEnvironment | undefined {
  const text = textOf(field.node)
  if (text !== undefined) {
    return isEnvironmentName(text)
      ? { name: text, action: 'start' }
      : reportFieldError(field, ciMessages.environmentName)
  }
  const dict = requireDict(field, keys, ciMessages.aHashOrText)
  if (!dict) return undefined
  const name = readText(dict, 'name', { isRequired: true })
  if (name !== undefined && !isEnvironmentName(name))
    return reportFieldError(dict, ciMessages.environmentName)
  return withoutUndefined({
    name: name ?? '',
    url: readText(dict, 'url', { characters_max: 255 }),
    on_stop: readText(dict, 'on_stop'),
    action: readEnum(dict, 'action', actions, ciMessages.eitherOf) ?? 'start',
    auto_stop_in: readStop(dict),
    deployment_tier: readTier(dict),
    kubernetes: readKubernetes(dict),
  })
}

/** Whether an environment or a resource group may be called so; in a configuration with variables in it. */
export function isEnvironmentName(name: string): boolean {
  const isBounded =
    name.length <= limits.ci.name_characters && !name.startsWith('/') && !name.endsWith('/')
  return isBounded && nameSyntax.test(name)
}

function readStop(field: Field): string | undefined {
  const stop = fieldOf(field, 'auto_stop_in')
  const text = stop && scalarTextOf(stop.node)
  return text !== undefined && hasVariable(text) ? text : readDuration(field, 'auto_stop_in')
}

/** A tier that is a variable is known when the job is made. */
function readTier(field: Field): string | undefined {
  const tier = readText(field, 'deployment_tier')
  if (tier === undefined || hasVariable(tier) || tiers.some((known) => known === tier)) return tier
  return reportKeyError(field, 'deployment_tier', `must be one of ${tiers.join(', ')}`)
}

function readKubernetes(field: Field): Record<string, unknown> | undefined {
  const kubernetes = fieldOf(field, 'kubernetes')
  const dict = kubernetes && requireDict(kubernetes)
  return dict && (toPlainValue(dict.node) as Record<string, unknown>)
}
