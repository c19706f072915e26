// The settings of the instance by subject, and the settings the server was started with.
import { setCachedData } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { settingText as words } from '../../../text/instance-settings.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import { containsAllWords, findFields, type SettingField } from './known-fields.ts'

type Settings = Answer<'GET /application/settings'>
type Entry = Answer<'GET /admin/configuration'>[number]

export const page: PageModule = {
  calls: () => [
    apiReadUrl('GET /application/settings', {}),
    apiReadUrl('GET /admin/configuration', {}),
  ],
  View: SettingsPage,
}

function SettingsPage() {
  const { data: settings } = useApi('GET /application/settings', {})
  const { data: configuration } = useApi('GET /admin/configuration', {})
  if (!settings || !configuration) return null
  const search = (currentUrl.value.searchParams.get('search') ?? '').trim()
  const subjects = findFields(search)
  const entries = configuration.filter(({ name, environment_name }) =>
    containsAllWords(search, `${words.configuration} ${name} ${environment_name}`),
  )
  return (
    <AdminPage title={words.title} lead={words.lead}>
      <ListFilter label={words.search} />
      {subjects.map(({ subject, fields }) => (
        <Section key={subject} title={words.subjects[subject]} id={subject}>
          <SubjectForm
            key={fields.map(({ name }) => name).join()}
            label={words.subjects[subject]}
            fields={fields}
            settings={settings}
          />
        </Section>
      ))}
      {entries.length > 0 ? <Configuration entries={entries} /> : null}
      {subjects.length + entries.length === 0 ? <EmptyState title={words.noMatches} /> : null}
    </AdminPage>
  )
}

function SubjectForm({
  label,
  fields,
  settings,
}: {
  label: string
  fields: readonly SettingField[]
  settings: Settings
}) {
  const save = async (values: FormValues) => {
    const given = Object.fromEntries(fields.map((field) => [field.name, inputValue(values, field)]))
    // The API requires the list together with the flag, but a search may show only the flag.
    const { domain_denylist } = settings
    const changes = 'domain_denylist_enabled' in given ? { domain_denylist, ...given } : given
    const saved = await call(
      'PUT /application/settings',
      changes as Input<'PUT /application/settings'>,
    )
    // The response is cached, so that a search right afterwards shows current values.
    setCachedData(apiReadUrl('GET /application/settings', {}), saved)
    showToast(words.saved)
  }
  return (
    <Form action={words.save} label={label} onSubmit={save}>
      {fields.map((field) => (
        <Field key={field.name} field={field} value={settings[field.name]} />
      ))}
    </Form>
  )
}

function inputValue(values: FormValues, { name, kind }: SettingField): unknown {
  const text = values.text(name).trim()
  switch (kind) {
    case 'flag':
      return values.has(name)
    case 'number':
      return text === '' ? null : Number(text)
    case 'lines':
      return text.split(/\s+/).filter(Boolean)
    case 'text':
      return text === '' ? null : text
    case 'visibility':
      return text
  }
}

function Field({ field, value }: { field: SettingField; value: unknown }) {
  const { name, kind, label } = field
  const hint = (
    <>
      {field.hint} <code>{name}</code>
    </>
  )
  switch (kind) {
    case 'flag':
      return <CheckField label={label} hint={hint} name={name} defaultChecked={value === true} />
    case 'visibility':
      return (
        <SelectField
          label={label}
          hint={hint}
          name={name}
          options={words.visibilities}
          value={String(value)}
        />
      )
    case 'lines':
      return (
        <TextArea
          label={label}
          hint={hint}
          name={name}
          spellcheck={false}
          defaultValue={(value as readonly string[]).join('\n')}
        />
      )
    default:
      return (
        <TextField
          label={label}
          hint={hint}
          name={name}
          type={kind === 'number' ? 'number' : 'text'}
          min={0}
          defaultValue={value === null ? '' : String(value)}
        />
      )
  }
}

function Configuration({ entries }: { entries: readonly Entry[] }) {
  return (
    <Section title={words.configuration} lead={words.configurationLead} id="configuration">
      <List label={words.configuration}>
        {entries.map(({ name, environment_name, value, secret }) => (
          <ListRow
            key={name}
            aside={
              <span class={value === null ? 'muted' : 'mono'}>
                {value ?? (secret ? words.secret : words.unset)}
              </span>
            }
          >
            <code>{environment_name}</code>
          </ListRow>
        ))}
      </List>
    </Section>
  )
}
