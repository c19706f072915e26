import type { Family } from '../../family.ts'
import { signatureEndpoints } from './signature.routes.ts'

export const signatureFamily: Family = {
  endpoints: signatureEndpoints,
}
