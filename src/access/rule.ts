import type { Actor } from './actor.ts'

/** What a rule judges by, all loaded beforehand. An administrator's level is Level.owner everywhere. */
export type Facts<Subject> = { subject: Subject; level: number; actor: Actor }

/** An ability: pure, one line, in the feature that owns the noun. */
export type Rule<Subject> = (facts: Facts<Subject>) => boolean

/** For operations whose earlier checks are enough. */
export const anyone: Rule<unknown> = () => true

export const administrators: Rule<unknown> = ({ actor }) => actor.user?.is_admin === true
