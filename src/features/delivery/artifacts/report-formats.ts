// The types of artifacts, with their formats and file names (docs/api/ci.md, "Artifacts").
import type { JobArtifactTable } from '../../../db/db.ts'

export type ArtifactFormat = 'zip' | 'gzip' | 'raw'

const types: Record<ArtifactFormat, readonly string[]> = {
  zip: ['archive', 'lsif'],
  gzip: [
    'metadata',
    'junit',
    'metrics',
    'metrics_referee',
    'network_referee',
    'dotenv',
    'cobertura',
    'coverage_report',
    'jacoco',
    'cyclonedx',
    'annotations',
    'cluster_applications',
  ],
  raw: [
    'trace',
    'sast',
    'secret_detection',
    'dependency_scanning',
    'container_scanning',
    'cluster_image_scanning',
    'dast',
    'license_scanning',
    'accessibility',
    'codequality',
    'performance',
    'browser_performance',
    'load_performance',
    'terraform',
    'requirements',
    'coverage_fuzzing',
    'api_fuzzing',
    'repository_xray',
  ],
}

const formats = new Map(
  Object.entries(types).flatMap(([format, names]) =>
    names.map((name) => [name, format as ArtifactFormat] as const),
  ),
)

/** Whether artifacts of that type exist. */
export function isArtifactType(type: string): boolean {
  return formats.has(type)
}

export function artifactFormatOf(type: JobArtifactTable['file_type']): ArtifactFormat {
  return formats.get(type) ?? 'raw'
}

/** The file names that runners give to reports. */
export const defaultReportFileNames: ReadonlyMap<string, string> = new Map([
  ['junit', 'junit.xml'],
  ['accessibility', 'gl-accessibility.json'],
  ['codequality', 'gl-code-quality-report.json'],
  ['sast', 'gl-sast-report.json'],
  ['secret_detection', 'gl-secret-detection-report.json'],
  ['dependency_scanning', 'gl-dependency-scanning-report.json'],
  ['container_scanning', 'gl-container-scanning-report.json'],
  ['cluster_image_scanning', 'gl-cluster-image-scanning-report.json'],
  ['dast', 'gl-dast-report.json'],
  ['license_scanning', 'gl-license-scanning-report.json'],
  ['performance', 'performance.json'],
  ['browser_performance', 'browser-performance.json'],
  ['load_performance', 'load-performance.json'],
  ['metrics', 'metrics.txt'],
  ['lsif', 'lsif.json'],
  ['dotenv', '.env'],
  ['cobertura', 'cobertura-coverage.xml'],
  ['coverage_report', 'coverage.xml'],
  ['terraform', 'tfplan.json'],
  ['requirements', 'requirements.json'],
  ['coverage_fuzzing', 'gl-coverage-fuzzing.json'],
  ['api_fuzzing', 'gl-api-fuzzing-report.json'],
  ['cyclonedx', 'gl-sbom.cdx.json'],
])
