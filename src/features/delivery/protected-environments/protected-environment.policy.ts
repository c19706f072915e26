import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { EnvironmentProtectionOwner } from './protected-environment.store.ts'

export type EnvironmentProtectionSubject = EnvironmentProtectionOwner & { isUnarchived: boolean }

/** Maintainers of the project or group may read its protected environments. */
export const mayReadProtectedEnvironments: Rule<EnvironmentProtectionSubject> = ({ level }) =>
  level >= Level.maintainer
export const mayWriteProtectedEnvironments: Rule<EnvironmentProtectionSubject> = (facts) =>
  mayReadProtectedEnvironments(facts) && facts.subject.isUnarchived
