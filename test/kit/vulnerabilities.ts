import { createHash, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, VulnerabilityTable } from '../../src/db/db.ts'
import { toJson } from '../../src/db/dialect.ts'

type Identifier = { type: string; name: string; value: string; url: string | null }

/** What a test says of a vulnerability; the rest is made up. */
export type Found = Partial<Omit<Insertable<VulnerabilityTable>, 'identifiers'>> & {
  identifiers?: Identifier[]
}

export const identifier = (type: string, name: string): Identifier => ({
  type,
  name,
  value: name,
  url: null,
})

const at = '2026-03-01T10:00:00.000Z'
const batch_size = 500

function rowOf(project_id: number, found: Found): Insertable<VulnerabilityTable> {
  const { identifiers = [identifier('cve', 'CVE-2026-0001')], ...fields } = found
  const digest = (text: string) => createHash('sha1').update(text).digest('hex')
  return {
    project_id,
    uuid: randomUUID(),
    report_type: 'sast',
    state: 'detected',
    resolved_on_default_branch: false,
    title: 'A weakness',
    description: null,
    message: null,
    solution: null,
    severity: 'high',
    confidence: 'unknown',
    scanner: 'semgrep',
    scanner_name: 'Semgrep',
    primary_identifier: digest(identifiers[0]?.name ?? ''),
    location_fingerprint: digest(randomUUID()),
    location: toJson({ file: 'a.c' }),
    identifiers: toJson(identifiers),
    compare_key: null,
    metadata: toJson({}),
    first_pipeline_id: 0,
    latest_pipeline_id: 0,
    created_at: at,
    updated_at: at,
    ...fields,
  }
}

/** Puts vulnerabilities into a project, as if a pipeline had found them. */
export async function insertVulnerabilities(
  db: Db,
  project: { id: number },
  found: readonly Found[],
): Promise<void> {
  for (let start = 0; start < found.length; start += batch_size) {
    const rows = found.slice(start, start + batch_size).map((one) => rowOf(project.id, one))
    await db.insertInto('vulnerabilities').values(rows).execute()
  }
}
