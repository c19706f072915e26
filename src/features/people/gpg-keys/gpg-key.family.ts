import type { Family } from '../../family.ts'
import { gpgKeyEndpoints } from './gpg-key.routes.ts'

export const gpgKeyFamily: Family = {
  endpoints: gpgKeyEndpoints,
}
