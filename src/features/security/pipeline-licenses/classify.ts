// Whether a project allows a licence, or an expression of several (docs/api/pipeline-licenses.md, "Classification").
import type { Info } from 'spdx-expression-parse'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import type { ManagedLicense } from '../managed-licenses/managed-license.ts'
import {
  type FindSpdxLicense,
  loadSpdxLicenseFinder,
  normalizeLicenseName,
} from './license-names.ts'

export const licenseApprovalStatuses = ['allowed', 'denied', 'unclassified'] as const
export type LicenseApprovalStatus = (typeof licenseApprovalStatuses)[number]

export type LicenseClassification = { id: number | null; approval_status: LicenseApprovalStatus }
type Policy = Pick<ManagedLicense, 'id' | 'name' | 'approval_status'>
type Named = { name: string; spdx_identifier: string | null }

const unclassified: LicenseClassification = { id: null, approval_status: 'unclassified' }

/**
 * The number of licences after which other requests can run. An expression of a thousand characters takes
 * half a millisecond.
 */
const turn_licenses = 50

/** Classifies licences by the policies of a project. A denial wins over an approval. */
export async function classifyLicenses<License extends Named>(
  licenses: readonly License[],
  policies: readonly Policy[],
): Promise<{ license: License; classification: LicenseClassification }[]> {
  const find = await loadSpdxLicenseFinder()
  const { default: parse } = await import('spdx-expression-parse')
  const byName = policyFinder(find, policies)
  const classified = []
  for await (const some of slicesWithYields(licenses, turn_licenses)) {
    for (const license of some) {
      const { name, spdx_identifier: text } = license
      const whole = byName(text ?? name) ?? byName(name)
      const expression = whole || text === null ? undefined : parsed(parse, text)
      const classification = whole ?? (expression ? judge(expression, byName) : unclassified)
      classified.push({ license, classification })
    }
  }
  return classified
}

type FindPolicy = (name: string) => LicenseClassification | undefined

function policyFinder(find: FindSpdxLicense, policies: readonly Policy[]): FindPolicy {
  const keyOf = (name: string) => find(name)?.id ?? normalizeLicenseName(name)
  const byKey = new Map<string, Policy>()
  for (const policy of policies) {
    const key = keyOf(policy.name)
    if (byKey.get(key)?.approval_status !== 'denied') byKey.set(key, policy)
  }
  return (name) => {
    const policy = byKey.get(keyOf(name))
    return policy && { id: policy.id, approval_status: policy.approval_status }
  }
}

function parsed(parse: (text: string) => Info, text: string): Info | undefined {
  try {
    return parse(text)
  } catch {
    // The parser throws plain errors for text that is not an expression.
    return undefined
  }
}

/**
 * Classifies an expression. With `OR`, one allowed licence is enough; with `AND`, one denied licence denies
 * the expression.
 */
function judge(expression: Info, byName: FindPolicy): LicenseClassification {
  if ('license' in expression) return judgeOne(expression, byName)
  const parts = [judge(expression.left, byName), judge(expression.right, byName)]
  const decisive = expression.conjunction === 'or' ? 'allowed' : 'denied'
  const decided = parts.find(({ approval_status }) => approval_status === decisive)
  if (decided) return decided
  const isOpen = parts.some(({ approval_status }) => approval_status === 'unclassified')
  return isOpen ? unclassified : (parts[0] ?? unclassified)
}

/**
 * Classifies a single licence. `GPL-2.0+` and licences with exceptions are licences of their own, for which a project may
 * have no policy.
 */
function judgeOne(
  { license, plus, exception }: { license: string; plus?: true; exception?: string },
  byName: FindPolicy,
): LicenseClassification {
  const later = plus ? `${license}+` : license
  const found = (exception && byName(`${later} WITH ${exception}`)) || byName(later)
  return found ?? byName(license) ?? unclassified
}
