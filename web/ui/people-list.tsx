// People, each with a way to their page.
import type { ComponentChildren } from 'preact'
import { Avatar } from './avatar/avatar.tsx'
import { List, ListRow } from './list/list.tsx'

export type ListedPerson = { id: number; username: string; name: string; avatar_url: string | null }

/** `asideOf` is what stands beside one. */
export function PeopleList({
  label,
  people,
  asideOf,
}: {
  label: string
  people: readonly ListedPerson[]
  asideOf?: (person: ListedPerson) => ComponentChildren
}) {
  return (
    <List label={label}>
      {people.map((person) => (
        <ListRow key={person.id} aside={asideOf?.(person)}>
          <span class="row">
            <Avatar name={person.name} url={person.avatar_url} />
            <a data-main href={`/${person.username}`}>
              {person.name}
            </a>
            <span class="muted">{`@${person.username}`}</span>
          </span>
        </ListRow>
      ))}
    </List>
  )
}
