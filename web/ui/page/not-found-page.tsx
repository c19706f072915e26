// An address of something that is not there, or that the reader may not see: both look the same.
import { user } from '../../api/session.ts'
import { app } from '../../text/app.ts'
import { EmptyState } from '../blank/blank.tsx'
import { ButtonLink } from '../button/button.tsx'
import { currentUrl, signInUrl } from '../navigation.ts'
import { Page } from './page.tsx'

export function NotFoundPage() {
  return (
    <Page title={app.notFound}>
      <EmptyState title={app.notFoundText}>
        {user.value ? null : (
          <>
            <p>{app.notFoundSignIn}</p>
            <ButtonLink look="primary" href={signInUrl(currentUrl.value)}>
              {app.signIn}
            </ButtonLink>
          </>
        )}
        <ButtonLink href="/">{app.goToProjects}</ButtonLink>
      </EmptyState>
    </Page>
  )
}
