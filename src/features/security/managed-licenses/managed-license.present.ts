import { type Static, Type } from 'typebox'
import { namedObject, oneOf } from '../../../http/schema.ts'
import type { ManagedLicense } from './managed-license.ts'

export const ManagedLicenseJson = namedObject('ManagedLicense', {
  id: Type.Integer(),
  name: Type.String(),
  approval_status: oneOf(['allowed', 'denied']),
})

export function presentManagedLicense({
  id,
  name,
  approval_status,
}: ManagedLicense): Static<typeof ManagedLicenseJson> {
  return { id, name, approval_status }
}
