import { useProject } from '../../../api/project.ts'
import { prefetchUrls } from '../../../api/use-api.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodePath } from '../../../ui/code-path/code-path.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { navigate, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { AddFile } from './add-file.tsx'
import { type FolderProps, FolderView, folderApiUrls } from './folder.tsx'

function askedBy({ place }: PlaceLocation): FolderProps {
  const { id, ref, ref_type, commit, path } = place
  return {
    id,
    base: placeBasePath(place),
    refName: ref ?? '',
    isBranch: ref_type === 'branch',
    commit: commit ?? undefined,
    path: path ?? '',
  }
}

export const page: PageModule<PlaceLocation> = {
  prepare: (at) => prefetchUrls(at.place.entry_type === 'tree' ? folderApiUrls(askedBy(at)) : []),
  View: TreePage,
}

function TreePage({ at }: { at: PlaceLocation }) {
  const { place } = at
  const asked = askedBy(at)
  const { base, refName, path, id } = asked
  const { data: project } = useProject(id)
  useKeyActions([
    {
      name: repository.findFile,
      keys: 't',
      run: () => navigate(repositoryPageUrl(base, 'find_file', refName)),
    },
    {
      name: repositoryPagesText.history,
      keys: 'h',
      run: () => navigate(repositoryPageUrl(base, 'commits', refName, path)),
    },
    {
      name: repositoryPagesText.permalink,
      keys: 'y',
      run: () => replaceUrl(repositoryPageUrl(base, 'tree', place.commit ?? refName, path)),
    },
  ])
  const name = project?.path ?? ''
  return (
    <Page title={path || name} tab={`${path || name} · ${refName}`} isTitleHidden>
      <div class="row">
        <RefPicker
          projectId={id}
          now={refName}
          keys="r"
          onPick={(ref) => navigate(repositoryPageUrl(base, 'tree', ref, path))}
        />
        {path === '' ? (
          <span class="grow" />
        ) : (
          <CodePath base={base} name={name} refName={refName} path={path} />
        )}
        {place.ref_type === 'branch' ? (
          <AddFile project={project} base={base} refName={refName} path={path} />
        ) : null}
        <ButtonLink href={repositoryPageUrl(base, 'find_file', refName)}>
          {repository.findFile}
        </ButtonLink>
        <ButtonLink href={repositoryPageUrl(base, 'commits', refName, path)}>
          {repositoryPagesText.history}
        </ButtonLink>
      </div>
      {place.entry_type === 'tree' ? (
        <FolderView {...asked} />
      ) : (
        <EmptyState title={repositoryPagesText.fileNotFound(path)}>
          <p>{repositoryPagesText.fileNotFoundText(refName)}</p>
          <ButtonLink href={base}>{repository.viewCode}</ButtonLink>
        </EmptyState>
      )}
    </Page>
  )
}
