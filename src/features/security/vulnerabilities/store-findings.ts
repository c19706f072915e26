// Stores the findings of a pipeline as new vulnerabilities, or matches them with known ones
// (docs/api/vulnerabilities.md, "Deduplication").
import { createHash } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { ensureInternalUser } from '../../people/users/internal-user.ts'
import { type Finding, hashFindingIdentifiers } from './finding.ts'
import type { VulnerabilityReportType } from './report-types.ts'
import {
  findKnownVulnerabilities,
  findVulnerabilityAuthorId,
  findVulnerabilityIdsBySignature,
  insertVulnerabilitySignatures,
  type KnownVulnerability,
  upsertVulnerabilities,
} from './vulnerability.store.ts'

export type ScanOfPipeline = {
  project_id: number
  report_type: VulnerabilityReportType
  pipeline_id: number
  /**
   * The topmost parent of the pipeline. Findings of the root pipeline and its children count as found
   * together.
   */
  root_pipeline_id: number
}

/** The namespace of this server's UUIDs (RFC 9562, section 5.5). */
const namespace = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex')

/** Returns the UUID of version 5 for a name. */
function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [0, 8, 12, 16, 20, 32]
  return parts
    .slice(1)
    .map((end, at) => hex.slice(parts[at], end))
    .join('-')
}

function uuidOfFinding({ project_id, report_type }: ScanOfPipeline, finding: Finding): string {
  const { primary_identifier, location_fingerprint } = finding
  return uuidOf(`${report_type}-${primary_identifier}-${location_fingerprint}-${project_id}`)
}

/**
 * Stores some findings of a scan in the transaction. Known vulnerabilities are updated; duplicates of a finding of the same
 * pipeline are omitted. Safe to repeat.
 */
export async function storeFindings(
  tx: Db,
  scan: ScanOfPipeline,
  findings: readonly Finding[],
  clock: Clock,
): Promise<void> {
  const bySignature = await findVulnerabilityIdsBySignature(tx, scan.project_id, [
    ...new Set(findings.flatMap(({ signatures }) => signatures)),
  ])
  const uuids = findings.map((finding) => uuidOfFinding(scan, finding))
  const known = await findKnownVulnerabilities(tx, scan, {
    ids: [...new Set(bySignature.values())],
    uuids,
    places: [...new Set(findings.map((finding) => finding.location_fingerprint))],
  })
  const places = new Places(scan, known)
  const stored = new Map<string, Finding>()
  for (const [at, finding] of findings.entries()) {
    const signed = finding.signatures.map((one) => bySignature.get(one)).find((id) => id)
    const uuid = places.uuidOf(signed) ?? uuids[at] ?? ''
    if (stored.has(uuid) || places.hasTwin(finding, uuid)) continue
    stored.set(uuid, finding)
    places.add(finding, uuid)
  }
  if (stored.size === 0) return
  const author_id =
    (await findVulnerabilityAuthorId(tx, scan)) ?? (await ensureInternalUser(tx, clock, 'ghost')).id
  const now = timestamp(clock)
  const rows = await upsertVulnerabilities(tx, scan, stored, { author_id, now })
  await insertVulnerabilitySignatures(
    tx,
    scan.project_id,
    rows.map(({ id, uuid }) => ({ id, signatures: stored.get(uuid)?.signatures ?? [] })),
  )
}

/** What the pipeline has found so far, by location. */
class Places {
  readonly #uuids = new Map<number, string>()
  /** UUIDs by location and identifier. */
  readonly #found = new Map<string, Set<string>>()

  constructor({ root_pipeline_id }: ScanOfPipeline, known: readonly KnownVulnerability[]) {
    for (const one of known) {
      this.#uuids.set(one.id, one.uuid)
      if (one.latest_pipeline_id === root_pipeline_id) this.add(one, one.uuid)
    }
  }

  uuidOf(id: number | undefined): string | undefined {
    return id === undefined ? undefined : this.#uuids.get(id)
  }

  add(finding: Placed, uuid: string): void {
    for (const key of keysOf(finding)) {
      const uuids = this.#found.get(key) ?? new Set()
      this.#found.set(key, uuids.add(uuid))
    }
  }

  /** Whether another vulnerability in that place shares an identifier with the finding. */
  hasTwin(finding: Placed, uuid: string): boolean {
    return keysOf(finding).some((key) => {
      const uuids = this.#found.get(key)
      return uuids !== undefined && uuids.size > (uuids.has(uuid) ? 1 : 0)
    })
  }
}

type Placed = Pick<Finding, 'location_fingerprint' | 'identifiers'>

const keysOf = ({ location_fingerprint: place, identifiers }: Placed): string[] =>
  hashFindingIdentifiers(identifiers).map((key) => `${place} ${key}`)
