import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { newProjects } from '../../../text/new-projects.ts'
import { TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { PathFields, VisibilityField } from '../../../ui/path-fields/path-fields.tsx'

/** Returns the parent group in the query (`?parent_id=`). */
function parentOf({ url }: PageLocation) {
  const id = url.searchParams.get('parent_id')
  return id === null ? undefined : { id, with_projects: false }
}

export const page: PageModule = {
  calls: (at) => {
    const parent = parentOf(at)
    return [parent && apiReadUrl('GET /groups/:id', parent)]
  },
  View: NewGroup,
}

function NewGroup({ at }: { at: PageLocation }) {
  const { data: parent } = useApi('GET /groups/:id', parentOf(at))
  const [visibility, setVisibility] = useState<string>(parent?.visibility ?? 'private')
  const lead = parent ? newProjects.subgroupLead(parent.full_path) : newProjects.groupLead
  return (
    <Page title={newProjects.groupTitle} lead={lead}>
      <Form
        action={newProjects.createGroup}
        onSubmit={async (values) => {
          const made = await call('POST /groups', {
            name: values.text('name').trim(),
            path: values.text('path').trim(),
            description: values.text('description'),
            visibility: visibility as 'private',
            ...(parent ? { parent_id: parent.id } : {}),
          })
          invalidate('/api/v4/groups', '/api/v4/namespaces')
          navigate(`/groups/${made.full_path}`)
        }}
      >
        <PathFields within={parent?.full_path ?? ''} />
        <VisibilityField value={visibility} onChange={setVisibility} />
        <TextArea label={newProjects.description} name="description" maxLength={500} />
      </Form>
    </Page>
  )
}
