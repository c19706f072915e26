// The home of a project: what it is, how one gets it, its files, its README.
import { useEffect, useState } from 'preact/hooks'
import { useInvalidateOnChange } from '../../../api/live.ts'
import {
  findCachedProject,
  mayInProject,
  type ProjectRecord,
  useProject,
} from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { prefetchUrls, useAllPages, useApi } from '../../../api/use-api.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CloneBox } from '../../../ui/clone-box/clone-box.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { Menu } from '../../../ui/menu/menu.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { AddFile } from './add-file.tsx'
import { FolderView } from './folder.tsx'
import { PushedBar } from './pushed-bar.tsx'
import { StarButton } from './star-button.tsx'
import { treeUrl } from './use-tree.ts'
import './home.css'

export const page: PageModule<PlaceLocation> = {
  prepare: ({ place }) =>
    prefetchUrls(hasCode(place) ? [treeUrl({ id: place.id, ref: undefined, path: '' })] : []),
  View: Home,
}

/** Whether there is code for this reader: an address that the server was asked for tells, else the project does. */
function hasCode({ id, ref }: Place): boolean {
  const project = findCachedProject(id)
  return project ? mayInProject(project, 'download_code') && !project.empty_repo : ref !== null
}

function Home({ at }: { at: PlaceLocation }) {
  const { place } = at
  const { data: project } = useProject(place.id)
  const url = `/api/v4/projects/${place.id}`
  // A repository that is empty is filled by the page itself once a push has landed.
  useInvalidateOnChange(`project:${place.id}`, [project?.empty_repo ? url : `${url}/pipelines`])
  if (!project) return null
  const base = placeBasePath(place)
  return (
    <Page
      title={project.name}
      tab={project.name_with_namespace}
      actions={
        <>
          <StarButton project={project} base={base} />
          {user.value ? (
            <ButtonLink
              href={`/-/profile/notifications?project=${encodeURIComponent(project.path_with_namespace)}`}
            >
              {ownSettingsPlaces.notifications}
            </ButtonLink>
          ) : null}
          {user.value && mayInProject(project, 'download_code') ? (
            <ButtonLink href={`${base}/-/forks/new`}>{repository.fork}</ButtonLink>
          ) : null}
        </>
      }
      lead={project.description || undefined}
    >
      {project.forked_from_project ? (
        <p class="home-fork">
          {repositoryPagesText.forkedFrom}{' '}
          <a href={`/${project.forked_from_project.path_with_namespace}`}>
            {project.forked_from_project.name_with_namespace}
          </a>
        </p>
      ) : null}
      <Code project={project} base={base} />
    </Page>
  )
}

function Code({ project, base }: { project: ProjectRecord; base: string }) {
  if (!mayInProject(project, 'download_code')) {
    return (
      <EmptyState title={repositoryPagesText.codeHidden}>
        <p>{repositoryPagesText.codeHiddenText}</p>
      </EmptyState>
    )
  }
  if (project.empty_repo) return <Empty project={project} base={base} />
  return <Filled project={project} base={base} refName={project.default_branch ?? 'HEAD'} />
}

function Filled({
  project,
  base,
  refName,
}: {
  project: ProjectRecord
  base: string
  refName: string
}) {
  const { id } = project
  const find = repositoryPageUrl(base, 'find_file', refName)
  const isLater = useLater()
  useKeyActions([
    { name: repository.findFile, keys: 't', run: () => navigate(find) },
    {
      name: repositoryPagesText.history,
      keys: 'h',
      run: () => navigate(repositoryPageUrl(base, 'commits', refName)),
    },
    {
      name: repositoryPagesText.permalink,
      keys: 'y',
      run: () => navigate(repositoryPageUrl(base, 'tree', refName)),
    },
  ])
  return (
    <div class="page-columns">
      <div class="stack">
        {isLater && user.value ? <PushedBar project={project} base={base} /> : null}
        <div class="row">
          <RefPicker
            projectId={id}
            now={refName}
            keys="r"
            onPick={(ref) => navigate(repositoryPageUrl(base, 'tree', ref))}
          />
          <span class="grow" />
          <AddFile project={project} base={base} refName={refName} path="" />
          <ButtonLink href={find}>{repository.findFile}</ButtonLink>
          <ArchiveDownloadMenu base={base} project={project} refName={refName} />
          <CloneBox
            http={project.http_url_to_repo}
            ssh={mayInProject(project, 'clone_by_ssh') ? project.ssh_url_to_repo : ''}
          />
        </div>
        <FolderView id={id} base={base} refName={refName} isBranch commit={undefined} path="" />
      </div>
      <About project={project} base={base} isLater={isLater} />
    </div>
  )
}

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar']

export function ArchiveDownloadMenu({
  base,
  project,
  refName,
}: {
  base: string
  project: ProjectRecord
  refName: string
}) {
  const file = `${project.path}-${refName.replaceAll('/', '-')}`
  return (
    <Menu
      label={repository.archive}
      items={formats.map((format) => ({
        words: repository.archiveOf(format),
        href: repositoryPageUrl(base, 'archive', refName, `${file}.${format}`),
      }))}
    >
      <span class="button-opens">{repository.archive}</span>
    </Menu>
  )
}

const licenseFile = /^(?:licen[cs]e|copying|unlicense)(?:[.-].*)?$/i

/** False until the page has been shown: what stands beside the files is asked for after them. */
function useLater(): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true))
    return () => clearTimeout(timer)
  }, [])
  return isLater
}

function About({
  project,
  base,
  isLater,
}: {
  project: ProjectRecord
  base: string
  isLater: boolean
}) {
  const { id } = project
  const ref = project.default_branch ?? 'HEAD'
  const one = isLater ? { id, per_page: 1 } : undefined
  const { data: languages } = useApi('GET /projects/:id/languages', isLater ? { id } : undefined)
  const { page: branches } = useApi('GET /projects/:id/repository/branches', one)
  const { data: newestTags, page: tags } = useApi('GET /projects/:id/repository/tags', one)
  const { data: releases } = useApi('GET /projects/:id/releases', one)
  const { data: pipelines } = useApi(
    'GET /projects/:id/pipelines',
    one && mayInProject(project, 'read_pipelines') ? { ...one, ref } : undefined,
  )
  const { data: sequence } = useApi(
    'GET /projects/:id/repository/commits/:sha/sequence',
    isLater ? { id, sha: ref } : undefined,
  )
  // The first page is the folder's own read.
  const { data: entries } = useAllPages('GET /projects/:id/repository/tree', { id, per_page: 100 })
  const license = entries?.find(({ type, name }) => type === 'blob' && licenseFile.test(name))
  const [pipeline] = pipelines ?? []
  const [release] = releases ?? []
  const [tag] = newestTags ?? []
  const shares = Object.entries(languages ?? {}).filter(([, share]) => share > 0)
  return (
    <aside class="home-about" aria-label={repositoryPagesText.projectInformation}>
      {project.topics.length > 0 ? (
        <ul class="row" aria-label={repositoryPagesText.topics}>
          {project.topics.map((topic) => (
            <li key={topic}>
              <a
                class="chip home-topic"
                href={`/explore/projects?topic=${encodeURIComponent(topic)}`}
              >
                {topic}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {isLater ? <Badges id={id} /> : null}
      <ul class="home-counts">
        {pipeline ? (
          <li class="row">
            <a href={`${base}/-/pipelines/${pipeline.id}`}>
              {repositoryPagesText.pipelineOf(pipeline.id)}
            </a>
            <Status status={pipeline.status} />
          </li>
        ) : null}
        {sequence === undefined ? null : (
          <li>
            <a href={repositoryPageUrl(base, 'commits', ref)}>
              {repository.commitsCount(sequence.count)}
            </a>
          </li>
        )}
        <li>
          <a href={`${base}/-/branches`}>
            {repositoryPagesText.branchesHead(branches?.total ?? 0)}
          </a>
        </li>
        <li>
          <a href={`${base}/-/tags`}>{repositoryPagesText.tagsHead(tags?.total ?? 0)}</a>
        </li>
        {release ? (
          <li class="row">
            <a href={`${base}/-/releases/${encodeURIComponent(release.tag_name ?? '')}`}>
              {repositoryPagesText.latestRelease(release.name ?? release.tag_name ?? '')}
            </a>
            <span class="muted">
              <Time at={release.released_at} />
            </span>
          </li>
        ) : tag ? (
          <li>
            <a href={`${base}/-/tags/${encodeURIComponent(tag.name)}`}>
              {repositoryPagesText.latestTag(tag.name)}
            </a>
          </li>
        ) : null}
        {license ? (
          <li>
            <a href={repositoryPageUrl(base, 'blob', ref, license.path)}>
              {repositoryPagesText.licenseFile(license.name)}
            </a>
          </li>
        ) : null}
        <li>
          <a href={`${base}/-/forks`}>{repositoryPagesText.forksCount(project.forks_count)}</a>
        </li>
        <li>
          <a href={repositoryPageUrl(base, 'graphs', ref)}>{repository.contributors}</a>
        </li>
      </ul>
      {shares.length > 0 ? (
        <section class="stack stack-close">
          <h2 class="home-title">{repository.languages}</h2>
          <ul class="home-languages">
            {shares.map(([name, share]) => (
              <li key={name}>
                <span>{name}</span> <span class="muted">{repository.percent(share)}</span>
                <meter min={0} max={100} value={share} aria-label={name} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </aside>
  )
}

/** Nothing where the project has no badges. */
function Badges({ id }: { id: number }) {
  const { data } = useApi('GET /projects/:id/badges', { id, per_page: 100 })
  if (!data || data.length === 0) return null
  return (
    <ul class="row" aria-label={repositoryPagesText.badges}>
      {data.map((badge) => (
        <li key={badge.id}>
          <a href={badge.rendered_link_url} rel="noreferrer" target="_blank">
            <img
              src={badge.rendered_image_url}
              alt={badge.name || repositoryPagesText.badge}
              height={20}
              loading="lazy"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The lines that fill a repository: of one that is there, and of a new one. */
function Empty({ project, base }: { project: ProjectRecord; base: string }) {
  const branch = project.default_branch ?? 'main'
  const urls = [project.http_url_to_repo, project.ssh_url_to_repo].filter(Boolean)
  const [url = '', setUrl] = useState(urls[0])
  const lines = [
    `git init --initial-branch=${branch}`,
    `git remote add origin ${url}`,
    'git add . && git commit -m "First commit"',
    `git push --set-upstream origin ${branch}`,
  ]
  return (
    <EmptyState title={repositoryPagesText.emptyTitle}>
      <p>{repositoryPagesText.emptyLead}</p>
      {urls.length > 1 ? (
        <div class="row">
          {urls.map((one, at) => (
            <button
              key={one}
              type="button"
              class="button button-plain"
              aria-pressed={one === url}
              onClick={() => setUrl(one)}
            >
              {at === 0 ? repository.cloneHttp : repository.cloneSsh}
            </button>
          ))}
        </div>
      ) : null}
      <div class="home-lines">
        <CopyLine text={lines.join('\n')} label={repositoryPagesText.cloneCommands} />
      </div>
      {mayInProject(project, 'push_code') ? (
        <ButtonLink href={repositoryPageUrl(base, 'new', branch)}>
          {repositoryPagesText.firstFile}
        </ButtonLink>
      ) : null}
    </EmptyState>
  )
}
