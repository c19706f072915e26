import type { Family } from '../../family.ts'
import { releaseEndpoints } from './release.routes.ts'
import { releaseLinkEndpoints } from './release-link.routes.ts'

export const releaseFamily: Family = {
  endpoints: [...releaseEndpoints, ...releaseLinkEndpoints],
}
