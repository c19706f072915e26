// `trigger`: the pipeline that a job starts, in another project or as a child pipeline.

import { ciMessages } from '../ci-messages.ts'
import { ConfigurationError } from '../diagnostic-collector.ts'
import {
  type ConfigurationField,
  childField,
  itemsOfListOrValue,
  readBooleanField,
  readEnumField,
  readTextField,
  reportFieldError,
  requireDictField,
  textOfNode,
  withoutUndefined,
} from '../fields.ts'
import { parseIncludes } from '../parse-includes.ts'
import type { Include, PlannedTrigger } from '../planned.ts'
import { childOfDict, type Dict } from '../tree.ts'

const strategies = ['depend', 'mirror'] as const
const includes_max = 3

export function readTriggerKeyword(field: ConfigurationField): PlannedTrigger | undefined {
  const project = textOfNode(field.node)
  const forwarded = { yaml_variables: true, pipeline_variables: false }
  if (project !== undefined) {
    return project.trim() === ''
      ? reportFieldError(field, `config ${ciMessages.blank}`)
      : { project, forward: forwarded }
  }
  const dict = requireDictField(field, undefined, ciMessages.triggerShape)
  if (!dict) return undefined
  if (childOfDict(dict.node, 'include')) return readChild(dict)
  if (childOfDict(dict.node, 'project')) return readOtherProject(dict)
  return reportFieldError(dict, ciMessages.triggerNeedsTarget)
}

function readOtherProject(field: ConfigurationField<Dict>): PlannedTrigger | undefined {
  requireDictField(field, ['project', 'branch', 'strategy', 'forward', 'inputs'])
  const project = readTextField(field, 'project', { isRequired: true })
  if (project === undefined) return undefined
  return withoutUndefined({ project, branch: readTextField(field, 'branch'), ...readCommon(field) })
}

function readChild(field: ConfigurationField<Dict>): PlannedTrigger | undefined {
  requireDictField(field, ['include', 'strategy', 'forward', 'inputs'])
  const entries = childField(field, 'include')
  if (!entries) return reportFieldError(field, ciMessages.triggerNeedsTarget)
  const items = itemsOfListOrValue(entries.node)
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

function readCommon(field: ConfigurationField): Pick<PlannedTrigger, 'strategy' | 'forward'> {
  const strategy = readEnumField(field, 'strategy', strategies, () => 'should be depend')
  const forward = childField(field, 'forward')
  const dict = forward && requireDictField(forward, ['yaml_variables', 'pipeline_variables'])
  return {
    ...(strategy && { strategy }),
    forward: {
      yaml_variables: (dict && readBooleanField(dict, 'yaml_variables')) ?? true,
      pipeline_variables: (dict && readBooleanField(dict, 'pipeline_variables')) ?? false,
    },
  }
}
