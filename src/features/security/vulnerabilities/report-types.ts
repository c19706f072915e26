// The report types with vulnerabilities, and which fields identify a location (docs/api/vulnerabilities.md, "Locations").
import { ownValue } from '../../../kernel/own-value.ts'

export const vulnerabilityReportTypes = [
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
  'cluster_image_scanning',
  'dast',
  'coverage_fuzzing',
  'api_fuzzing',
] as const
export type VulnerabilityReportType = (typeof vulnerabilityReportTypes)[number]

export function isVulnerabilityReportType(type: string): type is VulnerabilityReportType {
  return (vulnerabilityReportTypes as readonly string[]).includes(type)
}

type Json = Record<string, unknown>

/** Returns the member at a path as text; empty if it is not a text or number. */
function textAt(json: unknown, ...names: string[]): string {
  let value = json
  for (const name of names) {
    value = typeof value === 'object' && value !== null ? ownValue(value as Json, name) : undefined
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the name of an image without tag and digest: a newer image of the same name is the same location. */
function imageName(image: string): string {
  const name = image.split('@', 1)[0] ?? ''
  const colon = name.lastIndexOf(':')
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name
}

const inFile = (location: Json) =>
  ['file', 'start_line', 'end_line'].map((n) => textAt(location, n))
const inPackage = (location: Json) => textAt(location, 'dependency', 'package', 'name')
const inImage = (location: Json) => [imageName(textAt(location, 'image')), inPackage(location)]
const inRequest = (location: Json) => ['path', 'method', 'param'].map((n) => textAt(location, n))

const places: Record<VulnerabilityReportType, (location: Json) => string[]> = {
  sast: inFile,
  secret_detection: inFile,
  dependency_scanning: (location) => [textAt(location, 'file'), inPackage(location)],
  container_scanning: inImage,
  cluster_image_scanning: (location) => [
    ...['agent_id', 'cluster_id', 'namespace', 'kind', 'name', 'container_name'].map((name) =>
      textAt(location, 'kubernetes_resource', name),
    ),
    ...inImage(location),
  ],
  dast: inRequest,
  coverage_fuzzing: (location) => ['crash_type', 'crash_state'].map((n) => textAt(location, n)),
  api_fuzzing: inRequest,
}

/** Returns the key of a location, which does not depend on lines and versions around it. */
export function findingLocationKey(type: VulnerabilityReportType, location: Json): string {
  return places[type](location).join(':')
}
