import { type Static, Type } from 'typebox'
import { namedObject, nullableInteger, nullableText, oneOf } from '../../../http/schema.ts'
import { type LicenseClassification, licenseApprovalStatuses } from './classify.ts'
import type { PipelineLicense } from './pipeline-license.store.ts'

export const PipelineLicenseJson = namedObject('PipelineLicense', {
  name: Type.String(),
  spdx_identifier: nullableText,
  url: nullableText,
  dependencies_count: Type.Integer(),
  dependencies: Type.Array(Type.String()),
  classification: Type.Object({
    id: nullableInteger,
    approval_status: oneOf(licenseApprovalStatuses),
  }),
})

export function presentPipelineLicense(
  license: PipelineLicense,
  classification: LicenseClassification,
): Static<typeof PipelineLicenseJson> {
  const { name, spdx_identifier, url, dependencies_count, dependencies } = license
  return { name, spdx_identifier, url, dependencies_count, dependencies, classification }
}
