import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { ProtectionOwner } from './protected-environment.store.ts'

export type ArchivableProtectionOwner = ProtectionOwner & { isUnarchived: boolean }

/** Maintainers of the project or group. */
export const mayReadProtectedEnvironments: Rule<ArchivableProtectionOwner> = ({ level }) =>
  level >= Level.maintainer
export const mayWriteProtectedEnvironments: Rule<ArchivableProtectionOwner> = (facts) =>
  mayReadProtectedEnvironments(facts) && facts.subject.isUnarchived
