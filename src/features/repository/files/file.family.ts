import type { Family } from '../../family.ts'
import { fileEndpoints } from './file.routes.ts'

export const fileFamily: Family = {
  endpoints: fileEndpoints,
}
