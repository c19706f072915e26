import type { Family } from '../../family.ts'
import { boardEndpoints } from './board.routes.ts'

export const boardFamily: Family = { endpoints: boardEndpoints }
