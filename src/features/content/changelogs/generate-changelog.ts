// Generates the section of a changelog for one version: commits with a trailer, grouped by its value, rendered with the
// template.

import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { listRefs, resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { parseTrailers } from '../../../git/trailers.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import type { Context } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { linearRegexCost } from '../../../kernel/linear-regex.ts'
import { MatchBudget } from '../../../kernel/match-budget.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import { mayReadMergeRequests } from '../../../subjects/issuable.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { findUsersByConfirmedEmails } from '../../../subjects/user.ts'
import {
  filterOutsideContributors,
  filterVisibleGroupMembers,
  findMergeRequestIidsByCommit,
} from './changelog.store.ts'
import { type ChangelogConfig, parseChangelogConfig } from './changelog-config.ts'
import { ChangelogError } from './changelog-error.ts'
import { formatDateByPattern } from './format-date.ts'
import { findPreviousVersionTag, parseStableVersion } from './previous-tag.ts'
import { renderChangelogTemplate } from './template.ts'

export type ChangelogInput = {
  version: string
  from?: string
  to?: string
  date?: string
  trailer?: string
  config_file?: string
  config_file_ref?: string
}

type Entry = {
  title: string
  commit: { reference: string; trailers: Record<string, string> }
  author?: { reference: string; contributor: boolean; credit: boolean }
  merge_request?: { reference: string }
}

type ChangelogContext = Context<Project, ChangelogInput>

/** The number of commits that are loaded at once. */
const batch_commits = 1000
const reverting = /^This reverts commit ([0-9a-f]{40,64})/im

/** Returns the new section with its heading and an empty line after it. Throws ChangelogError if it cannot be generated. */
export async function generateChangelog(context: ChangelogContext): Promise<string> {
  const { git, config: server, subject: project, input, clock } = context
  const repository = projectRepository(server, project)
  const config = await parseChangelogConfig(await readConfigFile(context, repository))
  const from = input.from || (await findPreviousTag(context, repository, config))
  if (from === undefined) {
    throw new ChangelogError(
      'The commit start range is unspecified, and no previous tag could be found to use instead',
    )
  }
  const to = input.to || (project.default_branch ?? 'HEAD')
  const [start, end] = await Promise.all(
    [from, to].map((revision) => resolveCommit(git.objects, repository, revision)),
  )
  if (!start || !end) {
    throw new ChangelogError('Invalid or not found commit value in the given range')
  }
  const commits = await listCommits(context, repository, { start, end })
  const entries = await makeEntries(context, commits, config)
  const titles = new Set([...config.categories.values(), ...entries.keys()])
  const categories = [...titles].flatMap((title) => {
    const found = entries.get(title) ?? []
    const count = found.length
    return count > 0 ? { title, count, single_change: count === 1, entries: found } : []
  })
  const notes = renderChangelogTemplate(config.template, { categories }).trim()
  const date = input.date ? new Date(input.date) : clock()
  return `## ${input.version} (${formatDateByPattern(date, config.date_format)})\n\n${notes}\n\n`
}

async function readConfigFile(
  { git, input }: ChangelogContext,
  repository: Repository,
): Promise<string | undefined> {
  const path = input.config_file || '.gitlab/changelog_config.yml'
  const commit = await resolveCommit(git.objects, repository, input.config_file_ref || 'HEAD')
  const tree = commit && (await git.objects.commit(repository, commit))?.tree
  const entry = tree && (await findTreeEntry(git.objects, repository, tree, path))
  if (!entry?.mode.startsWith('100')) return undefined
  const content = await git.objects.wholeBlob(
    repository,
    entry.oid as Oid,
    limits.changelogs.config_bytes,
  )
  if (!content) throw new ChangelogError('The configuration is too long')
  return content.toString()
}

/** Returns the tag of the stable version right before the requested one. */
async function findPreviousTag(
  { input }: ChangelogContext,
  repository: Repository,
  { tag_regex }: ChangelogConfig,
): Promise<string | undefined> {
  const prefix = 'refs/tags/'
  const found: { name: string; version: string }[] = []
  const refs = await listRefs(repository, prefix)
  const cost = linearRegexCost(tag_regex.source)
  const budget = new MatchBudget()
  for await (const run of refs.runs()) {
    for (const { name } of run) {
      if (!budget.count(cost(name))) {
        throw new ChangelogError('The "tag_regex" configuration takes too long for all tags')
      }
      if (budget.isDue) await budget.pause()
      const version = parseStableVersion(name.slice(prefix.length), tag_regex)
      if (version !== undefined) found.push({ name, version })
    }
  }
  return findPreviousVersionTag(found, input.version)
}

type Marked = { commit: Commit; trailers: Map<string, string>; category: string }

/** Returns the commits with the trailer, newest first, except those that later commits revert. */
async function listCommits(
  context: ChangelogContext,
  repository: Repository,
  { start, end }: { start: Oid; end: Oid },
): Promise<Marked[]> {
  const { git, input } = context
  const trailer = input.trailer || 'Changelog'
  const { commits_max } = limits.changelogs
  const list = async (message: string): Promise<Commit[]> => {
    const span = { tips: [end], hidden: [start] }
    const range = { offset: 0, limit: commits_max + 1 }
    const oids = await git.lists.page(repository, span, { message }, range)
    if (oids.length > commits_max) {
      throw new ChangelogError(`The commits range exceeds ${commits_max} elements.`)
    }
    const commits: Commit[] = []
    for (const batch of splitIntoBatches(oids, batch_commits)) {
      commits.push(...(await git.objects.commits(repository, batch)))
    }
    return commits
  }
  const takenBack = revertedBy(await list('This reverts commit'))
  return (await list(`${trailer}:`)).flatMap((commit) => {
    if (takenBack.has(commit.oid)) return []
    const trailers = new Map(parseTrailers(commit.message))
    const category = trailers.get(trailer)
    return category === undefined ? [] : [{ commit, trailers, category }]
  })
}

/**
 * Returns the commits that are reverted by the given ones (newest first); a revert that is itself reverted does not
 * count.
 */
function revertedBy(commits: readonly Commit[]): Set<string> {
  const reverted = new Set<string>()
  for (const { oid, message } of commits) {
    const [, target] = reverting.exec(message) ?? []
    if (target !== undefined && !reverted.has(oid)) reverted.add(target.toLowerCase())
  }
  return reverted
}

async function makeEntries(
  context: ChangelogContext,
  marked: readonly Marked[],
  config: ChangelogConfig,
): Promise<Map<string, Entry[]>> {
  const { db, subject: project, level, actor } = context
  const authors = new Map<string, { id: number; username: string }>()
  const requests = new Map<string, number>()
  const showsRequests = mayReadMergeRequests({ subject: project, level, actor })
  for (const batch of splitIntoBatches(marked, batch_commits)) {
    const addresses = new Set(batch.map(({ commit }) => addressOf(commit)))
    for (const { address, ...author } of await findUsersByConfirmedEmails(db, [...addresses])) {
      authors.set(address, author)
    }
    if (!showsRequests) continue
    const shas = batch.map(({ commit }) => commit.oid)
    for (const [sha, iid] of await findMergeRequestIidsByCommit(db, project.id, shas))
      requests.set(sha, iid)
  }
  const userIds = [...new Set([...authors.values()].map(({ id }) => id))]
  const contributors = await filterOutsideContributors(db, project, userIds)
  const members = await filterVisibleGroupMembers(db, actor, {
    paths: config.include_groups,
    userIds,
  })
  const entries = new Map<string, Entry[]>()
  for (const { commit, trailers, category } of marked) {
    const author = authors.get(addressOf(commit))
    const iid = requests.get(commit.oid)
    const entry: Entry = {
      title: commit.message.split('\n', 1)[0] ?? '',
      commit: {
        reference: `${project.full_path}@${commit.oid}`,
        trailers: Object.fromEntries(trailers),
      },
    }
    if (author) {
      const contributor = contributors.has(author.id)
      const credit = contributor || members.has(author.id)
      entry.author = { reference: `@${author.username}`, contributor, credit }
    }
    if (iid !== undefined) entry.merge_request = { reference: `${project.full_path}!${iid}` }
    const title = config.categories.get(category) ?? category
    const list = entries.get(title) ?? []
    entries.set(title, list)
    list.push(entry)
  }
  return entries
}

function addressOf(commit: Commit): string {
  return commit.author.email.toLowerCase()
}
