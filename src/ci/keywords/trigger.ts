// `trigger`: the pipeline a job starts, of another project or as a child of its own.

import { ciMessages } from '../ci-messages.ts'
import { ConfigurationError } from '../diagnostic-collector.ts'
import {
  type Field,
  fieldOf,
  itemsOf,
  readBoolean,
  readEnum,
  readText,
  reportFieldError,
  requireDict,
  textOf,
  withoutUndefined,
} from '../fields.ts'
import { parseIncludes } from '../parse-includes.ts'
import type { Include, PlannedTrigger } from '../planned.ts'
import { childOf, type Dict } from '../tree.ts'

const strategies = ['depend', 'mirror'] as const
const includes_max = 3

export function readTrigger(field: Field): PlannedTrigger | undefined {
  const project = textOf(field.node)
  const forwarded = { yaml_variables: true, pipeline_variables: false }
  if (project !== undefined) {
    return project.trim() === ''
      ? reportFieldError(field, `config ${ciMessages.blank}`)
      : { project, forward: forwarded }
  }
  const dict = requireDict(field, undefined, ciMessages.triggerShape)
  if (!dict) return undefined
  if (childOf(dict.node, 'include')) return readChild(dict)
  if (childOf(dict.node, 'project')) return readOtherProject(dict)
  return reportFieldError(dict, ciMessages.triggerNeedsTarget)
}

function readOtherProject(field: Field<Dict>): PlannedTrigger | undefined {
  requireDict(field, ['project', 'branch', 'strategy', 'forward', 'inputs'])
  const project = readText(field, 'project', { isRequired: true })
  if (project === undefined) return undefined
  return withoutUndefined({ project, branch: readText(field, 'branch'), ...readCommon(field) })
}

function readChild(field: Field<Dict>): PlannedTrigger | undefined {
  requireDict(field, ['include', 'strategy', 'forward', 'inputs'])
  const entries = fieldOf(field, 'include')
  if (!entries) return reportFieldError(field, ciMessages.triggerNeedsTarget)
  const items = itemsOf(entries.node)
  if (items.length > includes_max) return reportFieldError(entries, ciMessages.triggerTooLong)
  const include: Include[] = []
  for (const node of items) {
    try {
      include.push(...parseIncludes(node))
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      return reportFieldError({ ...entries, node }, error.message.replace(/^include /, ''))
    }
  }
  return { include, ...readCommon(field) }
}

function readCommon(field: Field): Pick<PlannedTrigger, 'strategy' | 'forward'> {
  const strategy = readEnum(field, 'strategy', strategies, () => 'should be depend')
  const forward = fieldOf(field, 'forward')
  const dict = forward && requireDict(forward, ['yaml_variables', 'pipeline_variables'])
  return {
    ...(strategy && { strategy }),
    forward: {
      yaml_variables: (dict && readBoolean(dict, 'yaml_variables')) ?? true,
      pipeline_variables: (dict && readBoolean(dict, 'pipeline_variables')) ?? false,
    },
  }
}
