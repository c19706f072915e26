// `parallel`: the number of copies of a job, or one copy for each combination of values.
import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  integerProblem,
  reportFieldError,
  requireDictField,
  scalarTextOfNode,
} from '../fields.ts'
import { childOfDict, type Tree } from '../tree.ts'

/** A variable and the values it takes in turn. */
export type MatrixDimension = { key: string; values: string[] }
export type ParallelConfig =
  | { kind: 'count'; total: number }
  | { kind: 'matrix'; rows: Record<string, string>[] }

export function readParallelKeyword(field: ConfigurationField): ParallelConfig | undefined {
  const { node } = field
  if (node.kind === 'scalar' && typeof node.value === 'number') {
    const problem = integerProblem(node, { least: 1, most: limits.ci.parallel_max })
    return problem
      ? reportFieldError(field, `config ${problem}`)
      : { kind: 'count', total: node.value }
  }
  const dict = requireDictField(field, ['matrix'], ciMessages.parallelShape)
  if (!dict) return undefined
  const matrix = childField(dict, 'matrix')
  if (!matrix) return reportFieldError(dict, ciMessages.requiredKeys('matrix'))
  const rows = readMatrixKeyword(matrix)
  return rows && { kind: 'matrix', rows }
}

/** One row for each combination, the first variable changing last. */
export function readMatrixKeyword(field: ConfigurationField): Record<string, string>[] | undefined {
  const { node } = field
  if (node.kind !== 'list' || node.items.some(({ kind }) => kind !== 'dict')) {
    return reportFieldError(field, ciMessages.matrixShape)
  }
  const all: MatrixDimension[][] = []
  for (const item of node.items) {
    const dimensions = dimensionsOf(item)
    if (!dimensions) return reportFieldError({ ...field, node: item }, ciMessages.pairsOfLists)
    all.push(dimensions)
  }
  const sizes = all.map((dimensions) => dimensions.reduce((n, { values }) => n * values.length, 1))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > limits.ci.parallel_max) return reportFieldError(field, ciMessages.matrixTooLarge)
  return all.flatMap(combine)
}

function dimensionsOf(item: Tree): MatrixDimension[] | undefined {
  if (item.kind !== 'dict' || item.entries.size === 0) return undefined
  const dimensions: MatrixDimension[] = []
  for (const key of item.entries.keys()) {
    const value = childOfDict(item, key)
    const nodes = value?.kind === 'list' ? value.items : value ? [value] : []
    const values = nodes.flatMap((node) => scalarTextOfNode(node) ?? [])
    if (values.length === 0 || values.length !== nodes.length) return undefined
    dimensions.push({ key, values })
  }
  return dimensions
}

function combine(dimensions: readonly MatrixDimension[]): Record<string, string>[] {
  let rows: Record<string, string>[] = [{}]
  for (const { key, values } of dimensions) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value })))
  }
  return rows
}

export type ParallelCopy = {
  name: string
  index: number
  total: number
  values: Record<string, string>
}

/** The copies of a job: `rspec 1/3` of a number, `rspec: [a, b]` of a matrix. */
export function expandParallelCopies(name: string, parallel: ParallelConfig): ParallelCopy[] {
  if (parallel.kind === 'count') {
    const { total } = parallel
    return Array.from({ length: total }, (_, at) => ({
      name: `${name} ${at + 1}/${total}`,
      index: at + 1,
      total,
      values: {},
    }))
  }
  const total = parallel.rows.length
  return parallel.rows.map((values, at) => ({
    name: `${name}: [${Object.values(values).join(', ')}]`,
    index: at + 1,
    total,
    values,
  }))
}
