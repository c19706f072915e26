import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAll } from '../../../api/use-api.ts'
import { schedules, ciSettings as words } from '../../../text/ci-settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'

/** A route names the one that its operation is of; the operations are the same. */
const routes = {
  projects: {
    list: 'GET /projects/:id/variables',
    add: 'POST /projects/:id/variables',
    remove: 'DELETE /projects/:id/variables/:key',
  },
  groups: {
    list: 'GET /groups/:id/variables',
    add: 'POST /groups/:id/variables',
    remove: 'DELETE /groups/:id/variables/:key',
  },
} as const

/** Variables of a project, or of a group for all its projects. */
export function Variables({ kind, id }: { kind: 'projects' | 'groups'; id: number }) {
  const { data } = useAll(routes[kind].list, { id, per_page: 100 })
  const [made, setMade] = useState(0)
  const after = () => touch(`/api/v4/${kind}/${id}/variables`)
  const remove = (key: string, environment_scope: string | undefined) =>
    confirmThen({
      title: words.removeVariable(key),
      text: words.removeVariableText,
      action: words.removeVariableConfirm,
      run: async () => {
        const filter = environment_scope ? { filter: { environment_scope } } : {}
        await call(routes[kind].remove, { id, key, ...filter })
        after()
      },
    })
  return (
    <Section id="variables" title={words.variables} lead={words.variablesLead}>
      {data?.length === 0 ? <p>{words.noVariables}</p> : null}
      <List label={words.variables}>
        {data?.map(({ key, masked, protected: isProtected, environment_scope }) => (
          <Row
            key={`${key} ${environment_scope}`}
            aside={
              <>
                {environment_scope && environment_scope !== '*' ? (
                  <Chip>{environment_scope}</Chip>
                ) : null}
                {masked ? <Chip>{words.maskedChip}</Chip> : null}
                {isProtected ? <Chip>{words.protectedChip}</Chip> : null}
                <Button look="quiet" onClick={() => remove(key, environment_scope)}>
                  {words.remove}
                  <span class="only-spoken"> {key}</span>
                </Button>
              </>
            }
          >
            <span class="mono">{key}</span>
          </Row>
        ))}
      </List>
      <Form
        key={made}
        action={words.addVariable}
        onSubmit={async (values) => {
          await call(routes[kind].add, {
            id,
            key: values.text('key'),
            value: values.text('value'),
            masked: values.has('masked'),
            protected: values.has('protected'),
            raw: values.has('raw'),
            environment_scope: values.text('environment_scope') || '*',
            variable_type: values.text('variable_type') as 'file',
          })
          after()
          setMade(made + 1)
        }}
      >
        <TextField label={words.key} name="key" required spellcheck={false} />
        <TextArea label={words.value} name="value" spellcheck={false} />
        <SelectField
          label={words.type}
          name="variable_type"
          options={schedules.types}
          value="env_var"
        />
        <TextField label={words.scope} name="environment_scope" defaultValue="*" />
        <CheckField label={words.masked} name="masked" />
        <CheckField label={words.protected} name="protected" />
        <CheckField label={words.raw} name="raw" />
      </Form>
    </Section>
  )
}
