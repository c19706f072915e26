import type { Db } from '../db/db.ts'
import { lockRowUntilCommit, lockUntilCommit } from '../db/dialect.ts'

const tables = {
  project: 'projects',
  group: 'namespaces',
  user: 'users',
  issuable: 'issuables',
  release: 'releases',
  board: 'boards',
  pipeline_schedule: 'pipeline_schedules',
  vulnerability: 'vulnerabilities',
  alert: 'alerts',
} as const

/** An owner of records whose number is limited. Webhooks call the instance `system`. */
export type LimitedOwner =
  | { kind: keyof typeof tables; id: number }
  | { kind: 'instance' }
  | { kind: 'system' }

/** For the owner that has no row. */
const instance_lock = 9

/**
 * Locks an owner until the transaction ends, before its records are counted and one is added: others that do so wait, and
 * then count that one too. Without it, requests at the same time exceed the limit together on PostgreSQL.
 */
export async function lockOwner(tx: Db, owner: LimitedOwner): Promise<void> {
  if (owner.kind === 'instance' || owner.kind === 'system') await lockUntilCommit(tx, instance_lock)
  else await lockRowUntilCommit(tx, tables[owner.kind], owner.id)
}
