// Collects dependencies: each once for each file that names it, in the order of the list.

import { limits } from '../../../kernel/limits.ts'
import { sortWithYields } from '../../../kernel/with-yields.ts'

export type FoundVulnerability = { name: string; severity: string }

export type FoundLicense = { name: string; url: string | null }

export type FoundDependency = {
  name: string
  version: string | null
  package_manager: string | null
  dependency_file_path: string | null
  vulnerabilities: FoundVulnerability[]
  licenses: FoundLicense[]
}

/** A dependency as one source describes it. Not every source contains licences. */
export type ReportedDependency = Omit<FoundDependency, 'vulnerabilities' | 'licenses'> & {
  licenses?: FoundLicense[]
}

export class DependencyCollection {
  readonly #found = new Map<string, FoundDependency>()
  #vulnerabilities = 0

  /** Adds a dependency and returns it, or the equal one added before. Returns undefined if the list is full. */
  add(given: ReportedDependency): FoundDependency | undefined {
    const { name, version, package_manager, dependency_file_path } = given
    const key = [name, version, package_manager, dependency_file_path].join('\n')
    const known = this.#found.get(key)
    if (known) {
      if (known.licenses.length === 0) known.licenses = given.licenses ?? []
      return known
    }
    if (this.#found.size >= limits.dependencies.per_list_max) return undefined
    const dependency = { ...given, vulnerabilities: [], licenses: given.licenses ?? [] }
    this.#found.set(key, dependency)
    return dependency
  }

  /**
   * Adds a vulnerability to a dependency, unless it is already known or the dependency or the list has too
   * many.
   */
  addVulnerability({ vulnerabilities }: FoundDependency, told: FoundVulnerability): void {
    const { vulnerabilities_max, vulnerabilities_of_one_max } = limits.dependencies
    if (vulnerabilities.length >= vulnerabilities_of_one_max) return
    if (this.#vulnerabilities >= vulnerabilities_max || hasSameVulnerability(vulnerabilities, told))
      return
    this.#vulnerabilities++
    vulnerabilities.push(told)
  }

  /** Returns the dependencies sorted by name, then version, file and package manager. */
  sorted(): Promise<readonly FoundDependency[]> {
    return sortWithYields([...this.#found.values()], compare)
  }
}

export function hasSameVulnerability(
  known: readonly FoundVulnerability[],
  { name, severity }: FoundVulnerability,
): boolean {
  return known.some((one) => one.name === name && one.severity === severity)
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
