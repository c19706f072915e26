// Reads bills of materials: CycloneDX in JSON (docs/api/dependencies.md, "Bills of materials").
import { withBrandPrefixes } from '../../../http/brand.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { vulnerabilitySeverities } from '../vulnerabilities/finding.ts'
import { readJsonReport, UnreadableReportError } from './read-report.ts'
import { reportPath, reportRecords, reportText } from './report-texts.ts'

export type SbomLicense = { id?: string; name?: string; expression?: string; url?: string }

export type SbomComponent = {
  /** The name, with the group in front if there is one: `@babel/core`, `org.slf4j/slf4j-api`. */
  name: string
  version: string | null
  /** The type of the package URL: `npm` in `pkg:npm/...`. */
  purl_type: string | undefined
  package_manager: string | undefined
  /** The file in which the component was found. */
  path: string | undefined
  /** The reference by which vulnerabilities name the component. */
  ref: string | undefined
}

export type Sbom = {
  /** The defaults for components without an origin of their own. */
  origin: Origin
  vulnerabilities: { name: string; severity: string; refs: string[] }[]
}

type Origin = Pick<SbomComponent, 'path' | 'package_manager'>

/** Called with each component. `source` is its original JSON, for `licensesOfSbomComponent`. */
type TakeComponent = (component: SbomComponent, source: Record<string, unknown>) => void

const versions = ['1.4', '1.5', '1.6', '1.7']
const vulnerability_refs_max = 1000

/**
 * Passes on the components of a bill of materials as they are parsed, including nested ones. Throws UnreadableReportError if
 * it cannot be read; some components may have been passed on before.
 */
export async function readSbom(stream: AsyncIterable<Buffer>, take: TakeComponent): Promise<Sbom> {
  const vulnerabilities: Sbom['vulnerabilities'] = []
  let refs_left: number = limits.dependencies.refs_max
  const head = await readJsonReport(stream, {
    only: ['bomFormat', 'specVersion', 'metadata'],
    membersOf: {
      components: (value) => takeComponents(value, take),
      vulnerabilities(value) {
        const read = vulnerabilityOf(value)
        if (!read || vulnerabilities.length >= limits.dependencies.vulnerabilities_max) return
        refs_left -= read.refs.length
        if (refs_left >= 0) vulnerabilities.push(read)
      },
    },
  })
  if (!versions.some((version) => version === head.specVersion)) {
    const known = versions.join(', ')
    throw new UnreadableReportError(`Unsupported CycloneDX spec version. Must be one of: ${known}`)
  }
  const { metadata } = head
  return { origin: originOf(isRecord(metadata) ? metadata.properties : undefined), vulnerabilities }
}

function takeComponents(value: unknown, take: TakeComponent): void {
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isRecord(next)) continue
    const component = componentOf(next)
    if (component) take(component, next)
    for (const inner of reportRecords(next.components)) waiting.push(inner)
  }
}

function componentOf(value: Record<string, unknown>): SbomComponent | undefined {
  const name = reportText(value.name)
  if (value.type !== 'library' || name === undefined) return undefined
  const group = reportText(value.group)
  const full = group === undefined ? name : `${group}/${name}`
  if (full.length > limits.reports.text_characters) return undefined
  return {
    name: full,
    version: reportText(value.version) ?? null,
    purl_type: purlType(reportText(value.purl, limits.reports.path_characters)),
    ref: reportPath(value['bom-ref']),
    ...originOf(value.properties),
  }
}

/**
 * Returns the type of a package URL: `npm` for `pkg:npm/%40babel/core@7.1.0` (Package URL, "Rules for each
 * component").
 */
function purlType(purl: string | undefined): string | undefined {
  return /^pkg:\/{0,2}([a-z][a-z0-9.+-]{0,30})\//i.exec(purl ?? '')?.[1]?.toLowerCase()
}

/** Before release 15.11 the names lacked their last part. */
const pathNames = ['input_file:path', 'input_file', 'source_file:path', 'source_file'].map(own)
const managerNames = ['package_manager:name', 'package_manager'].map(own)

function own(name: string): readonly string[] {
  return withBrandPrefixes(`dependency_scanning:${name}`)
}

function originOf(properties: unknown): Origin {
  const told = reportRecords(properties)
  const find = (names: readonly (readonly string[])[]) =>
    names
      .map((spellings) => told.find(({ name }) => spellings.includes(name as string))?.value)
      .find((value) => reportPath(value) !== undefined)
  return {
    path: reportPath(find(pathNames)),
    package_manager: reportText(find(managerNames))?.toLowerCase(),
  }
}

/** Returns the licences of a component: single ones, or an expression. */
export function licensesOfSbomComponent({ licenses }: Record<string, unknown>): SbomLicense[] {
  return reportRecords(licenses).slice(0, limits.reports.licenses_max).flatMap(licenseOf)
}

function licenseOf({ license, expression }: Record<string, unknown>): SbomLicense[] {
  const text = reportText(expression, limits.pipeline_licenses.expression_characters)
  if (text !== undefined) return [{ expression: text }]
  if (!isRecord(license)) return []
  const [id, name] = [reportText(license.id), reportText(license.name)]
  if (id === undefined && name === undefined) return []
  return [{ id, name, url: reportPath(license.url) }]
}

function vulnerabilityOf(value: unknown): Sbom['vulnerabilities'][number] | undefined {
  if (!isRecord(value)) return undefined
  const name = reportText(value.id)
  const refs = reportRecords(value.affects)
    .slice(0, vulnerability_refs_max)
    .flatMap(({ ref }) => reportPath(ref) ?? [])
  if (name === undefined || refs.length === 0) return undefined
  const told = reportRecords(value.ratings).map(({ severity }) =>
    reportText(severity)?.toLowerCase(),
  )
  const severity = told.flatMap(
    (one) => vulnerabilitySeverities.find((known) => known === one) ?? [],
  )[0]
  return { name, severity: severity ?? 'unknown', refs }
}
