import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { isUnarchived, mayDownloadCode, type Project } from '../../../subjects/project.ts'
import {
  listTagProtectionRules,
  mayCreateTag,
} from '../../repository/protected-tags/protected-tag.ts'

/** The fields of a project that access to its releases depends on. */
export type ReleaseSubject = Pick<Project, 'visibility' | 'repository_access_level' | 'archived'>

/** Everyone who sees a project sees its releases; their code is only for callers who may read it. */
export const mayReadReleases: Rule<ReleaseSubject> = () => true
export const mayReadReleasedCode: Rule<ReleaseSubject> = mayDownloadCode
export const mayWriteReleases: Rule<ReleaseSubject> = ({ subject, level }) =>
  subject.repository_access_level !== 'disabled' &&
  level >= Level.developer &&
  isUnarchived(subject)
export const mayRemoveReleases: Rule<ReleaseSubject> = (facts) =>
  mayWriteReleases(facts) && facts.level >= Level.maintainer

/** Callers who may create a tag may write its release. */
export async function mayWriteReleaseTag({
  db,
  subject,
  actor,
  level,
  input: { tag_name },
}: Facts<Project> & { db: Db; input: { tag_name: string } }): Promise<boolean> {
  return mayCreateTag(await listTagProtectionRules(db, subject.id, actor), tag_name, {
    actor,
    level,
  })
}
