import type { Family } from '../../family.ts'
import { customAttributeEndpoints } from './custom-attribute.routes.ts'

export const customAttributeFamily: Family = {
  endpoints: customAttributeEndpoints,
}
