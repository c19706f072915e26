// The form of a broadcast, with a preview above.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { broadcastText as words } from '../../../text/broadcasts.ts'
import { roles } from '../../../text/roles.ts'
import { BroadcastBand } from '../../../ui/broadcast/broadcast.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import { type Theme, themeOf, themes } from './themes.ts'

const list = '/admin/broadcast_messages'
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const hour_ms = 3_600_000

/** Undefined on the page for a new message. */
const inputOf = ({ params }: PageLocation) => (params.id ? { id: Number(params.id) } : undefined)

export const page: PageModule = {
  calls: (at) => {
    const input = inputOf(at)
    return [input && apiReadUrl('GET /broadcast_messages/:id', input)]
  },
  View: BroadcastForm,
}

/** Returns a time as the form field shows it, in the reader's time zone. */
function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

function BroadcastForm({ at }: { at: PageLocation }) {
  const input = inputOf(at)
  const { data: known } = useApi('GET /broadcast_messages/:id', input)
  const [message, setMessage] = useState(known?.message ?? '')
  const [broadcast_type, setType] = useState(known?.broadcast_type ?? 'banner')
  const [theme, setTheme] = useState<Theme>(known ? themeOf(known) : 'ember')
  const [own, setOwn] = useState({
    color: known?.color ?? themes.ember.color,
    font: known?.font ?? themes.ember.font,
  })
  const colors = theme === 'custom' ? own : themes[theme]
  const now = new Date()
  const save = async (values: FormValues) => {
    const given = {
      message,
      broadcast_type: broadcast_type as 'banner',
      ...colors,
      dismissable: values.has('dismissable'),
      target_path: values.text('target_path') || null,
      target_access_levels: values.all('levels').map(Number) as 10[],
      starts_at: new Date(values.text('starts_at')).toISOString(),
      ends_at: new Date(values.text('ends_at')).toISOString(),
    }
    if (input) await call('PUT /broadcast_messages/:id', { ...input, ...given })
    else await call('POST /broadcast_messages', given)
    invalidate('/api/v4/broadcast_messages')
    showToast(words.saved)
    navigate(list)
  }
  const preview = { message: message || words.previewEmpty, broadcast_type, ...colors }
  return (
    <AdminPage title={input ? words.editTitle : words.newTitle}>
      <Section title={words.preview}>
        <BroadcastBand message={preview} />
      </Section>
      <Form
        action={input ? words.save : words.create}
        onSubmit={save}
        more={<ButtonLink href={list}>{words.cancel}</ButtonLink>}
      >
        <TextArea
          label={words.message}
          hint={words.messageHint}
          required
          value={message}
          problemsOf="message"
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        <SelectField
          label={words.type}
          hint={words.typeHint}
          options={words.types}
          value={broadcast_type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        {broadcast_type === 'banner' ? (
          <SelectField
            label={words.theme}
            options={Object.entries(words.themes)}
            value={theme}
            onChange={(event) => setTheme(event.currentTarget.value as Theme)}
          />
        ) : null}
        {broadcast_type === 'banner' && theme === 'custom' ? (
          <>
            <TextField
              label={words.color}
              type="color"
              value={own.color}
              problemsOf="color"
              onInput={(event) => setOwn({ ...own, color: event.currentTarget.value })}
            />
            <TextField
              label={words.font}
              hint={words.fontHint}
              type="color"
              value={own.font}
              problemsOf="font"
              onInput={(event) => setOwn({ ...own, font: event.currentTarget.value })}
            />
          </>
        ) : null}
        <CheckField
          label={words.dismissable}
          hint={words.dismissableHint}
          name="dismissable"
          defaultChecked={known?.dismissable ?? true}
        />
        <TextField
          label={words.path}
          hint={words.pathHint}
          name="target_path"
          defaultValue={known?.target_path ?? ''}
        />
        <fieldset class="stack stack-close">
          <legend class="field-label">{words.roles}</legend>
          <p class="field-hint">{words.rolesHint}</p>
          {roles.map(([level, name]) => (
            <CheckField
              key={level}
              name="levels"
              value={level}
              label={name}
              defaultChecked={known?.target_access_levels.includes(Number(level)) ?? false}
            />
          ))}
        </fieldset>
        <TextField
          label={words.startsAt}
          hint={words.zone(zone)}
          name="starts_at"
          type="datetime-local"
          required
          defaultValue={localTime(known ? new Date(known.starts_at) : now)}
        />
        <TextField
          label={words.endsAt}
          name="ends_at"
          type="datetime-local"
          required
          defaultValue={localTime(
            known ? new Date(known.ends_at) : new Date(now.getTime() + hour_ms),
          )}
        />
      </Form>
    </AdminPage>
  )
}
