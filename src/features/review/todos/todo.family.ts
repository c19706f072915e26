import type { Family } from '../../family.ts'
import { todoEndpoints } from './todo.routes.ts'

export const todoFamily: Family = { endpoints: todoEndpoints }
