import type { Family } from '../../family.ts'
import { changelogEndpoints } from './changelog.routes.ts'

export const changelogFamily: Family = { endpoints: changelogEndpoints }
