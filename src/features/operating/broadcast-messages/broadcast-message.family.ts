import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushReported } from '../../repository/pushes/push-reported.ts'
import { broadcastMessageEndpoints } from './broadcast-message.routes.ts'
import { addBannersToReport } from './push-banners.ts'

export const broadcastMessageFamily: Family = {
  endpoints: broadcastMessageEndpoints,
  effects: [whenever(pushReported, addBannersToReport)],
}
