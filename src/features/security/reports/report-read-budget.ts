import { FairLimiter } from '../../../kernel/fair-limiter.ts'
import { limits } from '../../../kernel/limits.ts'

/** Reports are large, so few are read at once, and of one caller one. */
export const reportReadBudget = new FairLimiter(limits.reports.turns)
