import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { listNodes, NodeJson } from './list-nodes.ts'

const endpoint = endpointFactory({ tag: 'Nodes' })

export const nodeEndpoints = [
  endpoint({
    route: 'GET /admin/nodes',
    summary: 'List the servers that share the database',
    allow: administrators,
    answer: Type.Array(NodeJson),
    run: listNodes,
  }),
]
