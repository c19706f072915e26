import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { deleteReleasesOfRemovedTags } from './delete-with-tags.ts'
import { releaseEndpoints } from './release.routes.ts'
import { releaseLinkEndpoints } from './release-link.routes.ts'

export const releaseFamily: Family = {
  endpoints: [...releaseEndpoints, ...releaseLinkEndpoints],
  effects: [onEffect(pushLandedEffect, deleteReleasesOfRemovedTags)],
}
