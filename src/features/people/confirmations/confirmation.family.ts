import type { Family } from '../../family.ts'
import { confirmationEndpoints } from './confirmation.routes.ts'

export const confirmationFamily: Family = { endpoints: confirmationEndpoints }
