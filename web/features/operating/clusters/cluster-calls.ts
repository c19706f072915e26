// What the pages of clusters ask of the server, for a project and for a group.
import { touch } from '../../../api/cache.ts'
import type { Place } from '../../../ui/page-module.ts'

const ofProject = {
  list: 'GET /projects/:id/clusters',
  get: 'GET /projects/:id/clusters/:cluster_id',
  add: 'POST /projects/:id/clusters/user',
  change: 'PUT /projects/:id/clusters/:cluster_id',
  remove: 'DELETE /projects/:id/clusters/:cluster_id',
} as const
const ofGroup = {
  list: 'GET /groups/:id/clusters',
  get: 'GET /groups/:id/clusters/:cluster_id',
  add: 'POST /groups/:id/clusters/user',
  change: 'PUT /groups/:id/clusters/:cluster_id',
  remove: 'DELETE /groups/:id/clusters/:cluster_id',
} as const

export const routesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

export function touchClusters({ kind, id }: Place): void {
  touch(`/api/v4/${kind}s/${id}/clusters`)
}
