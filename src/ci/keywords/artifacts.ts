// `artifacts` and `pages`.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  readBooleanField,
  readDurationField,
  readEnumField,
  readTextField,
  readTextListField,
  readTextOrTextListField,
  reportKeyError,
  reportUnknownKeys,
  requireDictField,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedArtifacts } from '../planned.ts'
import { childOfDict } from '../tree.ts'

const keys = [
  'name',
  'untracked',
  'paths',
  'reports',
  'when',
  'expire_in',
  'expose_as',
  'exclude',
  'public',
  'access',
]
/** The values of `artifacts:when` and `cache:when`. */
export const artifactWhenValues = ['on_success', 'on_failure', 'always'] as const
const reportTypes = [
  'junit',
  'annotations',
  'codequality',
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
  'cluster_image_scanning',
  'dast',
  'performance',
  'browser_performance',
  'load_performance',
  'license_scanning',
  'metrics',
  'lsif',
  'dotenv',
  'terraform',
  'accessibility',
  'coverage_report',
  'cobertura',
  'coverage_fuzzing',
  'api_fuzzing',
  'cluster_applications',
  'requirements',
  'requirements_v2',
  'cyclonedx',
  'repository_xray',
  'jacoco',
]

export function readArtifactsKeyword(field: ConfigurationField): PlannedArtifacts | undefined {
  const dict = requireDictField(field, keys)
  if (!dict) return undefined
  const access = readEnumField(
    dict,
    'access',
    ['none', 'developer', 'maintainer', 'all'],
    ciMessages.oneOf,
  )
  const exposed = readTextField(dict, 'expose_as', { characters_max: 100 })
  if (exposed !== undefined) checkExposed(dict)
  return withoutUndefined({
    name: readTextField(dict, 'name'),
    paths: readTextListField(dict, 'paths'),
    exclude: readTextListField(dict, 'exclude'),
    untracked: readBooleanField(dict, 'untracked'),
    when: readEnumField(dict, 'when', artifactWhenValues, ciMessages.either),
    expire_in: readDurationField(dict, 'expire_in'),
    expose_as: exposed,
    public:
      readBooleanField(dict, 'public') ?? (access === undefined ? undefined : access === 'all'),
    reports: readReports(dict),
  })
}

/** Reports a glob in `artifacts:paths` beside `expose_as`, since merge requests link each path by name. */
function checkExposed(field: ConfigurationField): void {
  const name = readTextField(field, 'expose_as')
  if (name !== undefined && !/^[\w -]+$/.test(name)) {
    reportKeyError(field, 'expose_as', "can contain only letters, digits, '-', '_' and spaces")
  }
  const paths = readTextListField(field, 'paths')
  if (!paths) reportKeyError(field, 'paths', ciMessages.blank)
  else if (paths.some((path) => path.includes('*'))) {
    reportKeyError(field, 'paths', "can't contain '*' when used with 'expose_as'")
  }
}

function readReports(artifacts: ConfigurationField): Record<string, string[]> | undefined {
  const field = childField(artifacts, 'reports')
  const dict = field && requireDictField(field)
  if (!dict) return undefined
  reportUnknownKeys(dict, reportTypes)
  const reports: [string, string[]][] = []
  for (const type of dict.node.entries.keys()) {
    const paths =
      type === 'coverage_report' ? readCoverageReport(dict) : readTextOrTextListField(dict, type)
    if (paths) reports.push([type === 'coverage_report' ? 'cobertura' : type, paths])
  }
  return Object.fromEntries(reports)
}

function readCoverageReport(reports: ConfigurationField): string[] | undefined {
  const field = childField(reports, 'coverage_report')
  const dict = field && requireDictField(field, ['coverage_format', 'path'])
  if (!dict) return undefined
  const formats = ['cobertura', 'jacoco'] as const
  readEnumField(
    dict,
    'coverage_format',
    formats,
    () => 'must be one of supported formats: cobertura, jacoco.',
  )
  const path = readTextField(dict, 'path', { isRequired: true })
  return path === undefined ? undefined : [path]
}

/** Reads `pages` of a job that publishes a site: `true`, or a dict that names the folder to publish. */
export function readPagesKeyword(field: ConfigurationField): { publish?: string } | undefined {
  const { node } = field
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value ? {} : undefined
  const keysOfPages = ['publish', 'path_prefix', 'expire_in']
  const dict = requireDictField(field, keysOfPages, 'config should be a hash or a boolean value')
  return dict && childOfDict(dict.node, 'publish')
    ? withoutUndefined({ publish: readTextField(dict, 'publish') })
    : dict && {}
}
