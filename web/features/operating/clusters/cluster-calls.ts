// API operations of clusters, for a project, a group and the instance.
import { invalidate } from '../../../api/cache.ts'
import type { PageLocation, Place } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'

/**
 * The owner of the clusters on a page: a project or group, or the instance, which has no `place`. `list` is
 * the address of the list. `which` is an id, `new`, or empty for the list.
 */
export type ClusterOwner = { place: Place | undefined; list: string; which: string }

export function clusterOwnerOf({ place, params }: PageLocation): ClusterOwner {
  return place
    ? { place, list: `${placeBasePath(place)}/-/clusters`, which: place.rest ?? '' }
    : { place, list: '/admin/clusters', which: params.id ?? '' }
}

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
// The instance has the same parameters without an id.
const ofInstance = {
  list: 'GET /admin/clusters' as typeof ofGroup.list,
  get: 'GET /admin/clusters/:cluster_id' as typeof ofGroup.get,
  add: 'POST /admin/clusters/add' as typeof ofGroup.add,
  change: 'PUT /admin/clusters/:cluster_id' as typeof ofGroup.change,
  remove: 'DELETE /admin/clusters/:cluster_id' as typeof ofGroup.remove,
} as const

export function clusterRoutesOf({ place }: ClusterOwner) {
  if (!place) return ofInstance
  return place.kind === 'group' ? ofGroup : ofProject
}

/** Returns the parameter for the owner. The type requires an id, which the instance does not have. */
export const clusterOwnerInput = ({ place }: ClusterOwner) =>
  (place ? { id: place.id } : {}) as { id: number }

export function invalidateClusters({ place }: ClusterOwner): void {
  invalidate(place ? `/api/v4/${place.kind}s/${place.id}/clusters` : '/api/v4/admin/clusters')
}
