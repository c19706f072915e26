import type { Family } from '../../family.ts'
import { viewedFileEndpoints } from './viewed-file.routes.ts'

export const viewedFileFamily: Family = { endpoints: viewedFileEndpoints }
