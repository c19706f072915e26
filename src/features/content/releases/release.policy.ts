import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { downloadCode, isUnarchived, type Project } from '../../../subjects/project.ts'
import { listTagRules, mayCreateTag } from '../../repository/protected-tags/protected-tag.ts'

/** What of a project its releases are judged by. */
export type Releasing = Pick<Project, 'visibility' | 'repository_access_level' | 'archived'>

/** Whoever sees a project sees that it has releases; what they are made of is for readers of code. */
export const readReleases: Rule<Releasing> = () => true
export const readReleasedCode: Rule<Releasing> = downloadCode
export const writeReleases: Rule<Releasing> = ({ subject, level }) =>
  subject.repository_access_level !== 'disabled' &&
  level >= Level.developer &&
  isUnarchived(subject)
export const removeReleases: Rule<Releasing> = (facts) =>
  writeReleases(facts) && facts.level >= Level.maintainer

/** Who may make a tag writes its release. */
export async function mayWriteTag({
  db,
  subject,
  actor,
  level,
  input: { tag_name },
}: Facts<Project> & { db: Db; input: { tag_name: string } }): Promise<boolean> {
  return mayCreateTag(await listTagRules(db, subject.id, actor), tag_name, { actor, level })
}
