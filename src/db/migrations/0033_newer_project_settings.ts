import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

const levels = [
  'releases',
  'environments',
  'feature_flags',
  'infrastructure',
  'monitor',
  'requirements',
  'model_experiments',
  'model_registry',
  'package_registry',
]

/** Levels of features that clients of later releases set, and when images of a project are removed. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  // SQLite adds one column a statement.
  for (const level of levels) await addLevel(db, level, 'enabled')
  await addLevel(db, 'security_and_compliance', 'private')
  await db.schema.alterTable('projects').addColumn('container_expiration_policy', 'text').execute()
}

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
async function addLevel(db: Kysely<any>, name: string, usual: string): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn(`${name}_access_level`, 'text', (c) => c.notNull().defaultTo(usual))
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'projects.releases_access_level': { type: 'FeatureAccess' },
  'projects.environments_access_level': { type: 'FeatureAccess' },
  'projects.feature_flags_access_level': { type: 'FeatureAccess' },
  'projects.infrastructure_access_level': { type: 'FeatureAccess' },
  'projects.monitor_access_level': { type: 'FeatureAccess' },
  'projects.requirements_access_level': { type: 'FeatureAccess' },
  'projects.security_and_compliance_access_level': { type: 'FeatureAccess' },
  'projects.model_experiments_access_level': { type: 'FeatureAccess' },
  'projects.model_registry_access_level': { type: 'FeatureAccess' },
  'projects.package_registry_access_level': { type: "FeatureAccess | 'public'" },
  'projects.container_expiration_policy': {
    note: 'JSON; null if it was never set.',
  },
}
