// The servers on the same database, for administrators.
import { hostname } from 'node:os'
import { Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { isPostgres } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { namedObject, oneOf, type Static } from '../../../http/schema.ts'
import { monotonic_ms, systemClock, timestamp } from '../../../kernel/clock.ts'
import { serverVersion } from '../../../kernel/version.ts'
import { listNodeRows, type NodeRow } from './node.store.ts'

/** `lost` means not seen for half a minute without having been stopped. */
const nodeStates = ['running', 'lost'] as const

export const NodeJson = namedObject('Node', {
  id: Type.String(),
  name: Type.String({ description: 'The host name.' }),
  version: Type.String(),
  state: oneOf(nodeStates),
  started_at: Type.String(),
  seen_at: Type.String(),
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the other servers reach it, if its setting says so.',
  }),
  storages: Type.Array(Type.String(), {
    description: 'The storages whose disks it has.',
  }),
})

function presentNode({
  is_alive,
  ...row
}: Pick<NodeRow, 'id' | 'name' | 'version' | 'started_at' | 'seen_at' | 'url' | 'storages'> & {
  is_alive: boolean
}): Static<typeof NodeJson> {
  const { id, name, started_at, seen_at, url, storages } = row
  return {
    ...{ id, name, version: row.version },
    state: is_alive ? 'running' : 'lost',
    ...{ started_at, seen_at, url, storages: [...(storages ?? [])] },
  }
}

/** Returns the only server of a SQLite database: this process. */
function onlyNode({ storages }: Pick<Config, 'storages'>): Static<typeof NodeJson> {
  const started = new Date(systemClock().getTime() - monotonic_ms()).toISOString()
  return {
    ...{ id: 'only', name: hostname(), version: serverVersion, state: 'running' },
    ...{ started_at: started, seen_at: timestamp(systemClock) },
    ...{ url: null, storages: Object.keys(storages) },
  }
}

/** Returns the nodes that are running or were lost; on SQLite only this one. */
export async function listNodes({
  db,
  config,
}: Pick<Instance, 'db' | 'config'>): Promise<Static<typeof NodeJson>[]> {
  if (!isPostgres(db)) return [onlyNode(config)]
  return (await listNodeRows(db)).map(presentNode)
}
