import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { newProjects } from '../../../text/new-projects.ts'
import type { ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { CheckField, TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { OwnerField, PathFields, VisibilityField } from '../../../ui/path-fields/path-fields.tsx'

/** By `?namespace_id=`, as a group's page asks for it; else one's own. */
const namespaceOf = (at: PageLocation) => ({
  id: at.url.searchParams.get('namespace_id') ?? user.value?.username ?? '',
})

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /namespaces/:id', namespaceOf(at))],
  View: NewProject,
}

function NewProject({ at }: { at: PageLocation }) {
  const { data: namespace } = useApi('GET /namespaces/:id', namespaceOf(at))
  const first = namespace && { value: String(namespace.id), words: namespace.full_path }
  const [owner, setOwner] = useState<ComboboxChoice | undefined>(first)
  const [visibility, setVisibility] = useState('private')
  return (
    <Page title={newProjects.title} lead={newProjects.lead}>
      <Form
        action={newProjects.create}
        onSubmit={async (values) => {
          const made = await call('POST /projects', {
            name: values.text('name').trim(),
            path: values.text('path').trim(),
            namespace_id: Number(values.text('namespace_id')),
            visibility: visibility as 'private',
            description: values.text('description'),
            ...(values.has('readme') ? { initialize_with_readme: true } : {}),
          })
          invalidate('/api/v4/projects')
          navigate(`/${made.path_with_namespace}`)
        }}
      >
        <PathFields within={owner?.words ?? ''} />
        <OwnerField owner={owner} onChoose={setOwner} />
        <VisibilityField value={visibility} onChange={setVisibility} />
        <CheckField label={newProjects.readme} hint={newProjects.readmeHint} name="readme" />
        <TextArea label={newProjects.description} name="description" maxLength={2000} />
      </Form>
    </Page>
  )
}
