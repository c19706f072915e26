import type { Actor } from './actor.ts'

/** The input of an access rule, loaded beforehand. An administrator has Level.owner everywhere. */
export type Facts<Subject> = { subject: Subject; level: number; actor: Actor }

/** An access rule: a pure function of one line, in the feature that owns the noun. */
export type Rule<Subject> = (facts: Facts<Subject>) => boolean

/** Allows every caller, for operations whose earlier checks are enough. */
export const anyone: Rule<unknown> = () => true

export const administrators: Rule<unknown> = ({ actor }) => actor.user?.is_admin === true
