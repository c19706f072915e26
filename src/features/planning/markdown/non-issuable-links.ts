// Links to labels, milestones and commits in texts (docs/api/markdown.md, "Names and uploads").
import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { projectAsOwner } from '../../../subjects/owner.ts'
import {
  findVisibleProject,
  mayDownloadCode,
  type Project,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import type { ReferenceLinks } from '../../basics/markdown/markdown.ts'
import { findReferenceCandidates } from '../../basics/markdown/reference-candidates.ts'
import { findLabelsByTitle } from '../labels/label.ts'
import { findMilestonesByTitle, mayReadMilestones } from '../milestones/milestone.ts'

export type LinkViewer = Pick<Instance, 'git' | 'config'> & {
  db: Db
  actor: Actor
  baseUrl: string
}

/** The names in a text by kind, each with the title to look up. */
type OtherNames = { labels: NameMap; milestones: NameMap; hashes: Set<string> }
type NameMap = Map<string, string>

const hashPattern = /^[0-9a-f]{7,40}$/

/** Collects the names in the texts. Yields after each text, so that other requests can run. */
async function readOtherNames(texts: readonly string[]): Promise<OtherNames> {
  const labels: NameMap = new Map()
  const milestones: NameMap = new Map()
  const hashes = new Set<string>()
  for (const text of texts) {
    for (const { name } of findReferenceCandidates(text)) {
      const map = name.startsWith('~') ? labels : name.startsWith('%') ? milestones : undefined
      if (map && map.size < limits.list_references_max) {
        map.set(name, name.slice(1).replaceAll('"', ''))
      } else if (hashPattern.test(name) && hashes.size < limits.text_hashes_max) hashes.add(name)
    }
    await setImmediate()
  }
  return { labels, milestones, hashes }
}

/** Returns links for the labels, milestones and commits of the project that the texts reference and the reader can see. */
export async function findNonIssuableLinks(
  reader: LinkViewer,
  { texts, project_id }: { texts: readonly string[]; project_id: number },
): Promise<ReferenceLinks> {
  const names = await readOtherNames(texts)
  const { labels, milestones, hashes } = names
  if (labels.size + milestones.size + hashes.size === 0) return {}
  const { db, actor } = reader
  const found = await findVisibleProject(db, actor, { id: project_id })
  if (!found) return {}
  const { project, level } = found
  const facts = { actor, level }
  return {
    ...(mayReadMilestones({ ...facts, subject: projectAsOwner(project) })
      ? await findPlanning(reader, { project, names })
      : {}),
    ...(mayDownloadCode({ ...facts, subject: project })
      ? await findCommits(reader, { project, hashes: [...hashes] })
      : {}),
  }
}

async function findPlanning(
  { db, baseUrl }: LinkViewer,
  { project, names }: { project: Project; names: OtherNames },
): Promise<ReferenceLinks> {
  const links: Record<string, ReferenceLinks[string]> = {}
  const labels = await findLabelsByTitle(db, project, [...new Set(names.labels.values())])
  const byTitle = new Map(labels.map((label) => [label.title, label]))
  for (const [name, title] of names.labels) {
    const label = byTitle.get(title)
    if (!label) continue
    const query = `label_name%5B%5D=${encodeURIComponent(title)}`
    const href = `${projectUrl(baseUrl, project)}/-/issues?${query}`
    links[name] = { href, title: label.description ?? title, kind: 'label' }
  }
  const titles = [...new Set(names.milestones.values())]
  const milestones = await findMilestonesByTitle(db, project, titles)
  for (const [name, title] of names.milestones) {
    const milestone = milestones.find((one) => one.title === title)
    if (!milestone) continue
    const { owner_path, project_id, iid } = milestone
    const owner = project_id === null ? `groups/${owner_path}` : owner_path
    const href = `${baseUrl}/${owner}/-/milestones/${iid}`
    links[name] = { href, title, kind: 'milestone' }
  }
  return links
}

async function findCommits(
  { git, config, baseUrl }: LinkViewer,
  { project, hashes }: { project: Project; hashes: readonly string[] },
): Promise<ReferenceLinks> {
  if (hashes.length === 0) return {}
  const repository = projectRepository(config, project)
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const oid = await resolveCommit(git.objects, repository, hash)
      // The hash may also be the name of a branch, which is no reference to a commit.
      if (!oid?.startsWith(hash)) return []
      const commit = await git.objects.commit(repository, oid)
      const [title = ''] = commit?.message.split('\n', 1) ?? []
      const href = `${projectUrl(baseUrl, project)}/-/commit/${oid}`
      return [[hash, { href, title, kind: 'commit', text: hash.slice(0, 8) }] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}
