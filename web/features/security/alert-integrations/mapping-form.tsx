// Where in a payload an integration finds the fields of an alert, if not at the place of their name.
import { call } from '../../../api/call.ts'
import type { AlertIntegration, AlertMapping } from '../../../api/operations.ts'
import { alertIntegrations as words } from '../../../text/alert-integrations.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'

/** `event.hosts.0` is the member `event`, of that `hosts`, and of that the first. */
const pathOf = (text: string) => text.trim().split('.').filter(Boolean)

function mappingsOf(values: FormValues, before: readonly AlertMapping[]) {
  return words.fields.flatMap(([field_name]) => {
    const path = pathOf(values.text(field_name))
    const known = before.find((one) => one.field_name === field_name)
    return path.length === 0
      ? []
      : [
          {
            field_name,
            path,
            type: known?.type ?? ('STRING' as const),
            label: known?.label ?? null,
          },
        ]
  })
}

export function MappingForm({
  id,
  integration,
  onDone,
}: {
  id: number
  integration: AlertIntegration
  onDone: () => void
}) {
  const { payload_attribute_mappings: mappings = [], payload_example } = integration
  return (
    <Form
      action={words.saveMapping}
      label={words.mapping}
      onSubmit={async (values) => {
        await call('PUT /projects/:id/alert_management/integrations/:integration_id', {
          id,
          integration_id: integration.id,
          payload_attribute_mappings: mappingsOf(values, mappings),
          payload_example: values.text('payload_example').trim() || null,
        })
        onDone()
      }}
      more={<Button onClick={onDone}>{ui.cancel}</Button>}
    >
      <p class="muted">{words.mappingText}</p>
      {words.fields.map(([field, label]) => (
        <TextField
          key={field}
          label={label}
          name={field}
          spellcheck={false}
          placeholder={field}
          problemsOf={field === 'title' ? 'payload_attribute_mappings' : field}
          defaultValue={
            mappings.find(({ field_name }) => field_name === field)?.path.join('.') ?? ''
          }
        />
      ))}
      <TextArea
        label={words.example}
        hint={words.exampleHint}
        name="payload_example"
        spellcheck={false}
        defaultValue={payload_example ? JSON.stringify(payload_example, null, 2) : ''}
      />
    </Form>
  )
}
