import { isAdmin } from '../../../access/actor.ts'
import type { Rule } from '../../../access/rule.ts'

export const mayWriteTopics: Rule<unknown> = ({ actor }) => isAdmin(actor)
