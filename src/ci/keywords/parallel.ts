// `parallel`: how many copies of a job run, or one for each combination of values.
import { limits } from '../../kernel/limits.ts'
import { asDict, type Field, fieldOf, integerProblem, looseTextOf, refuse } from '../fields.ts'
import { texts } from '../texts.ts'
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
    return problem ? refuse(field, `config ${problem}`) : { kind: 'count', total: node.value }
  }
  const dict = asDict(field, ['matrix'], texts.parallelShape)
  if (!dict) return undefined
  const matrix = fieldOf(dict, 'matrix')
  if (!matrix) return refuse(dict, texts.requiredKeys('matrix'))
  const rows = readMatrix(matrix)
  return rows && { kind: 'matrix', rows }
}

/** One row for each combination, the first variable changing last. */
export function readMatrix(field: Field): Record<string, string>[] | undefined {
  const { node } = field
  if (node.kind !== 'list' || node.items.some(({ kind }) => kind !== 'dict')) {
    return refuse(field, texts.matrixShape)
  }
  const all: Dimension[][] = []
  for (const item of node.items) {
    const dimensions = dimensionsOf(item)
    if (!dimensions) return refuse({ ...field, node: item }, texts.pairsOfLists)
    all.push(dimensions)
  }
  const sizes = all.map((dimensions) => dimensions.reduce((n, { values }) => n * values.length, 1))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > limits.ci.parallel_max) return refuse(field, texts.matrixTooLarge)
  return all.flatMap(combine)
}

function dimensionsOf(item: Tree): Dimension[] | undefined {
  if (item.kind !== 'dict' || item.entries.size === 0) return undefined
  const dimensions: Dimension[] = []
  for (const key of item.entries.keys()) {
    const value = childOf(item, key)
    const nodes = value?.kind === 'list' ? value.items : value ? [value] : []
    const values = nodes.flatMap((node) => looseTextOf(node) ?? [])
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
export function copiesOf(name: string, parallel: Parallel): Copy[] {
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
