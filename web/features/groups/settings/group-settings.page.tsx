import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useApi } from '../../../api/use-api.ts'
import { settingsText, generalText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { NothingHere } from '../../../ui/page/nothing-here.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { tell } from '../../../ui/toast/toast.tsx'

export const page: PageModule<AtPlace> = { View: GroupSettings }

function GroupSettings({ at: { place } }: { at: AtPlace }) {
  const { id } = place
  const { data: group } = useApi('GET /groups/:id', {
    id,
    with_abilities: true,
    with_projects: false,
  })
  if (!group) return null
  if (!group.abilities?.change_group) return <NothingHere />
  const remove = () =>
    confirmThen({
      title: words.removeTitle(group.name),
      text: words.removeGroupText,
      action: words.removeGroup,
      typed: group.full_path,
      run: async () => {
        await call('DELETE /groups/:id', { id })
        touch('/api/v4/')
        navigate('/explore/groups', { replace: true })
      },
    })
  return (
    <Page title={settingsText.general}>
      <Form
        action={words.save}
        onSubmit={async (values) => {
          const changed = await call('PUT /groups/:id', {
            id,
            name: values.text('name'),
            path: values.text('path'),
            description: values.text('description'),
            visibility: values.text('visibility') as 'public',
          })
          touch('/api/v4/groups', '/api/v4/resolve')
          tell(words.saved)
          if (changed.path !== group.path)
            navigate(`/groups/${changed.full_path}/-/settings/general`, { replace: true })
        }}
      >
        {(refusal) => (
          <>
            <TextField
              label={words.name}
              name="name"
              required
              defaultValue={group.name}
              problem={refusal?.problemOf('name')}
            />
            <TextField
              label={words.path}
              hint={words.pathHint}
              name="path"
              required
              defaultValue={group.path}
              problem={refusal?.problemOf('path')}
            />
            <TextArea
              label={words.description}
              name="description"
              defaultValue={group.description}
            />
            <SelectField
              label={words.visibility}
              name="visibility"
              options={words.visibilities}
              value={group.visibility}
              problem={refusal?.problemOf('visibility_level')}
            />
          </>
        )}
      </Form>
      {group.abilities?.remove_group ? (
        <Section title={words.removeGroup} lead={words.removeLead}>
          <div>
            <Button look="danger" onClick={remove}>
              {words.removeGroup}
            </Button>
          </div>
        </Section>
      ) : null}
    </Page>
  )
}
