import type { Family } from '../../family.ts'
import { alertIntegrationEndpoints } from './alert-integration.routes.ts'

export const alertIntegrationFamily: Family = {
  endpoints: alertIntegrationEndpoints,
}
