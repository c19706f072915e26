import { hostname } from 'node:os'
import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { oneOf, record, type Static } from '../../../http/schema.ts'
import { monotonic_ms, systemClock, timestamp } from '../../../kernel/clock.ts'
import { version } from '../../../kernel/version.ts'
import { listNodeRows, type NodeRow } from './node.store.ts'

/** Running; or not seen for half a minute, without having been stopped. */
const nodeStates = ['running', 'lost'] as const

const NodeJson = record('Node', {
  id: Type.String(),
  name: Type.String({ description: 'The host name.' }),
  version: Type.String(),
  state: oneOf(nodeStates),
  started_at: Type.String(),
  seen_at: Type.String(),
})

function presentNode({
  is_alive,
  ...row
}: Pick<NodeRow, 'id' | 'name' | 'version' | 'started_at' | 'seen_at'> & {
  is_alive: boolean
}): Static<typeof NodeJson> {
  const { id, name, started_at, seen_at } = row
  return {
    ...{ id, name, version: row.version },
    state: is_alive ? 'running' : 'lost',
    ...{ started_at, seen_at },
  }
}

/** The one server of a SQLite file: this process. */
function onlyNode(): Static<typeof NodeJson> {
  const started = new Date(systemClock().getTime() - monotonic_ms()).toISOString()
  return {
    ...{ id: 'only', name: hostname(), version, state: 'running' },
    ...{ started_at: started, seen_at: timestamp(systemClock) },
  }
}

const endpoint = endpointsWith({ tag: 'Nodes' })

export const nodeEndpoints = [
  endpoint({
    route: 'GET /admin/nodes',
    summary: 'List the servers that share the database',
    allow: administrators,
    answer: Type.Array(NodeJson),
    async run({ db }) {
      if (!isPostgres(db)) return [onlyNode()]
      return (await listNodeRows(db)).map(presentNode)
    },
  }),
]
