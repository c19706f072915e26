import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { Dependency } from './dependency.store.ts'

export const DependencyJson = namedObject('Dependency', {
  name: Type.String(),
  version: nullableText,
  package_manager: nullableText,
  dependency_file_path: nullableText,
  licenses: Type.Array(
    namedObject('DependencyLicense', { name: Type.String(), url: nullableText }),
  ),
  vulnerabilities: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), severity: Type.String() })),
  ),
})

export function presentDependency(
  dependency: Dependency,
  { hasVulnerabilities }: { hasVulnerabilities: boolean },
): Static<typeof DependencyJson> {
  const { name, version, package_manager, dependency_file_path, vulnerabilities } = dependency
  const licenses = dependency.licenses ?? []
  const record = { name, version, package_manager, dependency_file_path, licenses }
  return hasVulnerabilities ? { ...record, vulnerabilities } : record
}
