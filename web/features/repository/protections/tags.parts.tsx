import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { protectionText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { describeAccessLevels } from './describe-access-levels.ts'

export function ProtectedTagsSection({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/protected_tags', { id, per_page: 100 })
  const [made, setMade] = useState(0)
  const after = () =>
    invalidate(`/api/v4/projects/${id}/protected_tags`, `/api/v4/projects/${id}/repository/tags`)
  const remove = (name: string) =>
    confirmBefore({
      title: words.removeTagTitle(name),
      text: words.removeTagText,
      action: words.removeTag,
      run: async () => {
        await call('DELETE /projects/:id/protected_tags/:name', { id, name })
        after()
      },
    })
  return (
    <Section id="protected-tags" title={words.tags} lead={words.tagsLead}>
      {data?.length === 0 ? <p>{words.noTags}</p> : null}
      <List label={words.tags}>
        {data?.map(({ name, create_access_levels }) => (
          <ListRow
            key={name}
            aside={
              <Button look="quiet" onClick={() => remove(name)}>
                {words.remove}
                <span class="only-spoken"> {words.tagNamed(name)}</span>
              </Button>
            }
          >
            <strong class="mono">{name}</strong>
            <p>{words.tagRule(describeAccessLevels(create_access_levels))}</p>
          </ListRow>
        ))}
      </List>
      <Form
        key={made}
        action={words.protectTag}
        onSubmit={async (values) => {
          const create_access_level = Number(values.text('create')) as 40
          await call('POST /projects/:id/protected_tags', {
            id,
            name: values.text('name'),
            create_access_level,
          })
          after()
          setMade(made + 1)
        }}
      >
        <TextField label={words.tagName} name="name" required spellcheck={false} />
        <SelectField label={words.create} name="create" options={words.levels} value="40" />
      </Form>
    </Section>
  )
}
