// Groups in rows, as several pages list them.
import type { Answer } from '../../api/call.ts'
import { projects } from '../../text/projects.ts'
import { Avatar } from '../avatar/avatar.tsx'
import { Chip } from '../chip/chip.tsx'
import { List, Row } from '../list/list.tsx'

export function GroupRows({ list, label }: { list: Answer<'GET /groups'>; label: string }) {
  return (
    <List label={label}>
      {list.map((group) => (
        <Row
          key={group.id}
          aside={<Chip>{projects.visibility[group.visibility as 'public']}</Chip>}
        >
          <div class="row">
            <Avatar name={group.name} url={group.avatar_url} />
            <div class="grow">
              <a data-main href={`/groups/${group.full_path}`}>
                {group.full_name}
              </a>
              {group.description ? <p class="muted one-line">{group.description}</p> : null}
            </div>
          </div>
        </Row>
      ))}
    </List>
  )
}
