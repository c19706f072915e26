import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushMessagesRequested } from '../../repository/pushes/push-messages-requested.ts'
import { broadcastMessageEndpoints } from './broadcast-message.routes.ts'
import { addBannersToReport } from './push-banners.ts'

export const broadcastMessageFamily: Family = {
  endpoints: broadcastMessageEndpoints,
  effects: [onEffect(pushMessagesRequested, addBannersToReport)],
}
