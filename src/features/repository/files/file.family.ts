import type { Family } from '../../family.ts'
import { fileEndpoints } from './file.routes.ts'
import { fileOwnerEndpoints } from './file-owner.routes.ts'

export const fileFamily: Family = {
  endpoints: [...fileEndpoints, ...fileOwnerEndpoints],
}
