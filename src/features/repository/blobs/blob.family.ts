import type { Family } from '../../family.ts'
import { blobEndpoints } from './blob.routes.ts'

export const blobFamily: Family = {
  endpoints: blobEndpoints,
}
