import { Budget } from '../../../kernel/budget.ts'
import { limits } from '../../../kernel/limits.ts'

/** Reports are large, so few are read at once, and of one caller one. */
export const reportTurns = new Budget(limits.reports.turns)
