import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { ProtectionOwner } from './protected-environment.store.ts'

export type OwnerInUse = ProtectionOwner & { isInUse: boolean }

/** Maintainers of the project or group. */
export const readProtectedEnvironments: Rule<OwnerInUse> = ({ level }) => level >= Level.maintainer
export const writeProtectedEnvironments: Rule<OwnerInUse> = (facts) =>
  readProtectedEnvironments(facts) && facts.subject.isInUse
