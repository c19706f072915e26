import { FairLimiter } from '../../../kernel/fair-limiter.ts'
import { limits } from '../../../kernel/limits.ts'

/** Limits how many reports are read at once, since they are large, with one for each caller. */
export const reportReadBudget = new FairLimiter(limits.reports.turns)
