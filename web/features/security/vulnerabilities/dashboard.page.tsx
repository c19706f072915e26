// The projects whose vulnerabilities somebody watches, and an export of all of them.
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { dashboard as words } from '../../../text/security.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { findOwnProjects } from '../../../ui/combobox/finders.ts'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { ExportButton, ExportNote } from './export.tsx'
import { VulnerabilityReport, vulnerabilityReportApiUrls } from './report.tsx'

const route = 'GET /security/projects'
const of = { kind: 'dashboard' } as const
const inputOf = ({ searchParams }: URL) => ({
  per_page: 20,
  page: Number(searchParams.get('project_page') ?? 1),
})

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl(route, inputOf(url)), ...vulnerabilityReportApiUrls(of, url)],
  View: Dashboard,
}

function Dashboard() {
  const { data, page: pages } = useApi(route, inputOf(currentUrl.value))
  const after = () => invalidate('/api/v4/security/')
  const remove = async (project_id: number, name: string) => {
    await call('DELETE /security/projects/:project_id', { project_id })
    after()
    showToast(words.removed(name))
  }
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={data && data.length > 0 ? <ExportButton of={of} /> : null}
    >
      <ExportNote of={of} />
      {data && data.length > 0 ? <VulnerabilityReport of={of} mayChange /> : null}
      <Section title={words.projects}>
        {data?.length === 0 ? (
          <EmptyState title={words.empty}>
            <p>{words.emptyText}</p>
          </EmptyState>
        ) : null}
        {data && data.length > 0 ? (
          <List label={words.projects}>
            {data.map(({ id, path_with_namespace, name_with_namespace }) => (
              <ListRow
                key={id}
                aside={
                  <Button look="quiet" onClick={() => void remove(id, name_with_namespace)}>
                    {words.remove}
                    <span class="only-spoken"> {name_with_namespace}</span>
                  </Button>
                }
              >
                <a data-main href={`/${path_with_namespace}/-/security/vulnerability_report`}>
                  {name_with_namespace}
                </a>
              </ListRow>
            ))}
          </List>
        ) : null}
        <Pager page={pages} name="project_page" />
        <AddProject key={data?.length ?? 0} onDone={after} />
      </Section>
    </Page>
  )
}

function AddProject({ onDone }: { onDone: () => void }) {
  return (
    <Form
      action={words.add}
      label={words.add}
      onSubmit={async (values) => {
        await call('POST /security/projects', { project_id: values.text('project_id') })
        onDone()
      }}
    >
      <Combobox label={words.project} name="project_id" find={findOwnProjects} required />
    </Form>
  )
}
