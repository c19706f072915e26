// What was found, put together: each thing once for each file that names it, in the order of the list.
import { sortInTurns } from '../../../kernel/in-turns.ts'
import { limits } from '../../../kernel/limits.ts'

export type FoundVulnerability = { name: string; severity: string }

export type FoundDependency = {
  name: string
  version: string | null
  package_manager: string | null
  dependency_file_path: string | null
  vulnerabilities: FoundVulnerability[]
}

export class Collection {
  readonly #found = new Map<string, FoundDependency>()

  /** The one like this that is there by now; undefined where a list can hold no more. */
  add(given: Omit<FoundDependency, 'vulnerabilities'>): FoundDependency | undefined {
    const { name, version, package_manager, dependency_file_path } = given
    const key = [name, version, package_manager, dependency_file_path].join('\n')
    const known = this.#found.get(key)
    if (known) return known
    if (this.#found.size >= limits.dependencies.per_list_max) return undefined
    const dependency = { ...given, vulnerabilities: [] }
    this.#found.set(key, dependency)
    return dependency
  }

  /** By name, then version, file and package manager. */
  sorted(): Promise<readonly FoundDependency[]> {
    return sortInTurns([...this.#found.values()], compare)
  }
}

/** Adds a vulnerability to one that does not have it. */
export function addVulnerability(
  to: FoundDependency,
  { name, severity }: FoundVulnerability,
): void {
  const { vulnerabilities } = to
  if (vulnerabilities.length >= limits.dependencies.vulnerabilities_of_one_max) return
  if (vulnerabilities.some((one) => one.name === name && one.severity === severity)) return
  vulnerabilities.push({ name, severity })
}

function compare(a: FoundDependency, b: FoundDependency): number {
  return (
    order(a.name, b.name) ||
    order(a.version ?? '', b.version ?? '') ||
    order(a.dependency_file_path ?? '', b.dependency_file_path ?? '') ||
    order(a.package_manager ?? '', b.package_manager ?? '')
  )
}

function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
