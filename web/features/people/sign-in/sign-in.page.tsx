import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { signInText } from '../../../text/sign-in.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { sameOriginUrl } from '../../../ui/same-origin-url.ts'
import { SignInForm } from './sign-in-form.tsx'
import './sign-in.css'

/** Returns the address to open after the sign-in, which is never on another host. */
function returnTo({ url }: PageLocation): string {
  return sameOriginUrl(url.searchParams.get('return_to') ?? '/', url)?.href ?? '/'
}

export const page: PageModule = {
  View: ({ at }) => (
    <div class="sign-in">
      <Page title={signInText.title}>
        {user.value ? (
          <>
            <p>{signInText.alreadySignedIn(user.value.username)}</p>
            <ButtonLink look="primary" href={returnTo(at)}>
              {signInText.continue}
            </ButtonLink>
          </>
        ) : (
          <>
            <SignInForm onDone={() => navigate(returnTo(at), { replace: true })} />
            <FirstSteps />
            <p>
              <a href="/explore/projects">{signInText.explore}</a>
            </p>
          </>
        )}
      </Page>
    </div>
  ),
}

/** Shows how to set up a new server, and where people can sign up. */
function FirstSteps() {
  const { data: rules } = useApi('GET /user/registration', {})
  return (
    <>
      {rules?.awaits_first_sign_in ? <p class="muted">{signInText.rootHint}</p> : null}
      {rules?.enabled ? (
        <p>
          <a href="/users/sign_up">{signInText.signUp}</a>
        </p>
      ) : null}
    </>
  )
}
