// What the reports of a pipeline say a project depends on (docs/api/dependencies.md, "Reports").
import type { Db } from '../../../db/db.ts'
import { inTurns } from '../../../kernel/in-turns.ts'
import { limits } from '../../../kernel/limits.ts'
import { setReportError } from '../../delivery/jobs/job.ts'
import { isRecord, openReport, ReportError, readReport } from '../reports/read-report.ts'
import { readSbom, type SbomComponent } from '../reports/read-sbom.ts'
import type { Report } from '../reports/report.ts'
import { pathOf, recordsOf, textOf } from '../reports/report-texts.ts'
import { FindingError, readFinding } from '../vulnerabilities/finding.ts'
import {
  addVulnerability,
  Collection,
  type FoundDependency,
  type FoundVulnerability,
} from './collect.ts'

type Package = { name: string; version: string | null }
type ScannedFile = { path: string | null; package_manager: string | null; packages: Package[] }
/** Of every version where it names none. */
type ScannedVulnerability = FoundVulnerability & { version: string | undefined }
/** By the file and the name of what they are in. */
type Vulnerabilities = Map<string, ScannedVulnerability[]>

/** A report that cannot be read adds nothing, and says why where it is kept. */
export async function readScans(
  { db, config }: { db: Db; config: { readonly data: string } },
  reports: readonly Report[],
): Promise<readonly FoundDependency[]> {
  const found = new Collection()
  const vulnerabilities: Vulnerabilities = new Map()
  for (const report of reports) {
    try {
      const stream = await openReport(config, report)
      if (report.file_type === 'cyclonedx') await addSbom(found, stream)
      else await addScan(found, vulnerabilities, stream)
    } catch (error) {
      if (!(error instanceof ReportError)) throw error
      await setReportError(db, report.id, error.message)
    }
  }
  const dependencies = await found.sorted()
  await addVulnerabilities(dependencies, vulnerabilities)
  return dependencies
}

const placeOf = (file: string | null, name: string) => `${file}\n${name}`

/** A report is added once it was read to its end. */
async function addScan(
  found: Collection,
  vulnerabilities: Vulnerabilities,
  stream: AsyncIterable<Buffer>,
): Promise<void> {
  const files: ScannedFile[] = []
  const told: { place: string; vulnerability: ScannedVulnerability }[] = []
  await readReport(stream, {
    only: [],
    membersOf: {
      'dependency_files.dependencies': packageOf,
      dependency_files(value) {
        if (isRecord(value)) files.push(fileOf(value))
      },
      vulnerabilities(value) {
        const read = vulnerabilityOf(value)
        if (read && told.length < limits.dependencies.vulnerabilities_max) told.push(read)
      },
    },
  })
  for (const { packages, path, package_manager } of files) {
    for await (const some of inTurns(packages)) {
      for (const one of some) found.add({ ...one, package_manager, dependency_file_path: path })
    }
  }
  for (const { place, vulnerability } of told) {
    const known = vulnerabilities.get(place)
    if (known) known.push(vulnerability)
    else vulnerabilities.set(place, [vulnerability])
  }
}

function packageOf(value: unknown): Package | undefined {
  const name = isRecord(value) && isRecord(value.package) ? textOf(value.package.name) : undefined
  if (!isRecord(value) || name === undefined) return undefined
  return { name, version: textOf(value.version) ?? null }
}

function fileOf({ path, package_manager, dependencies }: Record<string, unknown>): ScannedFile {
  return {
    path: pathOf(path) ?? null,
    package_manager: textOf(package_manager)?.toLowerCase() ?? null,
    // Each of them has been through `packageOf`.
    packages: recordsOf(dependencies) as Package[],
  }
}

function vulnerabilityOf(
  value: unknown,
): { place: string; vulnerability: ScannedVulnerability } | undefined {
  try {
    const { title, severity, location } = readFinding('dependency_scanning', value, undefined)
    const { name, version } = packageOf(location.dependency) ?? {}
    const file = pathOf(location.file)
    if (file === undefined || name === undefined) return undefined
    const vulnerability = { name: title, severity, version: version ?? undefined }
    return { place: placeOf(file, name), vulnerability }
  } catch (error) {
    if (!(error instanceof FindingError)) throw error
    return undefined
  }
}

async function addVulnerabilities(
  dependencies: readonly FoundDependency[],
  vulnerabilities: Vulnerabilities,
): Promise<void> {
  for await (const some of inTurns(dependencies)) {
    for (const dependency of some) {
      const place = placeOf(dependency.dependency_file_path, dependency.name)
      for (const one of vulnerabilities.get(place) ?? []) {
        if (one.version === undefined || one.version === dependency.version) {
          addVulnerability(dependency, one)
        }
      }
    }
  }
}

async function addSbom(found: Collection, stream: AsyncIterable<Buffer>): Promise<void> {
  const components: SbomComponent[] = []
  const { origin, vulnerabilities } = await readSbom(stream, (component) => {
    if (components.length < limits.dependencies.per_list_max) components.push(component)
  })
  const byRef = new Map<string, FoundDependency>()
  for await (const some of inTurns(components)) {
    for (const component of some) {
      const added = found.add(dependencyOf(component, origin))
      if (added && component.ref !== undefined) byRef.set(component.ref, added)
    }
  }
  for (const { refs, ...vulnerability } of vulnerabilities) {
    for (const ref of refs) {
      const dependency = byRef.get(ref)
      if (dependency) addVulnerability(dependency, vulnerability)
    }
  }
}

/** Types of package URLs that are called otherwise here. */
const managersOfTypes: ReadonlyMap<string, string> = new Map([
  ['gem', 'bundler'],
  ['golang', 'go'],
  ['pypi', 'pip'],
])

function dependencyOf(
  { name, version, purl_type: type = '', ...own }: SbomComponent,
  origin: Pick<SbomComponent, 'path' | 'package_manager'>,
): Omit<FoundDependency, 'vulnerabilities'> {
  const manager = own.package_manager ?? origin.package_manager
  return {
    name,
    version,
    package_manager: manager ?? managersOfTypes.get(type) ?? (type || null),
    dependency_file_path: own.path ?? origin.path ?? null,
  }
}
