import type { Family } from '../../family.ts'
import { archiveEndpoints } from './archive.routes.ts'
import { snapshotEndpoints } from './snapshot.routes.ts'

export const archiveFamily: Family = {
  endpoints: [...archiveEndpoints, ...snapshotEndpoints],
}
