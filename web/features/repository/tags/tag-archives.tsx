import { repository } from '../../../text/repository.ts'
import { Menu } from '../../../ui/menu/menu.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** The files of a tag, packed. */
export function TagArchives({ base, name }: { base: string; name: string }) {
  const file = `${base.slice(base.lastIndexOf('/') + 1)}-${name.replaceAll('/', '-')}`
  return (
    <Menu
      label={`${repository.archive} ${name}`}
      items={formats.map((format) => ({
        words: repository.archiveOf(format),
        href: repositoryPageUrl(base, 'archive', name, `${file}.${format}`),
      }))}
    >
      <span class="button-opens">{repository.archive}</span>
    </Menu>
  )
}
