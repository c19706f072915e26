// Computes the cost of a query from its text: its depth, and its number of fields with fragments expanded.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { limits } from '../../../kernel/limits.ts'

const { depth_max, cost_max, lookup_cost } = limits.graphql
/** Fields that query the database. */
const lookups = new Set(['project', 'group', 'currentUser', 'groupCount', 'namespace'])

/** Returns why a query is too expensive, or undefined. Its fragments must not be circular. */
export function costProblem(document: DocumentNode): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  let cost = 0
  /** Adds up the cost, and stops as soon as it exceeds the limit. */
  const walk = (set: SelectionSetNode | undefined, depth: number): string | undefined => {
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD
      cost += isField && lookups.has(selection.name.value) ? lookup_cost : 1
      if (cost > cost_max) return `Query has complexity of more than ${cost_max}`
      const below = isField ? depth + 1 : depth
      if (below > depth_max) return `Query has depth of more than ${depth_max}`
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)?.selectionSet
          : selection.selectionSet
      const problem = walk(inner, below)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const problem = walk(definition.selectionSet, 0)
    if (problem !== undefined) return problem
  }
  return undefined
}
