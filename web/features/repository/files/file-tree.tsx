// The files of the repository beside the one that is read, folder by folder.
import { useState } from 'preact/hooks'
import { useAllPages } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { repositoryPageUrl } from '../../../ui/project-address.ts'
import './file-tree.css'

type Asked = {
  id: number
  base: string
  refName: string
  commit: string
  /** The file that is read. */
  path: string
}

/** Folders that were opened, so that they still are beside the next file. */
const opened = new Set<string>()

export function FileTree(asked: Asked) {
  return (
    <nav class="file-tree" aria-label={repository.fileTree}>
      <Entries {...asked} folder="" />
    </nav>
  )
}

function Entries({ folder, ...asked }: Asked & { folder: string }) {
  const { id, base, refName, commit, path } = asked
  const { data } = useAllPages('GET /projects/:id/repository/tree', {
    id,
    ref: commit,
    per_page: 100,
    ...(folder === '' ? {} : { path: folder }),
  })
  return (
    <ul>
      {data?.map((entry) => (
        <li key={entry.path}>
          {entry.type === 'tree' ? (
            <FolderEntry {...asked} folder={entry.path} name={entry.name} />
          ) : (
            <a
              class="one-line"
              href={repositoryPageUrl(base, 'blob', refName, entry.path)}
              aria-current={entry.path === path ? 'page' : undefined}
            >
              {entry.name}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

function FolderEntry({ folder, name, ...asked }: Asked & { folder: string; name: string }) {
  const key = `${asked.commit} ${folder}`
  const [isOpen, setOpen] = useState(opened.has(key) || asked.path.startsWith(`${folder}/`))
  const toggle = (isNow: boolean) => {
    if (isNow) opened.add(key)
    else opened.delete(key)
    setOpen(isNow)
  }
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary class="one-line">{name}</summary>
      {isOpen ? <Entries {...asked} folder={folder} /> : null}
    </details>
  )
}
