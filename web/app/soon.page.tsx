import { app } from '../text/app.ts'
import { EmptyState } from '../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../ui/button/button.tsx'
import { Page } from '../ui/page/page.tsx'
import type { PageModule } from '../ui/page-module.ts'

/** The page for addresses that the server generates but whose page does not exist yet. */
export const page: PageModule = {
  View: () => (
    <Page title={app.notAvailable}>
      <EmptyState title={app.notAvailableText}>
        <div class="row">
          <Button look="primary" onClick={() => history.back()}>
            {app.goBack}
          </Button>
          <ButtonLink href="/">{app.goToProjects}</ButtonLink>
        </div>
      </EmptyState>
    </Page>
  ),
}
