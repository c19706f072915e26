import { type Static, Type } from 'typebox'
import type { Commit, Tag as TagObject } from '../../../git/objects.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { trimEndOf } from '../../../kernel/trim.ts'
import { CommitJson, presentCommit } from '../commits/commit.ts'
import type { Tag } from './tag.ts'

export const TagJson = namedObject('Tag', {
  name: Type.String(),
  message: Type.String(),
  target: Type.String(),
  commit: nullable(CommitJson),
  release: nullable(Type.Object({ tag_name: Type.String(), description: nullableText })),
  protected: Type.Boolean(),
  created_at: nullableText,
})

export type TagPresenterInput = {
  tag: Tag
  /** The tag object of an annotated tag. */
  annotation: TagObject | undefined
  /** The commit that the tag points to; undefined if it points to a tree or a blob. */
  commit: Commit | undefined
  projectUrl: string
  release: { description: string | null } | undefined
  isProtected: boolean
}

export function presentTag({
  tag,
  annotation,
  commit,
  projectUrl,
  release,
  isProtected,
}: TagPresenterInput): Static<typeof TagJson> {
  return {
    name: tag.name,
    // As in the real product: without trailing line breaks, and empty if there is no message.
    message: trimEndOf(annotation?.message ?? '', '\n'),
    target: tag.oid,
    commit: commit ? presentCommit(commit, projectUrl) : null,
    release: release ? { tag_name: tag.name, description: release.description } : null,
    protected: isProtected,
    created_at: annotation?.tagger?.date ?? null,
  }
}
