import type { Family } from '../../family.ts'
import { moveSourceDownloads, moveSourceRequests } from './move-source.ts'
import { storageMoveEndpoints } from './storage-move.routes.ts'
import { storageMoveTasks } from './storage-move.tasks.ts'

export const storageMoveFamily: Family = {
  endpoints: storageMoveEndpoints,
  tasks: storageMoveTasks,
  storageOwnerRequests: moveSourceRequests,
  storageOwnerDownloads: moveSourceDownloads,
}
