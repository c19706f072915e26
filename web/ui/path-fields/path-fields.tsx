// What projects and groups are made with: name and address, which follows the name until it is typed itself; owner; who
// sees them.
import { useState } from 'preact/hooks'
import { newProjects } from '../../text/new-projects.ts'
import { Combobox, type ComboboxChoice } from '../combobox/combobox.tsx'
import { findNamespaces } from '../combobox/finders.ts'
import { RadioField, TextField } from '../field/field.tsx'

/** `Round prices (2)` as `round-prices-2`. */
export function suggestPath(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
  return plain
    .split('-')
    .filter(Boolean)
    .join('-')
    .replace(/^[._-]+/, '')
    .replace(/[._]+$/, '')
}

export function PathFields({
  within,
  name: given = '',
  path: givenPath,
}: {
  within: string
  name?: string
  path?: string
}) {
  const [name, setName] = useState(given)
  const [path, setPath] = useState<string | undefined>(givenPath)
  const shown = path ?? suggestPath(name)
  return (
    <>
      <TextField
        label={newProjects.name}
        name="name"
        required
        maxLength={255}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        autofocus
      />
      <TextField
        label={newProjects.path}
        name="path"
        required
        maxLength={255}
        spellcheck={false}
        value={shown}
        onInput={(event) => setPath(event.currentTarget.value)}
        hint={newProjects.pathHint(`${location.host}/${within === '' ? '' : `${within}/`}${shown}`)}
      />
    </>
  )
}

/** The group or person that a project is to belong to. */
export function OwnerField({
  owner,
  onChoose,
}: {
  owner: ComboboxChoice | undefined
  onChoose: (owner: ComboboxChoice) => void
}) {
  return (
    <Combobox
      label={newProjects.namespace}
      name="namespace_id"
      chosen={owner}
      onChoose={onChoose}
      find={findNamespaces}
      required
      problemsOf="namespace namespace_id"
    />
  )
}

export function VisibilityField({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}) {
  return (
    <RadioField
      legend={newProjects.visibility}
      name="visibility"
      options={newProjects.visibilities}
      value={value}
      onChange={onChange}
    />
  )
}
