// What stands around a file, whichever way it is shown: where it is, what last changed it, what can be done with it.
import type { ComponentChildren } from 'preact'
import { mayInProject, useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { parseLineRange } from '../../../surfaces/code/code.tsx'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { ui } from '../../../text/ui.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CodePath } from '../../../ui/code-path/code-path.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { copyText } from '../../../ui/copy-line/copy-line.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { currentUrl, navigate, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { FileOwners } from './file-owners.tsx'
import { useSideTree } from './side-tree.tsx'
import './file-frame.css'

export function FileFrame({
  at,
  lastCommit,
  facts,
  actions,
  isText = true,
  children,
}: {
  at: PlaceLocation
  lastCommit: string | undefined
  /** Of the file: its lines and size. */
  facts?: ComponentChildren
  actions?: ComponentChildren
  /** Has lines, which can be blamed and edited. */
  isText?: boolean
  children: ComponentChildren
}) {
  const { place } = at
  const { id, section, path: found, ref, commit } = place
  const [base, path, refName] = [placeBasePath(place), found ?? '', ref ?? '']
  const { data: project } = useProject(id)
  const { data: last } = useApi(
    'GET /projects/:id/repository/commits/:sha',
    lastCommit ? { id, sha: lastCommit, stats: false } : undefined,
  )
  const isBlame = section === 'blame'
  const side = useSideTree()
  const range = parseLineRange(currentUrl.value.hash)
  const other = repositoryPageUrl(base, isBlame ? 'blob' : 'blame', refName, path)
  const history = repositoryPageUrl(base, 'commits', refName, path)
  const edit =
    isText && mayInProject(project, 'push_code') && place.ref_type === 'branch'
      ? repositoryPageUrl(base, 'edit', refName, path)
      : undefined
  const copyPath = () => void copyText(path).then(() => showToast(repositoryPagesText.pathCopied))
  const permalink = () =>
    repositoryPageUrl(base, section ?? 'blob', commit ?? refName, path) +
    currentUrl.value.search +
    currentUrl.value.hash
  useKeyActions([
    {
      name: repository.findFile,
      keys: 't',
      run: () => navigate(repositoryPageUrl(base, 'find_file', refName)),
    },
    ...(isText
      ? [
          {
            name: isBlame ? repositoryPagesText.viewFile : repositoryPagesText.blame,
            keys: 'b',
            run: () => navigate(other + currentUrl.value.hash),
          },
        ]
      : []),
    { name: repositoryPagesText.history, keys: 'h', run: () => navigate(history) },
    {
      name: repositoryPagesText.permalink,
      keys: 'y',
      run: () => replaceUrl(permalink()),
    },
    {
      name: repositoryPagesText.copyPath,
      run: copyPath,
    },
    ...(edit ? [{ name: repositoryPagesText.edit, keys: 'e', run: () => navigate(edit) }] : []),
  ])
  return (
    <Page title={path} tab={`${path} · ${refName}`} isTitleHidden isWide>
      <div class="row">
        {side.toggle ? (
          <Button aria-expanded={side.Tree !== undefined} onClick={side.toggle}>
            {repository.fileTree}
          </Button>
        ) : null}
        <RefPicker
          projectId={id}
          now={refName}
          keys="r"
          onPick={(name) => navigate(repositoryPageUrl(base, section ?? 'blob', name, path))}
        />
        <CodePath base={base} name={project?.path ?? ''} refName={refName} path={path} />
        <Button aria-label={repositoryPagesText.copyPath} onClick={copyPath}>
          {ui.copy}
        </Button>
        <ButtonLink href={repositoryPageUrl(base, 'find_file', refName)}>
          {repository.findFile}
        </ButtonLink>
      </div>
      <div class={side.Tree ? 'file-frame-beside' : undefined}>
        {side.Tree ? (
          <side.Tree id={id} base={base} refName={refName} commit={commit ?? refName} path={path} />
        ) : null}
        <div class="file-frame">
          <div class="file-frame-last">
            {last ? <CommitLine commit={last} base={base} /> : null}
          </div>
          <div class="file-frame-bar">
            <span class="file-frame-facts muted">{facts}</span>
            <FileOwners place={at.place} />
            {actions}
            {isText ? (
              <ButtonLink href={other}>
                {isBlame ? repositoryPagesText.viewFile : repositoryPagesText.blame}
              </ButtonLink>
            ) : null}
            <ButtonLink href={history}>{repositoryPagesText.history}</ButtonLink>
            {edit ? <ButtonLink href={edit}>{repositoryPagesText.edit}</ButtonLink> : null}
          </div>
          {children}
          {range && isText ? (
            <div class="file-frame-lines">
              <span>
                {repositoryPagesText.linesSelected(
                  repositoryPagesText.linesNamed(range.from, range.to),
                )}
              </span>
              <Button
                onClick={() =>
                  void copyText(location.origin + permalink()).then(() =>
                    showToast(repositoryPagesText.permalinkCopied),
                  )
                }
              >
                {repositoryPagesText.copyPermalink}
              </Button>
              {isBlame ? null : (
                <ButtonLink href={other + currentUrl.value.hash}>
                  {repositoryPagesText.viewBlameOf(
                    repositoryPagesText.linesNamed(range.from, range.to),
                  )}
                </ButtonLink>
              )}
            </div>
          ) : null}
        </div>
      </div>
    </Page>
  )
}
