// Wikis: the location of a wiki's repository, and access rules for wikis of projects and groups.
import type { Selectable } from 'kysely'
import { Level } from '../access/level.ts'
import type { Rule } from '../access/rule.ts'
import { visibilitiesOpenTo } from '../access/visibility.ts'
import type { Config } from '../config.ts'
import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db, WikiTable } from '../db/db.ts'
import type { Repository } from '../git/repository.ts'
import type { OwningProjectOrGroup } from './owner.ts'
import { findRepository } from './storage.ts'

export type Wiki = Selectable<WikiTable>

const ofProject = defineRowLoader((db, { id }: { id: number }) =>
  db.selectFrom('wikis').selectAll().where('project_id', '=', id),
)
const ofGroup = defineRowLoader((db, { id }: { id: number }) =>
  db.selectFrom('wikis').selectAll().where('namespace_id', '=', id),
)

/** Returns a wiki; undefined if it was never written. */
export function findWiki(
  db: Db,
  { kind, id }: Pick<OwningProjectOrGroup, 'kind' | 'id'>,
): Promise<Wiki | undefined> {
  return kind === 'project' ? ofProject(db, { id }) : ofGroup(db, { id })
}

/** Returns the project or group that a wiki belongs to. */
export function ownerOfWikiRow({
  project_id,
  namespace_id,
}: Pick<Wiki, 'project_id' | 'namespace_id'>): Pick<OwningProjectOrGroup, 'kind' | 'id'> {
  return project_id === null
    ? { kind: 'group', id: namespace_id ?? 0 }
    : { kind: 'project', id: project_id }
}

export function wikiRepository(
  config: Config,
  { id, repository_storage }: Pick<Wiki, 'id' | 'repository_storage'>,
): Repository {
  return findRepository(config, { storage: repository_storage, kind: 'wiki', id })
}

/** Returns the URL of the wiki's pages: `/<project>/-/wikis`. */
export function wikiUrl(
  baseUrl: string,
  { kind, full_path }: Pick<OwningProjectOrGroup, 'kind' | 'full_path'>,
) {
  return `${baseUrl}/${kind === 'group' ? 'groups/' : ''}${full_path}/-/wikis`
}

/**
 * Members including Guests, and unless it is private everybody who can see the project or group (docs/api/wikis.md, "Who
 * may"). Knowing a private group only through one of its projects is not sufficient.
 */
export const mayReadWiki: Rule<OwningProjectOrGroup> = ({ subject: owner, level, actor }) => {
  if (owner.kind === 'project' && owner.project.wiki_access_level === 'disabled') return false
  if (level >= Level.guest) return true
  const { visibility } = owner.kind === 'project' ? owner.project : owner.group
  if (!visibilitiesOpenTo(actor).includes(visibility)) return false
  return owner.kind === 'group' || owner.project.wiki_access_level === 'enabled'
}

export const mayWriteWiki: Rule<OwningProjectOrGroup> = (facts) =>
  facts.level >= Level.developer && facts.subject.isUnarchived && mayReadWiki(facts)
