// `needs`: jobs of this pipeline, and archives of jobs elsewhere.

import { ciMessages } from '../ci-messages.ts'
import {
  type Field,
  fieldOf,
  itemsOf,
  readBoolean,
  readText,
  reportFieldError,
  requireDict,
  textOf,
} from '../fields.ts'
import type { PlannedForeignNeed } from '../planned.ts'
import { childOf, type Tree } from '../tree.ts'
import { readMatrix } from './parallel.ts'

/** A need as it is written: copies of a parallel job are named by their values, or all meant. */
export type Need = {
  name: string
  artifacts: boolean
  optional: boolean
  rows?: Record<string, string>[]
}
export type Needs = { jobs: Need[]; foreign: PlannedForeignNeed[] }

const foreign_max = 5

export function readNeeds(field: Field): Needs | undefined {
  const { node } = field
  if (node.kind !== 'list' && node.kind !== 'dict')
    return reportFieldError(field, ciMessages.needsShape)
  const needs: Needs = { jobs: [], foreign: [] }
  for (const item of flatten(node)) readNeed({ ...field, node: item }, needs)
  if (needs.foreign.length > foreign_max)
    return reportFieldError(field, `config ${ciMessages.atMost(foreign_max)}`)
  return needs
}

/** References bring lists into lists. */
function flatten(node: Tree): Tree[] {
  return itemsOf(node).flatMap((item) => (item.kind === 'list' ? flatten(item) : item))
}

function readNeed(list: Field, needs: Needs): void {
  const field = { ...list, label: `${list.label}:need` }
  const name = textOf(field.node)
  if (name !== undefined) {
    if (name.trim() === '') reportFieldError(field, `config ${ciMessages.blank}`)
    else needs.jobs.push({ name, artifacts: true, optional: false })
    return
  }
  const has = (key: string) => childOf(field.node, key) !== undefined
  if (!has('job')) reportFieldError(field, ciMessages.unsupportedType)
  else if (has('project')) readOfProject(field, needs)
  else if (has('pipeline')) readOfPipeline(field, needs)
  else readOfJob(field, needs)
}

function readOfJob(field: Field, needs: Needs): void {
  const dict = requireDict(field, ['job', 'artifacts', 'optional', 'parallel'])
  const name = dict && readText(dict, 'job', { isRequired: true })
  if (!dict || name === undefined) return
  const parallel = fieldOf(dict, 'parallel')
  const limited = parallel && requireDict(parallel, ['matrix'], ciMessages.parallelShape)
  const matrix = limited && fieldOf(limited, 'matrix')
  needs.jobs.push({
    name,
    artifacts: readBoolean(dict, 'artifacts') ?? true,
    optional: readBoolean(dict, 'optional') ?? false,
    ...(matrix && { rows: readMatrix(matrix) ?? [] }),
  })
}

function readOfPipeline(field: Field, needs: Needs): void {
  const dict = requireDict(field, ['pipeline', 'job', 'artifacts'])
  if (!dict) return
  const pipeline = readText(dict, 'pipeline', { isRequired: true })
  const job = readText(dict, 'job', { isRequired: true })
  const artifacts = readBoolean(dict, 'artifacts') ?? true
  if (pipeline !== undefined && job !== undefined) {
    needs.foreign.push({ kind: 'pipeline', pipeline, job, artifacts })
  }
}

function readOfProject(field: Field, needs: Needs): void {
  const dict = requireDict(field, ['project', 'ref', 'job', 'artifacts'])
  if (!dict) return
  const project = readText(dict, 'project', { isRequired: true })
  const ref = readText(dict, 'ref', { isRequired: true })
  const job = readText(dict, 'job', { isRequired: true })
  const artifacts = readBoolean(dict, 'artifacts') ?? true
  if (project !== undefined && ref !== undefined && job !== undefined) {
    needs.foreign.push({ kind: 'project', project, ref, job, artifacts })
  }
}
