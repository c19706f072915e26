// `parallel`: how many copies of a job run, or one for each combination of values.
import { limits } from '../../kernel/limits.ts'
import { ciMessages } from '../ci-messages.ts'
import {
  type Field,
  fieldOf,
  integerProblem,
  reportFieldError,
  requireDict,
  scalarTextOf,
} from '../fields.ts'
import { childOf, type Tree } from '../tree.ts'

/** A variable and the values it takes in turn. */
export type Dimension = { key: string; values: string[] }
export type Parallel =
  | { kind: 'count'; total: number }
  | { kind: 'matrix'; rows: Record<string, string>[] }

export function readParallel(field: Field): Parallel | undefined {
  const { node } = field
  if (node.kind === 'scalar' && typeof node.value === 'number') {
    const problem = integerProblem(node, { least: 1, most: limits.ci.parallel_max })
    return problem
      ? reportFieldError(field, `config ${problem}`)
      : { kind: 'count', total: node.value }
  }
  const dict = requireDict(field, ['matrix'], ciMessages.parallelShape)
  if (!dict) return undefined
  const matrix = fieldOf(dict, 'matrix')
  if (!matrix) return reportFieldError(dict, ciMessages.requiredKeys('matrix'))
  const rows = readMatrix(matrix)
  return rows && { kind: 'matrix', rows }
}

/** One row for each combination, the first variable changing last. */
export function readMatrix(field: Field): Record<string, string>[] | undefined {
  const { node } = field
  if (node.kind !== 'list' || node.items.some(({ kind }) => kind !== 'dict')) {
    return reportFieldError(field, ciMessages.matrixShape)
  }
  const all: Dimension[][] = []
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

function dimensionsOf(item: Tree): Dimension[] | undefined {
  if (item.kind !== 'dict' || item.entries.size === 0) return undefined
  const dimensions: Dimension[] = []
  for (const key of item.entries.keys()) {
    const value = childOf(item, key)
    const nodes = value?.kind === 'list' ? value.items : value ? [value] : []
    const values = nodes.flatMap((node) => scalarTextOf(node) ?? [])
    if (values.length === 0 || values.length !== nodes.length) return undefined
    dimensions.push({ key, values })
  }
  return dimensions
}

function combine(dimensions: readonly Dimension[]): Record<string, string>[] {
  let rows: Record<string, string>[] = [{}]
  for (const { key, values } of dimensions) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value })))
  }
  return rows
}

export type Copy = { name: string; index: number; total: number; values: Record<string, string> }

/** The copies of a job: `rspec 1/3` of a number, `rspec: [a, b]` of a matrix. */
export function expandParallel(name: string, parallel: Parallel): Copy[] {
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
