import type { Family } from '../../family.ts'
import { impersonationEndpoints } from './impersonation.routes.ts'
import { passwordEndpoints } from './password.routes.ts'
import { passwordResetEndpoints } from './password-reset.routes.ts'
import { sessionEndpoints } from './session.routes.ts'
import { twoFactorEndpoints } from './two-factor.routes.ts'

export const signInFamily: Family = {
  endpoints: [
    ...sessionEndpoints,
    ...impersonationEndpoints,
    ...passwordEndpoints,
    ...passwordResetEndpoints,
    ...twoFactorEndpoints,
  ],
}
