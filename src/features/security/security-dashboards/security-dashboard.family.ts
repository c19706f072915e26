import type { Family } from '../../family.ts'
import { securityDashboardEndpoints } from './security-dashboard.routes.ts'

export const securityDashboardFamily: Family = { endpoints: securityDashboardEndpoints }
