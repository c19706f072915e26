import type { Family } from '../../family.ts'
import { sshKeyEndpoints } from './ssh-key.routes.ts'

export const sshKeyFamily: Family = {
  endpoints: sshKeyEndpoints,
}
