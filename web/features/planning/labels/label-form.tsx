// Name, colour and description of a label, new or changed.
import { useState } from 'preact/hooks'
import type { Label } from '../../../api/operations.ts'
import { labels as words } from '../../../text/labels.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import './label-form.css'

export type LabelTexts = { name: string; color: string; description: string }

export function LabelForm({
  label,
  onSave,
  onCancel,
}: {
  label?: Label
  /** Throws `Refusal`. */
  onSave: (texts: LabelTexts) => Promise<unknown>
  onCancel: () => void
}) {
  const [color, setColor] = useState(label?.color ?? words.colors[5]?.[0] ?? '')
  return (
    <Form
      action={label ? words.save : words.create}
      label={label ? words.editOf(label.name) : words.new}
      onSubmit={(values) =>
        onSave({ name: values.text('name'), color, description: values.text('description') })
      }
      more={<Button onClick={onCancel}>{ui.cancel}</Button>}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="name"
        problemsOf="name new_name title"
        required
        maxLength={255}
        pattern="[^,]+"
        defaultValue={label?.name ?? ''}
      />
      <TextField
        label={words.description}
        name="description"
        defaultValue={label?.description ?? ''}
      />
      <TextField
        label={words.color}
        name="color"
        type="color"
        value={color}
        onInput={(event) => setColor(event.currentTarget.value)}
      />
      <fieldset class="row">
        <legend class="field-label">{words.suggested}</legend>
        {words.colors.map(([one, name]) => (
          <button
            key={one}
            type="button"
            class="label-form-color"
            style={{ '--label-colour': one }}
            aria-label={name}
            aria-pressed={one === color}
            title={name}
            onClick={() => setColor(one)}
          />
        ))}
      </fieldset>
    </Form>
  )
}
