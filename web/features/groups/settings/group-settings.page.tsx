import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { settingsText } from '../../../text/places.ts'
import { generalText as words } from '../../../text/settings.ts'
import { LazyBadges } from '../../../ui/badges/lazy-badges.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { GroupSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

export const page: PageModule<PlaceLocation> = { View: GeneralSettings }

const top = '0'

/** Finds the groups that the group can be transferred to. The top level is also an option. */
const findLocations = (id: number) => async (search: string) => {
  const found = await call('GET /groups/:id/transfer_locations', { id, search, per_page: 12 })
  return [
    ...(search === '' ? [{ value: top, words: words.transferTop }] : []),
    ...found.map(({ id: group_id, full_path }) => ({ value: String(group_id), words: full_path })),
  ]
}

function GeneralSettings({ at: { place } }: { at: PlaceLocation }) {
  const { id } = place
  const { data: group } = useGroup(id)
  if (!group) return null
  const remove = () =>
    confirmBefore({
      title: words.removeGroupTitle(group.name),
      text: words.removeGroupText,
      action: words.removeGroup,
      typed: group.full_path,
      run: async () => {
        await call('DELETE /groups/:id', { id })
        invalidate('/api/v4/')
        navigate('/explore/groups', { replace: true })
      },
    })
  return (
    <GroupSettings place={place} title={settingsText.general}>
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
          invalidate('/api/v4/groups', '/api/v4/resolve')
          showToast(words.saved)
          if (changed.path !== group.path)
            navigate(`/groups/${changed.full_path}/-/settings/general`, { replace: true })
        }}
      >
        <TextField label={words.name} name="name" required defaultValue={group.name} />
        <TextField
          label={words.path}
          hint={words.pathHint}
          name="path"
          required
          defaultValue={group.path}
        />
        <TextArea label={words.description} name="description" defaultValue={group.description} />
        <SelectField
          label={words.visibility}
          name="visibility"
          options={words.visibilities}
          value={group.visibility}
          problemsOf="visibility_level"
        />
      </Form>
      {mayInGroup(group, 'write_badges') ? <LazyBadges owner={{ kind: 'group', id }} /> : null}
      {mayInGroup(group, 'transfer_group') ? (
        <Section title={words.transferGroup} lead={words.transferGroupLead}>
          <Form
            action={words.transferGroup}
            isDanger
            onSubmit={async (values) => {
              const to = values.text('group_id')
              const moved = await call('POST /groups/:id/transfer', {
                id,
                ...(to === top ? {} : { group_id: Number(to) }),
              })
              invalidate('/api/v4/')
              navigate(`/groups/${moved.full_path}`, { replace: true })
            }}
          >
            <Combobox
              label={words.transferGroupTo}
              name="group_id"
              find={findLocations(id)}
              required
            />
          </Form>
        </Section>
      ) : null}
      {mayInGroup(group, 'remove_group') ? (
        <Section title={words.removeGroup} lead={words.removeLead}>
          <div>
            <Button look="danger" onClick={remove}>
              {words.removeGroup}
            </Button>
          </div>
        </Section>
      ) : null}
    </GroupSettings>
  )
}
