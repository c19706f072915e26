// The health of the instance in one record, for administrators.
import { type Static, Type } from 'typebox'
import { isPostgres } from '../../../db/dialect.ts'
import { isNearlyFull, listDisks } from '../../../disk/disk.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { serverVersion } from '../../../kernel/version.ts'
import { readLaneStats } from '../../../tasks/lane-stats.ts'
import { laneNames } from '../../../tasks/task.ts'
import { runner_online_ms_max } from '../../delivery/jobs/show-jobs.ts'
import { listNodes, NodeJson } from '../nodes/list-nodes.ts'
import { countContactedRunners, countPendingUsers, findLastBackupTime } from './statistics.store.ts'

export const HealthJson = namedObject('InstanceHealth', {
  version: Type.String(),
  database: oneOf(['sqlite', 'postgresql']),
  url: nullable(
    Type.String({ description: 'The public address; null where it is taken from each request.' }),
  ),
  nodes: Type.Array(NodeJson),
  workers: Type.Integer({ description: 'How many processes of this node answer requests.' }),
  mail_from: nullable(Type.String({ description: 'Null where the server sends no emails.' })),
  runners_online: Type.Integer({
    description: 'Of the instance, groups and projects; not the paused ones.',
  }),
  users_pending_approval: Type.Integer(),
  last_backup_at: nullableText,
  disks: Type.Array(
    namedObject('InstanceDisk', {
      storage: nullable(Type.String({ description: 'Null for the data folder.' })),
      path: Type.String(),
      free_bytes: Type.Integer(),
      size_bytes: Type.Integer(),
      nearly_full: Type.Boolean(),
    }),
  ),
  tasks: Type.Array(
    namedObject('TaskLane', {
      lane: oneOf(laneNames),
      waiting: Type.Integer(),
      waiting_seconds: Type.Integer({ description: 'For how long the oldest has been due.' }),
      running: Type.Integer(),
      failed: Type.Integer(),
    }),
  ),
})

/** Reads the health of the instance: sizes in bytes, tasks of all nodes together (docs/api/instance.md, "Health"). */
export async function readHealth({
  db,
  clock,
  config,
}: Pick<Instance, 'db' | 'clock' | 'config'>): Promise<Static<typeof HealthJson>> {
  const [nodes, lanes, runners_online, users_pending_approval, last_backup_at] = await Promise.all([
    listNodes({ db, config }),
    readLaneStats(db, clock()),
    countContactedRunners(db, {
      contactedSince: new Date(clock().getTime() - runner_online_ms_max).toISOString(),
    }),
    countPendingUsers(db),
    findLastBackupTime(db),
  ])
  const [data, ...storages] = listDisks(config).map(({ place, ...disk }, at) => {
    const { path, free_bytes, size_bytes } = disk
    const nearly_full = isNearlyFull(config, { place, ...disk })
    return { storage: at === 0 ? null : place, path, free_bytes, size_bytes, nearly_full }
  })
  return {
    version: serverVersion,
    database: isPostgres(db) ? 'postgresql' : 'sqlite',
    url: config.url ?? null,
    nodes,
    workers: config.workers,
    mail_from: config.smtp ? config.mailFrom : null,
    runners_online,
    users_pending_approval,
    last_backup_at,
    disks: data ? [data, ...storages] : [],
    tasks: lanes.map(({ waiting_s_max, ...lane }) => ({
      ...lane,
      waiting_seconds: Math.max(0, Math.round(waiting_s_max)),
    })),
  }
}
