import type { Family } from '../../family.ts'
import { managedLicenseEndpoints } from './managed-license.routes.ts'

export const managedLicenseFamily: Family = { endpoints: managedLicenseEndpoints }
