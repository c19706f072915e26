// The sources of pipeline configurations: the project's commit, other projects, and built-in templates.

import { readFile } from 'node:fs/promises'
import type { Actor } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { ConfigFiles, Include } from '../../../ci/planned.ts'
import { findCiTemplateUrl } from '../../../ci/templates.ts'
import { runGit } from '../../../git/command.ts'
import { listRegularFiles } from '../../../git/files.ts'
import { type Oid, zeroOid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  findProject,
  mayDownloadCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { fetchRemoteConfigFile } from './remote-file.ts'

type Read = { text: string } | { problem: string }
type Uses = Pick<Instance, 'db' | 'git' | 'config'>

/** Returns a reader of the files that a pipeline of the commit may include, as far as `actor` may read them. */
export function createConfigFileReader(
  uses: Uses,
  of: {
    project: Project
    actor: Actor
    commit: Oid
    /** The commit of the reference before the push; undefined if unknown or if the reference is new. */
    before: string | undefined
    /** Reads a file that a job of the parent pipeline has created. */
    readArtifact?: (file: { job: string; path: string }) => Promise<Read>
  },
): ConfigFiles {
  const { git, config } = uses
  const repository = projectRepository(config, of.project)
  let paths: Promise<readonly string[]> | undefined
  const changes = new Map<string, Promise<readonly string[] | undefined>>()
  return {
    read(file) {
      return readInclude(uses, of, file)
    },
    listPaths() {
      paths ??= listRegularFiles(git.git, repository, {
        commit: of.commit,
        files_max: limits.pipelines.listed_paths_max,
      }).then((files) => (files ?? []).map(({ path }) => path))
      return paths
    },
    listChanges(compareTo) {
      const key = compareTo ?? ''
      const kept = changes.get(key)
      if (kept) return kept
      const found = listChanges(uses, of, compareTo)
      changes.set(key, found)
      return found
    },
  }
}

async function readInclude(
  uses: Uses,
  of: Parameters<typeof createConfigFileReader>[1],
  file: Include,
): Promise<Read> {
  switch (file.kind) {
    case 'local':
      return readConfigFileAt(uses, { project: of.project, commit: of.commit, path: file.path })
    case 'project':
      return readOther(uses, of, file)
    case 'template':
      return readTemplate(file.name)
    case 'artifact': {
      if (of.readArtifact) return of.readArtifact(file)
      return { problem: 'Include of artifacts is only possible in child pipelines' }
    }
    case 'remote':
      return fetchRemoteConfigFile(uses.config, file.url)
  }
}

/** Returns the text of a file of a commit, or the message for clients if it cannot be read. */
export async function readConfigFileAt(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  { project, commit, path }: { project: Project; commit: Oid; path: string },
): Promise<Read> {
  const repository = projectRepository(config, project)
  const clean = path.replace(/^\//, '')
  const root = (await git.objects.commit(repository, commit))?.tree
  const entry = root && (await findTreeEntry(git.objects, repository, root, clean))
  if (!entry || entry.mode === '040000' || entry.mode === '160000') {
    return { problem: `Local file \`${clean}\` does not exist!` }
  }
  const info = await git.objects.info(repository, entry.oid)
  if (!info || info.size > limits.cached_blob_bytes) {
    return { problem: `Local file \`${clean}\` is too large!` }
  }
  const blob = await git.objects.blob(repository, entry.oid)
  const text = blob?.content.toString('utf8') ?? ''
  return text.trim() === '' ? { problem: `Local file \`${clean}\` is empty!` } : { text }
}

async function readOther(
  uses: Uses,
  { project, actor }: { project: Project; actor: Actor },
  { project: fullPath, ref, path }: Extract<Include, { kind: 'project' }>,
): Promise<Read> {
  const found = fullPath.includes('\0')
    ? undefined
    : await findProject(uses.db, actor, { path: fullPath })
  const mayRead =
    found?.project.id === project.id ||
    (found !== undefined &&
      canSeeProject(actor, found) &&
      mayDownloadCode({ subject: found.project, level: found.level, actor }))
  if (!found || !mayRead) {
    return {
      problem: `Project \`${fullPath}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
    }
  }
  const repository = projectRepository(uses.config, found.project)
  const name = ref ?? found.project.default_branch ?? 'HEAD'
  const commit = await resolveCommit(uses.git.objects, repository, name)
  if (!commit) return { problem: `Project \`${fullPath}\` reference \`${name}\` does not exist!` }
  const read = await readConfigFileAt(uses, { project: found.project, commit, path })
  if ('text' in read) return read
  return { problem: `Project \`${fullPath}\` file \`${path.replace(/^\//, '')}\` does not exist!` }
}

async function readTemplate(name: string): Promise<Read> {
  const place = findCiTemplateUrl(name)
  if (!place) return { problem: `Template file \`${name}\` does not exist!` }
  return { text: await readFile(place, 'utf8') }
}

/** Returns the paths that differ between the commit and its base; undefined if there is no base. */
async function listChanges(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  { project, commit, before }: Parameters<typeof createConfigFileReader>[1],
  compareTo: string | undefined,
): Promise<readonly string[] | undefined> {
  const repository = projectRepository(config, project)
  const base =
    compareTo === undefined
      ? before === zeroOid
        ? undefined
        : before
      : await resolveCommit(git.objects, repository, compareTo)
  if (base === undefined || !(await git.objects.commit(repository, base as Oid))) return undefined
  // Compared with another reference, only the changes since the merge base count.
  const range = compareTo === undefined ? [base, commit] : [`${base}...${commit}`]
  const output = await runGit(git.git, repository, {
    args: ['diff', '--name-only', '-z', '--no-renames', '--end-of-options', ...range],
  })
  return output.toString('utf8').split('\0').filter(Boolean)
}
