// Templates in repositories: of the project itself, and of the template projects of its groups.
import { canSeeProject } from '../../../access/visibility.ts'
import { type Oid, parseGitOid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import type { Context } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  loadProjectsForUsers,
  mayDownloadCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { listGroupTemplateProjects } from './template.store.ts'

type Place = { folder: string; extension: string; isOfProject?: true }

/** The folder and extension of each kind of template. Only issue and merge request templates are in the project itself. */
const places = {
  dockerfiles: { folder: 'Dockerfile', extension: '.dockerfile' },
  gitignores: { folder: 'gitignore', extension: '.gitignore' },
  gitlab_ci_ymls: { folder: 'gitlab-ci', extension: '.yml' },
  licenses: { folder: 'LICENSE', extension: '.txt' },
  issues: { folder: '.gitlab/issue_templates', extension: '.md', isOfProject: true },
  merge_requests: {
    folder: '.gitlab/merge_request_templates',
    extension: '.md',
    isOfProject: true,
  },
} as const satisfies Record<string, Place>

export type TemplateKind = keyof typeof places
export const templateKinds = Object.keys(places) as TemplateKind[]

type StoredTemplate = { name: string; project_id: number; repository: Repository; blob: Oid }

/**
 * Returns the templates of a kind from repositories whose code the caller may read. Of those with the same name the nearest
 * one comes first.
 */
export async function listStoredTemplates(
  context: Context<Project, unknown>,
  kind: TemplateKind,
): Promise<StoredTemplate[]> {
  const projects = await listSources(context, places[kind])
  const found = await Promise.all(projects.map((project) => readFolder(context, project, kind)))
  return found.flat()
}

/** Returns the text of a template; undefined for a file over `limits.cached_blob_bytes`. */
export async function readTemplate(
  { git }: Pick<Context<unknown, unknown>, 'git'>,
  { repository, blob }: StoredTemplate,
): Promise<string | undefined> {
  const content = await git.objects.wholeBlob(repository, blob, limits.cached_blob_bytes)
  return content?.toString()
}

async function listSources(
  { db, actor, config, subject, level }: Context<Project, unknown>,
  { isOfProject }: Place,
): Promise<Project[]> {
  const own = isOfProject && mayDownloadCode({ subject, level, actor }) ? [subject] : []
  if (config.tier === 'free') return own
  const ids = await listGroupTemplateProjects(db, subject.namespace_id)
  const userId = actor.user?.id ?? 0
  const { find } = await loadProjectsForUsers(
    db,
    ids.map((id) => [userId, id] as const),
  )
  const named = ids.flatMap((id) => {
    const found = find(actor, id)
    if (!found || !canSeeProject(actor, found) || id === own[0]?.id) return []
    return mayDownloadCode({ subject: found.project, level: found.level, actor })
      ? [found.project]
      : []
  })
  return [...own, ...named]
}

async function readFolder(
  { git, config }: Context<Project, unknown>,
  project: Project,
  kind: TemplateKind,
): Promise<StoredTemplate[]> {
  const { folder, extension } = places[kind]
  const repository = projectRepository(config, project)
  const commit = await resolveCommit(git.objects, repository, 'HEAD')
  const root = commit && (await git.objects.commit(repository, commit))?.tree
  const entry = root && (await findTreeEntry(git.objects, repository, root, folder))
  if (entry?.mode !== '040000') return []
  const entries = (await git.objects.tree(repository, parseGitOid(entry.oid))) ?? []
  return entries
    .filter(({ name, mode }) => mode.startsWith('100') && name.endsWith(extension))
    .slice(0, limits.template_files_max)
    .map(({ name, oid }) => ({
      name: name.slice(0, -extension.length),
      project_id: project.id,
      repository,
      blob: parseGitOid(oid),
    }))
    .filter(({ name }) => name !== '')
}
