// Reads licences from the reports of a pipeline (docs/api/pipeline-licenses.md, "Reports").
import type { BlobSettings } from '../../../blobs/blob-store.ts'
import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import { setArtifactReportError } from '../../delivery/jobs/job.ts'
import { openReport, readJsonReport, UnreadableReportError } from '../reports/read-report.ts'
import { licensesOfSbomComponent, readSbom, type SbomLicense } from '../reports/read-sbom.ts'
import type { ReportArtifact } from '../reports/report.ts'
import { reportPath, reportText } from '../reports/report-texts.ts'
import {
  type FindSpdxLicense,
  identifyLicense,
  loadSpdxLicenseFinder,
  normalizeLicenseName,
} from './license-names.ts'

export type FoundLicense = {
  name: string
  spdx_identifier: string | null
  url: string | null
  dependencies_count: number
  /** The names of the first dependencies. */
  dependencies: string[]
}

/** A dependency and one of its licences. */
type Use = { dependency: string; license: SbomLicense }

/** Returns the licences in reports by name. An unreadable report adds nothing, and its error is stored with the artifact. */
export async function readReportedLicenses(
  { db, config }: { db: Db; config: BlobSettings },
  reports: readonly ReportArtifact[],
): Promise<FoundLicense[]> {
  const found = new Licenses(await loadSpdxLicenseFinder())
  for (const report of reports) {
    try {
      const stream = await openReport(config, report)
      const isSbom = report.file_type === 'cyclonedx'
      await found.add(isSbom ? await readUses(stream) : await readScannedUses(stream))
    } catch (error) {
      if (!(error instanceof UnreadableReportError)) throw error
      await setArtifactReportError(db, report.id, error.message)
    }
  }
  return found.sorted()
}

async function readUses(stream: AsyncIterable<Buffer>): Promise<Use[]> {
  const uses: Use[] = []
  await readSbom(stream, ({ name }, source) => {
    if (uses.length >= limits.pipeline_licenses.uses_max) return
    for (const license of licensesOfSbomComponent(source)) uses.push({ dependency: name, license })
  })
  return uses
}

/**
 * Reads the report of a licence scanner. Since version 2 dependencies refer to licences by identifier; before, each
 * dependency contains its licences.
 */
async function readScannedUses(stream: AsyncIterable<Buffer>): Promise<Use[]> {
  const uses: Use[] = []
  const byId = new Map<string, SbomLicense>()
  await readJsonReport(stream, {
    only: [],
    membersOf: {
      licenses(value) {
        const license = scannedLicense(value)
        if (license?.id === undefined || byId.size >= limits.pipeline_licenses.listed_max) return
        byId.set(license.id, license)
      },
      dependencies(value) {
        if (isRecord(value) && uses.length < limits.pipeline_licenses.uses_max) {
          uses.push(...scannedUses(value))
        }
      },
    },
  })
  return uses.map((use) => ({ ...use, license: byId.get(use.license.id ?? '') ?? use.license }))
}

function scannedUses(value: Record<string, unknown>): Use[] {
  const inner = isRecord(value.dependency) ? value.dependency.name : undefined
  const dependency = reportText(value.name) ?? reportText(inner)
  if (dependency === undefined) return []
  const given = Array.isArray(value.licenses) ? value.licenses : [value.license]
  return given.slice(0, limits.reports.licenses_max).flatMap((one) => {
    const license = typeof one === 'string' ? { id: reportText(one) } : scannedLicense(one)
    return license ? [{ dependency, license }] : []
  })
}

function scannedLicense(value: unknown): SbomLicense | undefined {
  if (!isRecord(value)) return undefined
  const [id, name, url] = [reportText(value.id), reportText(value.name), reportPath(value.url)]
  return id === undefined && name === undefined ? undefined : { id, name, url }
}

/** Collects licences; different spellings of a licence are merged. */
class Licenses {
  readonly #find: FindSpdxLicense
  readonly #found = new Map<string, FoundLicense & { users: Set<string> }>()

  constructor(find: FindSpdxLicense) {
    this.#find = find
  }

  async add(uses: readonly Use[]): Promise<void> {
    for await (const some of slicesWithYields(uses)) {
      for (const { dependency, license } of some) this.#entryOf(license)?.users.add(dependency)
    }
  }

  sorted(): FoundLicense[] {
    return [...this.#found.values()]
      .map(({ users, ...license }) => ({
        ...license,
        dependencies_count: users.size,
        dependencies: [...users].slice(0, limits.pipeline_licenses.dependencies_told_max),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  }

  #entryOf(given: SbomLicense) {
    const license = identifyLicense(this.#find, given)
    if (!license) return undefined
    const key = license.spdx_identifier ?? normalizeLicenseName(license.name)
    const known = this.#found.get(key)
    if (known || this.#found.size >= limits.pipeline_licenses.licenses_max) return known
    const entry = { ...license, dependencies_count: 0, dependencies: [], users: new Set<string>() }
    this.#found.set(key, entry)
    return entry
  }
}
