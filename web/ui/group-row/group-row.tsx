import { projects } from '../../text/projects.ts'
import { Avatar } from '../avatar/avatar.tsx'
import { Chip } from '../chip/chip.tsx'
import { ListRow } from '../list/list.tsx'

export type ListedGroup = {
  id: number
  full_path: string
  full_name: string
  name: string
  description: string
  visibility: 'private' | 'internal' | 'public'
  avatar_url: string | null
}

export function GroupRow({ group, isShort }: { group: ListedGroup; isShort?: boolean }) {
  return (
    <ListRow aside={<Chip>{projects.visibility[group.visibility]}</Chip>}>
      <span class="row">
        <Avatar name={group.name} url={group.avatar_url} />
        <a data-main href={`/groups/${group.full_path}`}>
          {isShort ? group.name : group.full_name}
        </a>
      </span>
      {group.description ? <p class="muted one-line">{group.description}</p> : null}
    </ListRow>
  )
}
