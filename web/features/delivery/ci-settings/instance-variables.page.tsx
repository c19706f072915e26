// Instance variables, which jobs of all projects get, for administrators.
import { instanceVariables as words } from '../../../text/admin-places.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'

/** A chunk of its own, since the settings of projects, groups and the instance share it. */
const Variables = lazyComponent(() =>
  import('./variables.parts.tsx').then(({ VariablesSection: View }) => View),
)

export const page: PageModule = {
  View: () => (
    <AdminPage title={words.title}>
      <Variables kind="instance" id={0} />
    </AdminPage>
  ),
}
