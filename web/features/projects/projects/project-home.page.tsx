import { useState } from 'preact/hooks'
import { may, type ProjectRecord, star, useProject } from '../../../api/project.ts'
import { Refusal } from '../../../api/refusal.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { code } from '../../../text/code.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CodeBar } from '../../../ui/code-bar/code-bar.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { CopyLine, copyText } from '../../../ui/copy-line/copy-line.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useActions } from '../../../ui/keys.ts'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { Status } from '../../../ui/status/status.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import { Tree, treeInput } from '../../../ui/tree/tree.tsx'
import './project-home.css'

export const page: PageModule<AtPlace> = { View: ProjectHome }

function ProjectHome({ at }: { at: AtPlace }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  return (
    <Page
      title={project.name}
      tab={project.name_with_namespace}
      lead={project.description ?? ''}
      actions={<Doings project={project} base={baseOf(at.place)} />}
    >
      {project.empty_repo || !may(project, 'download_code') ? (
        <Empty project={project} />
      ) : (
        <Filled project={project} place={at.place} />
      )}
    </Page>
  )
}

function Doings({ project, base }: { project: ProjectRecord; base: string }) {
  const [isStarred, setStarred] = useState<boolean>()
  const [isOpen, setOpen] = useState(false)
  const { data: starred } = useApi(
    'GET /projects',
    user.value ? { starred: true, search: project.path, simple: true, per_page: 100 } : undefined,
  )
  const on = isStarred ?? starred?.some(({ id }) => id === project.id) ?? false
  useActions([{ name: code.clone, keys: 'Shift C', run: () => void copyClone(project) }])
  const toggle = async () => {
    setStarred(!on)
    try {
      await star(project, !on)
    } catch (error) {
      setStarred(on)
      if (error instanceof Refusal) tell(error.sentence)
    }
  }
  return (
    <>
      {user.value ? (
        <Button aria-pressed={on} onClick={() => void toggle()}>
          {on ? code.unstar : code.star} {project.star_count}
        </Button>
      ) : null}
      {user.value && !project.empty_repo ? (
        <ButtonLink href={`${base}/-/forks/new`}>{code.fork}</ButtonLink>
      ) : null}
      <Button look="primary" onClick={() => setOpen(true)}>
        {code.clone}
      </Button>
      {isOpen ? (
        <Dialog title={code.clone} onClose={() => setOpen(false)}>
          <h3>{code.cloneHttp}</h3>
          <CopyLine label={code.cloneHttp} text={`git clone ${project.http_url_to_repo}`} />
          {project.ssh_url_to_repo ? (
            <>
              <h3>{code.cloneSsh}</h3>
              <CopyLine label={code.cloneSsh} text={`git clone ${project.ssh_url_to_repo}`} />
            </>
          ) : null}
          {project.empty_repo ? null : (
            <div class="row">
              {(['zip', 'tar.gz'] as const).map((format) => (
                <ButtonLink
                  key={format}
                  href={`${base}/-/archive/${encodeURIComponent(project.default_branch ?? 'HEAD')}/${project.path}.${format}`}
                >
                  {code.archive(format)}
                </ButtonLink>
              ))}
            </div>
          )}
        </Dialog>
      ) : null}
    </>
  )
}

async function copyClone({ http_url_to_repo }: ProjectRecord): Promise<void> {
  await copyText(`git clone ${http_url_to_repo}`)
  tell(code.copied)
}

/** Four lines that fill it. */
function Empty({ project }: { project: ProjectRecord }) {
  const branch = project.default_branch ?? 'main'
  const lines = [
    `git init --initial-branch=${branch}`,
    'git add .',
    'git commit -m "First commit"',
    `git push ${project.http_url_to_repo} HEAD:${branch}`,
  ]
  return (
    <Blank title={code.emptyTitle}>
      <p>{code.emptyText}</p>
      <div class="project-home-lines">
        <CopyLine label={code.emptyCommands} text={lines.join('\n')} />
      </div>
      {may(project, 'push_code') ? (
        <ButtonLink href={`/${project.path_with_namespace}/-/new/${encodeURIComponent(branch)}`}>
          {code.newFile}
        </ButtonLink>
      ) : null}
    </Blank>
  )
}

/** The place of the default branch, as if its tree had been asked for. */
function useTreePlace(place: Place, branch: string): Place | undefined {
  const { data } = useApi('GET /resolve', {
    path: `${baseOf(place)}/-/tree/${encodeURIComponent(branch)}`,
  })
  return data?.commit ? data : undefined
}

function Filled({ project, place }: { project: ProjectRecord; place: Place }) {
  const base = baseOf(place)
  const branch = project.default_branch ?? 'HEAD'
  const tree = useTreePlace(place, branch)
  const { data: entries } = useApi('GET /projects/:id/repository/tree', tree && treeInput(tree, 1))
  const { data: commit } = useApi(
    'GET /projects/:id/repository/commits/:sha',
    tree?.commit ? { id: place.id, sha: tree.commit } : undefined,
  )
  const readme = entries?.find(
    ({ name, type }) =>
      type === 'blob' && /^readme(?:\.(?:md|markdown|adoc|org|rdoc|txt))?$/i.test(name),
  )
  const { data: rendered } = useApi(
    'GET /projects/:id/repository/files/:file_path/rendered',
    readme && tree?.commit ? { id: place.id, file_path: readme.path, ref: tree.commit } : undefined,
  )
  if (!tree) return null
  return (
    <div class="page-columns">
      <div class="stack">
        <CodeBar place={{ ...tree, section: 'tree' }}>
          {may(project, 'push_code') ? (
            <ButtonLink href={codeUrl(base, 'new', branch)}>{code.newFile}</ButtonLink>
          ) : null}
          <Button keys="t" onClick={() => navigate(codeUrl(base, 'find_file', branch))}>
            {code.findFile}
          </Button>
        </CodeBar>
        {commit ? (
          <div class="row">
            <div class="grow">
              <CommitLine commit={commit} base={base} />
            </div>
            {commit.last_pipeline ? (
              <a href={`${base}/-/pipelines/${commit.last_pipeline.id}`}>
                <Status status={commit.last_pipeline.status} />
              </a>
            ) : null}
          </div>
        ) : null}
        <Tree place={tree} />
        {rendered && readme ? (
          <section class="project-home-readme" aria-label={readme.name}>
            <h2 class="project-home-name">
              <a href={codeUrl(base, 'blob', branch, readme.path)}>{readme.name}</a>
            </h2>
            <Prose html={rendered.html} />
          </section>
        ) : null}
      </div>
      <Aside project={project} base={base} />
    </div>
  )
}

function Aside({ project, base }: { project: ProjectRecord; base: string }) {
  const { data: languages } = useApi('GET /projects/:id/languages', { id: project.id })
  const shares = Object.entries(languages ?? {})
  const branch = encodeURIComponent(project.default_branch ?? 'HEAD')
  return (
    <aside class="stack" aria-label={code.about}>
      {project.topics.length > 0 ? (
        <div class="row">
          {project.topics.map((topic) => (
            <a key={topic} href={`/explore/projects?topic=${encodeURIComponent(topic)}`}>
              <Chip>{topic}</Chip>
            </a>
          ))}
        </div>
      ) : null}
      {project.forked_from_project ? (
        <p>
          {code.forkedFrom}{' '}
          <a href={`/${project.forked_from_project.path_with_namespace}`}>
            {project.forked_from_project.path_with_namespace}
          </a>
        </p>
      ) : null}
      {shares.length > 0 ? (
        <div class="stack stack-close">
          <h2>{code.languages}</h2>
          <ul>
            {shares.slice(0, 6).map(([name, share]) => (
              <li key={name} class="row row-apart">
                <span>{name}</span>
                <span class="muted">{code.share(share)}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <p class="row">
        <a href={`${base}/-/graphs/${branch}`}>{code.contributors}</a>
        <a href={`${base}/-/forks`}>
          {code.forks} {project.forks_count}
        </a>
      </p>
    </aside>
  )
}
