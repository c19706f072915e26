import type { Family } from '../../family.ts'
import { notificationSettingEndpoints } from './notification-setting.routes.ts'

export const notificationSettingFamily: Family = { endpoints: notificationSettingEndpoints }
