import { useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { TagArchives } from './tag-archives.tsx'
import './tag.css'

/** One tag: what it says, the commit it names, its files. */
export function TagPage({ at, name }: { at: PlaceLocation; name: string }) {
  const { data: tag } = useApi('GET /projects/:id/repository/tags/:tag_name', {
    id: at.place.id,
    tag_name: name,
  })
  if (!tag) return null
  const base = placeBasePath(at.place)
  return (
    <Page
      title={name}
      actions={
        <>
          <TagArchives base={base} name={name} />
          <ButtonLink href={repositoryPageUrl(base, 'tree', name)}>
            {repository.viewCode}
          </ButtonLink>
        </>
      }
    >
      <div class="row">
        {tag.protected ? <Chip>{repository.protectedTag}</Chip> : null}
        {tag.release ? <Chip tone="passed">{repository.release}</Chip> : null}
      </div>
      {tag.message ? <pre class="tag-message">{tag.message}</pre> : null}
      {tag.release?.description ? <pre class="tag-message">{tag.release.description}</pre> : null}
      {tag.commit ? <CommitLine commit={tag.commit} base={base} /> : null}
    </Page>
  )
}
