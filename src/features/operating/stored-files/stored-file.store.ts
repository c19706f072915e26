import type { BlobKind } from '../../../blobs/blob-place.ts'
import type { Db } from '../../../db/db.ts'

const batch_size = 1000

/** Yields rows in the order of their ids. They are read in batches, never a whole table at once. */
async function* batches<Row extends { id: number }>(
  read: (after: number, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await read(after, batch_size)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export type RepositoryPlacement = { id: number; repository_storage: string; state: string }

export function eachProject(db: Db): AsyncGenerator<RepositoryPlacement> {
  return batches((after, limit) =>
    db
      .selectFrom('projects')
      .select(['id', 'repository_storage', 'state'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
}

export function eachWiki(db: Db): AsyncGenerator<Omit<RepositoryPlacement, 'state'>> {
  return batches((after, limit) =>
    db
      .selectFrom('wikis')
      .select(['id', 'repository_storage'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
}

export type NamedBlob = { kind: BlobKind; name: string; id: number }

/** Yields all blobs that rows refer to. */
export async function* eachBlob(db: Db): AsyncGenerator<NamedBlob> {
  const own = { avatars: 'avatars', artifacts: 'job_artifacts', uploads: 'uploads' } as const
  for (const [kind, table] of Object.entries(own) as [keyof typeof own, 'avatars'][]) {
    const rows = batches((after, limit) =>
      db
        .selectFrom(table)
        .select(['id', 'blob as name'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    )
    for await (const row of rows) yield { kind, ...row }
  }
  const sites = batches((after, limit) =>
    db
      .selectFrom('pages_sites')
      .select(['project_id as id', 'blob as name'])
      .where('project_id', '>', after)
      .orderBy('project_id')
      .limit(limit)
      .execute(),
  )
  for await (const row of sites) yield { kind: 'pages', ...row }
  const logs = batches((after, limit) =>
    db
      .selectFrom('jobs')
      .select(['id', 'log_blob'])
      .where('id', '>', after)
      .where('log_blob', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const { id, log_blob } of logs)
    if (log_blob) yield { kind: 'logs', name: log_blob, id }
  const exported = batches((after, limit) =>
    db
      .selectFrom('vulnerability_exports')
      .select(['id', 'blob'])
      .where('id', '>', after)
      .where('blob', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const { id, blob } of exported) if (blob) yield { kind: 'exports', name: blob, id }
  const objects = batches((after, limit) =>
    db
      .selectFrom('lfs_objects')
      .select(['id', 'oid as name'])
      .where('id', '>', after)
      // Objects without links are just being uploaded or deleted.
      .where('unlinked_since', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const row of objects) yield { kind: 'lfs', ...row }
}
