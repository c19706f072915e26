// `needs`: jobs of this pipeline, and archives of jobs elsewhere.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  itemsOfListOrValue,
  readBooleanField,
  readTextField,
  reportFieldError,
  requireDictField,
  textOfNode,
} from '../fields.ts'
import type { PlannedForeignNeed } from '../planned.ts'
import { childOfDict, type Tree } from '../tree.ts'
import { readMatrixKeyword } from './parallel.ts'

/** A need as written. It names copies of a parallel job by their values; without values it means all copies. */
export type ConfiguredNeed = {
  name: string
  artifacts: boolean
  optional: boolean
  rows?: Record<string, string>[]
}
export type ConfiguredNeeds = { jobs: ConfiguredNeed[]; foreign: PlannedForeignNeed[] }

const foreign_max = 5

export function readNeedsKeyword(field: ConfigurationField): ConfiguredNeeds | undefined {
  const { node } = field
  if (node.kind !== 'list' && node.kind !== 'dict')
    return reportFieldError(field, ciMessages.needsShape)
  const needs: ConfiguredNeeds = { jobs: [], foreign: [] }
  for (const item of flatten(node)) readNeed({ ...field, node: item }, needs)
  if (needs.foreign.length > foreign_max)
    return reportFieldError(field, `config ${ciMessages.atMost(foreign_max)}`)
  return needs
}

/** Flattens nested lists, which `!reference` creates. */
function flatten(node: Tree): Tree[] {
  return itemsOfListOrValue(node).flatMap((item) => (item.kind === 'list' ? flatten(item) : item))
}

function readNeed(list: ConfigurationField, needs: ConfiguredNeeds): void {
  const field = { ...list, label: `${list.label}:need` }
  const name = textOfNode(field.node)
  if (name !== undefined) {
    if (name.trim() === '') reportFieldError(field, `config ${ciMessages.blank}`)
    else needs.jobs.push({ name, artifacts: true, optional: false })
    return
  }
  const has = (key: string) => childOfDict(field.node, key) !== undefined
  if (!has('job')) reportFieldError(field, ciMessages.unsupportedType)
  else if (has('project')) readOfProject(field, needs)
  else if (has('pipeline')) readOfPipeline(field, needs)
  else readOfJob(field, needs)
}

function readOfJob(field: ConfigurationField, needs: ConfiguredNeeds): void {
  const dict = requireDictField(field, ['job', 'artifacts', 'optional', 'parallel'])
  const name = dict && readTextField(dict, 'job', { isRequired: true })
  if (!dict || name === undefined) return
  const parallel = childField(dict, 'parallel')
  const limited = parallel && requireDictField(parallel, ['matrix'], ciMessages.parallelShape)
  const matrix = limited && childField(limited, 'matrix')
  needs.jobs.push({
    name,
    artifacts: readBooleanField(dict, 'artifacts') ?? true,
    optional: readBooleanField(dict, 'optional') ?? false,
    ...(matrix && { rows: readMatrixKeyword(matrix) ?? [] }),
  })
}

function readOfPipeline(field: ConfigurationField, needs: ConfiguredNeeds): void {
  const dict = requireDictField(field, ['pipeline', 'job', 'artifacts'])
  if (!dict) return
  const pipeline = readTextField(dict, 'pipeline', { isRequired: true })
  const job = readTextField(dict, 'job', { isRequired: true })
  const artifacts = readBooleanField(dict, 'artifacts') ?? true
  if (pipeline !== undefined && job !== undefined) {
    needs.foreign.push({ kind: 'pipeline', pipeline, job, artifacts })
  }
}

function readOfProject(field: ConfigurationField, needs: ConfiguredNeeds): void {
  const dict = requireDictField(field, ['project', 'ref', 'job', 'artifacts'])
  if (!dict) return
  const project = readTextField(dict, 'project', { isRequired: true })
  const ref = readTextField(dict, 'ref', { isRequired: true })
  const job = readTextField(dict, 'job', { isRequired: true })
  const artifacts = readBooleanField(dict, 'artifacts') ?? true
  if (project !== undefined && ref !== undefined && job !== undefined) {
    needs.foreign.push({ kind: 'project', project, ref, job, artifacts })
  }
}
