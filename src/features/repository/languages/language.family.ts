import type { Family } from '../../family.ts'
import { languageEndpoints } from './language.routes.ts'

export const languageFamily: Family = {
  endpoints: languageEndpoints,
}
