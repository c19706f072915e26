// Reads the dependencies of a project from the reports of a pipeline (docs/api/dependencies.md, "Reports").
import type { BlobSettings } from '../../../blobs/blob-store.ts'
import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import { setArtifactReportError } from '../../delivery/jobs/job.ts'
import { identifyLicense, loadSpdxLicenseFinder } from '../pipeline-licenses/license-names.ts'
import { openReport, readJsonReport, UnreadableReportError } from '../reports/read-report.ts'
import { licensesOfSbomComponent, readSbom, type SbomComponent } from '../reports/read-sbom.ts'
import type { ReportArtifact } from '../reports/report.ts'
import { reportPath, reportRecords, reportText } from '../reports/report-texts.ts'
import { FindingError, parseFinding } from '../vulnerabilities/finding.ts'
import {
  DependencyCollection,
  type FoundDependency,
  type FoundLicense,
  type FoundVulnerability,
  hasSameVulnerability,
  type ReportedDependency,
} from './dependency-collection.ts'

type Package = { name: string; version: string | null }
type ScannedFile = { path: string | null; package_manager: string | null; packages: Package[] }
/** A vulnerability of a package in a file, in one version or in all. */
type ScannedVulnerability = {
  file: string
  package: string
  version: string | null
  vulnerability: FoundVulnerability
}
/** Vulnerabilities by file, package and version. Each has a limited number without duplicates. */
type Vulnerabilities = Map<string, FoundVulnerability[]>

/** Reads reports. An unreadable report adds nothing, and its error is shown where the report is listed. */
export async function readDependencyScans(
  { db, config }: { db: Db; config: BlobSettings },
  reports: readonly ReportArtifact[],
): Promise<readonly FoundDependency[]> {
  const found = new DependencyCollection()
  const vulnerabilities: Vulnerabilities = new Map()
  for (const report of reports) {
    try {
      const stream = await openReport(config, report)
      if (report.file_type === 'cyclonedx') await addSbom(found, stream)
      else await addScan(found, vulnerabilities, stream)
    } catch (error) {
      if (!(error instanceof UnreadableReportError)) throw error
      await setArtifactReportError(db, report.id, error.message)
    }
  }
  const dependencies = await found.sorted()
  await addVulnerabilities(found, dependencies, vulnerabilities)
  return dependencies
}

const placeOf = (file: string | null, name: string, version: string | null) =>
  [file, name, version].join('\n')

/** Adds a report after it was read to its end. */
async function addScan(
  found: DependencyCollection,
  vulnerabilities: Vulnerabilities,
  stream: AsyncIterable<Buffer>,
): Promise<void> {
  const files: ScannedFile[] = []
  const told: ScannedVulnerability[] = []
  let packages_left: number = limits.dependencies.per_list_max
  await readJsonReport(stream, {
    only: [],
    membersOf: {
      'dependency_files.dependencies': (value) =>
        packages_left-- > 0 ? packageOf(value) : undefined,
      dependency_files(value) {
        if (isRecord(value) && files.length < limits.dependencies.scanned_files_max) {
          files.push(fileOf(value))
        }
      },
      vulnerabilities(value) {
        const read = vulnerabilityOf(value)
        if (read && told.length < limits.dependencies.vulnerabilities_max) told.push(read)
      },
    },
  })
  for (const { packages, path, package_manager } of files) {
    for await (const some of slicesWithYields(packages)) {
      for (const one of some) found.add({ ...one, package_manager, dependency_file_path: path })
    }
  }
  for await (const some of slicesWithYields(told)) {
    for (const one of some) noteVulnerability(vulnerabilities, one)
  }
}

function noteVulnerability(vulnerabilities: Vulnerabilities, told: ScannedVulnerability): void {
  const place = placeOf(told.file, told.package, told.version)
  const known = vulnerabilities.get(place) ?? []
  vulnerabilities.set(place, known)
  const isFull = known.length >= limits.dependencies.vulnerabilities_of_one_max
  if (!isFull && !hasSameVulnerability(known, told.vulnerability)) known.push(told.vulnerability)
}

function packageOf(value: unknown): Package | undefined {
  const name =
    isRecord(value) && isRecord(value.package) ? reportText(value.package.name) : undefined
  if (!isRecord(value) || name === undefined) return undefined
  return { name, version: reportText(value.version) ?? null }
}

function fileOf({ path, package_manager, dependencies }: Record<string, unknown>): ScannedFile {
  return {
    path: reportPath(path) ?? null,
    package_manager: reportText(package_manager)?.toLowerCase() ?? null,
    // The values were already checked by `packageOf`.
    packages: reportRecords(dependencies) as Package[],
  }
}

function vulnerabilityOf(value: unknown): ScannedVulnerability | undefined {
  try {
    const { title, severity, location } = parseFinding('dependency_scanning', value, undefined)
    const { name, version = null } = packageOf(location.dependency) ?? {}
    const file = reportPath(location.file)
    if (file === undefined || name === undefined) return undefined
    return { file, package: name, version, vulnerability: { name: title, severity } }
  } catch (error) {
    if (!(error instanceof FindingError)) throw error
    return undefined
  }
}

/** Adds the vulnerabilities of a dependency's version, and those of all versions. */
async function addVulnerabilities(
  found: DependencyCollection,
  dependencies: readonly FoundDependency[],
  vulnerabilities: Vulnerabilities,
): Promise<void> {
  for await (const some of slicesWithYields(dependencies)) {
    for (const dependency of some) {
      const { dependency_file_path: file, name, version } = dependency
      for (const affected of version === null ? [null] : [version, null]) {
        for (const one of vulnerabilities.get(placeOf(file, name, affected)) ?? []) {
          found.addVulnerability(dependency, one)
        }
      }
    }
  }
}

/** The number of vulnerabilities after which other requests can run. Each may name a thousand components. */
const turn_vulnerabilities = 50

async function addSbom(found: DependencyCollection, stream: AsyncIterable<Buffer>): Promise<void> {
  const find = await loadSpdxLicenseFinder()
  const components: (SbomComponent & { licenses: FoundLicense[] })[] = []
  const { origin, vulnerabilities } = await readSbom(stream, (component, source) => {
    if (components.length >= limits.dependencies.per_list_max) return
    const licenses = licensesOfSbomComponent(source).flatMap(
      (one) => identifyLicense(find, one) ?? [],
    )
    const named = licenses.map(({ name, url }) => ({ name, url }))
    components.push({ ...component, licenses: named })
  })
  const byRef = new Map<string, FoundDependency>()
  for await (const some of slicesWithYields(components)) {
    for (const component of some) {
      const added = found.add(dependencyOf(component, origin))
      if (added && component.ref !== undefined) byRef.set(component.ref, added)
    }
  }
  for await (const some of slicesWithYields(vulnerabilities, turn_vulnerabilities)) {
    for (const { refs, ...vulnerability } of some) {
      for (const ref of refs) {
        const dependency = byRef.get(ref)
        if (dependency) found.addVulnerability(dependency, vulnerability)
      }
    }
  }
}

/** Types of package URLs for which the API uses other names. */
const managersOfTypes: ReadonlyMap<string, string> = new Map([
  ['gem', 'bundler'],
  ['golang', 'go'],
  ['pypi', 'pip'],
])

function dependencyOf(
  {
    name,
    version,
    purl_type: type = '',
    licenses,
    ...own
  }: SbomComponent & { licenses: FoundLicense[] },
  origin: Pick<SbomComponent, 'path' | 'package_manager'>,
): ReportedDependency {
  const manager = own.package_manager ?? origin.package_manager
  return {
    name,
    version,
    package_manager: manager ?? managersOfTypes.get(type) ?? (type || null),
    dependency_file_path: own.path ?? origin.path ?? null,
    licenses,
  }
}
