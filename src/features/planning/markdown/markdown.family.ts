import type { Family } from '../../family.ts'
import { markdownEndpoints } from './markdown.routes.ts'

export const markdownFamily: Family = { endpoints: markdownEndpoints }
