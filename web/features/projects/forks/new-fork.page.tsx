import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { projectInput, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { newProjects } from '../../../text/new-projects.ts'
import type { ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { OwnerField, PathFields, VisibilityField } from '../../../ui/path-fields/path-fields.tsx'

const ownInput = () => ({ id: user.value?.username ?? '' })

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [
    apiReadUrl('GET /projects/:id', projectInput(place.id)),
    user.value ? apiReadUrl('GET /namespaces/:id', ownInput()) : undefined,
  ],
  View: NewFork,
}

function NewFork({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  const { data: own } = useApi('GET /namespaces/:id', user.value ? ownInput() : undefined)
  const [owner, setOwner] = useState<ComboboxChoice | undefined>(
    own && { value: String(own.id), words: own.full_path },
  )
  const [visibility, setVisibility] = useState<string>(project?.visibility ?? 'private')
  if (!project) return null
  const title = newProjects.forkTitle(project.name)
  return (
    <Page title={title} lead={newProjects.forkLead}>
      <Form
        action={newProjects.fork}
        onSubmit={async (values) => {
          const made = await call('POST /projects/:id/fork', {
            id: project.id,
            name: values.text('name').trim(),
            path: values.text('path').trim(),
            namespace_id: Number(values.text('namespace_id')),
            visibility: visibility as 'private',
          })
          invalidate('/api/v4/projects')
          navigate(`/${made.path_with_namespace}`)
        }}
      >
        <PathFields within={owner?.words ?? ''} name={project.name} path={project.path} />
        <OwnerField owner={owner} onChoose={setOwner} />
        <VisibilityField value={visibility} onChange={setVisibility} />
      </Form>
    </Page>
  )
}
