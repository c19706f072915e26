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
  /** Of an annotated tag. */
  annotation: TagObject | undefined
  /** What the tag leads to; a tag may also lead to a tree or a file. */
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
    // As the real product, without the line ends of the message, and empty where there is none.
    message: trimEndOf(annotation?.message ?? '', '\n'),
    target: tag.oid,
    commit: commit ? presentCommit(commit, projectUrl) : null,
    release: release ? { tag_name: tag.name, description: release.description } : null,
    protected: isProtected,
    created_at: annotation?.tagger?.date ?? null,
  }
}
