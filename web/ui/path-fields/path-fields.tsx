// Name and address of what is made: the address follows the name until it is typed itself.
import { useState } from 'preact/hooks'
import { newProjects } from '../../text/new-projects.ts'
import { TextField } from '../field/field.tsx'

/** `Round prices (2)` as `round-prices-2`. */
export function pathOf(name: string): string {
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
  const shown = path ?? pathOf(name)
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
