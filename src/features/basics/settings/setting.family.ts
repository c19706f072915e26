import type { Family } from '../../family.ts'
import { settingEndpoints } from './setting.routes.ts'

export const settingFamily: Family = {
  endpoints: settingEndpoints,
}
