import { type Kysely, sql } from 'kysely'
import type { Meanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Lists are filtered by what their index says, and in a place only what one pipeline has found there is read. */
export async function up(db: AnyDb): Promise<void> {
  await sql`drop index vulnerabilities_project`.execute(db)
  await sql`create index vulnerabilities_listed on vulnerabilities
    (project_id, id, state, severity, report_type, scanner, resolved_on_default_branch)`.execute(db)
  await sql`drop index vulnerabilities_place`.execute(db)
  await sql`create index vulnerabilities_place on vulnerabilities
    (project_id, report_type, location_fingerprint, latest_pipeline_id)`.execute(db)
  await sql`drop index alerts_started`.execute(db)
  await sql`create index alerts_listed on alerts
    (project_id, started_at, id, status, severity)`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: Meanings = {}
