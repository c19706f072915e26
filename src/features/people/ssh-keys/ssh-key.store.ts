import type { Insertable } from 'kysely'
import type { Db, SshKeyTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { SshKey } from './ssh-key.ts'

/** Returns one page of a user's keys in the order they were added. */
export async function listSshKeysOfUser(
  db: Db,
  user_id: number,
  page: { offset: number; per_page: number },
): Promise<{ rows: SshKey[]; total: number | undefined }> {
  const query = db.selectFrom('ssh_keys').where('user_id', '=', user_id)
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns a key by id if it belongs to that user. */
export function findSshKeyOfUser(
  db: Db,
  { user_id, id }: { user_id: number; id: number },
): Promise<SshKey | undefined> {
  return db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the key of any user, or a deploy key. */
export function findSshKey(db: Db, id: number): Promise<SshKey | undefined> {
  return db.selectFrom('ssh_keys').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findSshKeyByFingerprint(
  db: Db,
  by: { fingerprint: string } | { fingerprint_sha256: string },
): Promise<SshKey | undefined> {
  const query = db.selectFrom('ssh_keys').selectAll()
  return 'fingerprint' in by
    ? query.where('fingerprint', '=', by.fingerprint).orderBy('id').executeTakeFirst()
    : query.where('fingerprint_sha256', '=', by.fingerprint_sha256).executeTakeFirst()
}

/** Returns the projects in which a deploy key is enabled, for administrators. */
export function listProjectsOfDeployKey(db: Db, ssh_key_id: number, limit: number) {
  return db
    .selectFrom('deploy_key_projects')
    .select(['id', 'ssh_key_id', 'project_id', 'created_at', 'updated_at', 'can_push'])
    .where('ssh_key_id', '=', ssh_key_id)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Inserts a key; returns undefined if somebody has it already. */
export async function insertSshKey(
  db: Db,
  key: Insertable<SshKeyTable>,
): Promise<SshKey | undefined> {
  // A deploy key whose last project was deleted gives no access and must not prevent adding the key again.
  await db
    .deleteFrom('ssh_keys')
    .where('fingerprint_sha256', '=', key.fingerprint_sha256)
    .where('user_id', 'is', null)
    .where('is_public', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deploy_key_projects')
            .select('deploy_key_projects.id')
            .whereRef('deploy_key_projects.ssh_key_id', '=', 'ssh_keys.id'),
        ),
      ),
    )
    .execute()
  return db
    .insertInto('ssh_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('fingerprint_sha256').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSshKey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('ssh_keys').where('id', '=', id).execute()
}
