import type { Family } from '../../family.ts'
import { registrationEndpoints } from './registration.routes.ts'

export const registrationFamily: Family = { endpoints: registrationEndpoints }
