import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { Dependency, GroupDependency } from './dependency.store.ts'

const fields = {
  name: Type.String(),
  version: nullableText,
  package_manager: nullableText,
  dependency_file_path: nullableText,
  licenses: Type.Array(
    namedObject('DependencyLicense', { name: Type.String(), url: nullableText }),
  ),
  vulnerabilities: Type.Optional(
    Type.Array(
      namedObject('DependencyVulnerability', { name: Type.String(), severity: Type.String() }),
    ),
  ),
}

export const DependencyJson = namedObject('Dependency', fields)

/** A dependency in the list of a group: with its project and the file in that project. */
export const GroupDependencyJson = namedObject('GroupDependency', {
  ...fields,
  location: namedObject('DependencyLocation', { path: nullableText, blob_path: nullableText }),
  project: namedObject('DependencyProject', {
    id: Type.Integer(),
    name: Type.String(),
    full_path: Type.String(),
    full_name: Type.String(),
  }),
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

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

export function presentGroupDependency(
  dependency: GroupDependency,
): Static<typeof GroupDependencyJson> {
  const { has_vulnerabilities, dependency_file_path: path, project } = dependency
  const { default_branch, ...named } = project
  const blob_path =
    path === null || default_branch === null
      ? null
      : `/${project.full_path}/-/blob/${encodePath(default_branch)}/${encodePath(path)}`
  return {
    ...presentDependency(dependency, { hasVulnerabilities: has_vulnerabilities }),
    location: { path, blob_path },
    project: named,
  }
}
