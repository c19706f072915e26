import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { ProtectionOwner } from './protected-environment.store.ts'

export type UnarchivableOwner = ProtectionOwner & { isUnarchived: boolean }

/** Maintainers of the project or group. */
export const readProtectedEnvironments: Rule<UnarchivableOwner> = ({ level }) =>
  level >= Level.maintainer
export const writeProtectedEnvironments: Rule<UnarchivableOwner> = (facts) =>
  readProtectedEnvironments(facts) && facts.subject.isUnarchived
