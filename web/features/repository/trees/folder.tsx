// A folder as the home of a project and the pages of trees show it: entries, and its README below.
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi, useApiUrl } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { Tree, type TreeEntry } from '../../../surfaces/tree/tree.tsx'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CommitLine, type LineCommit } from '../../../ui/commit-line/commit-line.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { treeUrl, useTree } from './use-tree.ts'
import './folder.css'

export type FolderProps = {
  id: number
  base: string
  /** As the address has it, for links. */
  refName: string
  /** Whether a commit can follow it, which a tag and a hash have none of. */
  isBranch: boolean
  /** What is read: a whole hash can be kept for good. */
  commit: string | undefined
  path: string
}

/** What a folder's page waits for. */
export function folderApiUrls({ id, commit, path, refName }: FolderProps): string[] {
  return [treeUrl({ id, ref: commit, path }), lastCommitUrl({ id, path, refName, commit })]
}

function lastCommitUrl({
  id,
  commit,
  refName,
  path,
}: Omit<FolderProps, 'base' | 'isBranch'>): string {
  return apiReadUrl('GET /projects/:id/repository/commits', {
    id,
    ref_name: commit ?? refName,
    per_page: 1,
    ...(path === '' ? {} : { path }),
  })
}

export function FolderView(asked: FolderProps) {
  const { id, base, refName, commit, path } = asked
  const { entries, refusal, again } = useTree({ id, ref: commit, path })
  const { data: commits } = useApiUrl<LineCommit[]>(lastCommitUrl(asked))
  const [last] = commits ?? []
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  if (refusal && !entries) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!entries) return <LoadingRows rows={8} />
  const readme = findReadme(entries)
  return (
    <>
      <div class="folder">
        <div class="folder-last">
          {last ? (
            <CommitLine
              commit={last}
              base={base}
              aside={
                <a class="folder-history" href={repositoryPageUrl(base, 'commits', refName, path)}>
                  {repositoryPagesText.history}
                </a>
              }
            />
          ) : null}
        </div>
        {entries.length === 0 ? <EmptyState title={repositoryPagesText.emptyFolder} /> : null}
        <Tree
          entries={entries}
          base={base}
          refName={refName}
          parent={path === '' ? undefined : repositoryPageUrl(base, 'tree', refName, above)}
          label={repository.files}
        />
      </div>
      {readme ? <Readme key={commit} {...asked} file={readme} /> : null}
    </>
  )
}

/** Names of what tells about a folder, the best first. */
const readmes = ['md', 'markdown', 'adoc', 'asciidoc', 'org', 'rdoc', 'txt', '']

function findReadme(entries: readonly TreeEntry[]): TreeEntry | undefined {
  const found = entries.filter(
    ({ type, name }) => type === 'blob' && /^readme(?:\.\w+)?$/i.test(name),
  )
  const rank = ({ name }: TreeEntry) => readmes.indexOf(name.split('.')[1]?.toLowerCase() ?? '')
  return found.filter((one) => rank(one) >= 0).sort((one, other) => rank(one) - rank(other))[0]
}

function Readme({ id, base, refName, isBranch, file }: FolderProps & { file: TreeEntry }) {
  const { data: project } = useProject(id)
  const { data } = useApi('GET /projects/:id/repository/files/:file_path/rendered', {
    id,
    file_path: file.path,
    ref: refName,
  })
  if (!data) return null
  return (
    <section class="folder-readme" aria-labelledby="readme">
      <div class="folder-readme-head">
        <h2 id="readme">
          <a href={repositoryPageUrl(base, 'blob', refName, file.path)}>{file.name}</a>
        </h2>
        <span class="row">
          {mayInProject(project, 'push_code') && isBranch ? (
            <ButtonLink look="quiet" href={repositoryPageUrl(base, 'edit', refName, file.path)}>
              {repositoryPagesText.edit}
            </ButtonLink>
          ) : null}
          <ButtonLink look="quiet" href={repositoryPageUrl(base, 'raw', refName, file.path)}>
            {repositoryPagesText.raw}
          </ButtonLink>
        </span>
      </div>
      <div class="folder-readme-text">
        <Prose html={data.html} linksIn={id} />
      </div>
    </section>
  )
}
