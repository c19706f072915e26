// The form of a variable. A hidden value can be replaced, and never read.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Variable } from '../../../api/operations.ts'
import { hasPaidTier } from '../../../api/session.ts'
import { variables as words } from '../../../text/variables.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import {
  CheckField,
  RadioField,
  SelectField,
  TextArea,
  TextField,
} from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  type VariableOwner,
  variableOwnerInput,
  variableRoutesOf,
  variableScopeInput,
  variablesUrl,
} from './variable-calls.ts'

/** Groups have environment scopes on paid tiers; the instance has none. */
const hasScopes = ({ kind }: VariableOwner) =>
  kind === 'projects' || (kind === 'groups' && hasPaidTier())

export function VariableForm({
  owner,
  variable,
  onClose,
}: {
  owner: VariableOwner
  variable: Variable | undefined
  onClose: () => void
}) {
  const [visibility, setVisibility] = useState(variable?.masked ? 'masked' : 'visible')
  const submit = async (values: FormValues) => {
    const key = variable?.key ?? values.text('key')
    const value = values.text('value')
    const settings = {
      description: values.text('description') || null,
      protected: values.has('protected'),
      raw: values.has('raw'),
      variable_type: values.text('variable_type') as Variable['variable_type'],
      ...(hasScopes(owner) && { environment_scope: values.text('environment_scope') || '*' }),
    }
    const masked = visibility !== 'visible'
    const routes = variableRoutesOf(owner)
    if (variable)
      await call(routes.change, {
        ...variableOwnerInput(owner),
        key,
        ...variableScopeInput(variable.environment_scope),
        ...settings,
        ...(variable.hidden ? value !== '' && { value } : { value, masked }),
      })
    else
      await call(routes.add, {
        ...variableOwnerInput(owner),
        key,
        value,
        ...settings,
        masked,
        masked_and_hidden: visibility === 'hidden',
      })
    invalidate(variablesUrl(owner))
    showToast(variable ? words.saved : words.added(key))
    onClose()
  }
  return (
    <Dialog title={variable ? words.editTitle(variable.key) : words.add} onClose={onClose}>
      <Form action={variable ? words.save : words.add} onSubmit={submit}>
        {variable ? null : <TextField label={words.key} name="key" required spellcheck={false} />}
        <TextArea
          label={words.value}
          name="value"
          defaultValue={variable?.value ?? ''}
          hint={variable?.hidden ? words.valueHidden : undefined}
          spellcheck={false}
        />
        <TextField
          label={words.description}
          name="description"
          defaultValue={variable?.description ?? ''}
        />
        <SelectField
          label={words.type}
          name="variable_type"
          options={words.types}
          value={variable?.variable_type ?? 'env_var'}
        />
        {hasScopes(owner) ? (
          <TextField
            label={words.scope}
            hint={words.scopeHint}
            name="environment_scope"
            defaultValue={variable?.environment_scope ?? '*'}
          />
        ) : null}
        {variable?.hidden ? (
          <p>{words.alwaysHidden}</p>
        ) : (
          <RadioField
            legend={words.visibility}
            name="visibility"
            options={variable ? words.visibilities.slice(0, 2) : words.visibilities}
            value={visibility}
            onChange={setVisibility}
          />
        )}
        <CheckField
          label={words.protect}
          name="protected"
          defaultChecked={variable?.protected ?? false}
        />
        <CheckField label={words.rawField} name="raw" defaultChecked={variable?.raw ?? false} />
      </Form>
    </Dialog>
  )
}
