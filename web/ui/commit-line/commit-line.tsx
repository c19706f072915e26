// A commit in one line: who, what, when; and what its pipeline and its signature say where they are known.
import type { ComponentChildren } from 'preact'
import { repository } from '../../text/repository.ts'
import { Avatar } from '../avatar/avatar.tsx'
import { Chip } from '../chip/chip.tsx'
import { Time } from '../time/time.tsx'
import './commit-line.css'

export type LineCommit = {
  id: string
  short_id: string
  title: string
  author_name: string
  committed_date: string
}

export function CommitLine({
  commit,
  base,
  signed,
  aside,
}: {
  commit: LineCommit
  base: string
  /** The verification status of its signature. */
  signed?: string | undefined
  aside?: ComponentChildren
}) {
  const href = `${base}/-/commit/${commit.id}`
  return (
    <div class="commit-line">
      <Avatar name={commit.author_name} />
      <div class="commit-line-main">
        <a class="commit-line-title" data-main href={href}>
          {commit.title || repository.noMessage}
        </a>
        <span class="commit-line-who">
          <span class="muted one-line">{commit.author_name}</span>
          {signed ? (
            <Chip tone={signed === 'verified' ? 'passed' : 'warning'}>
              {signed === 'verified' ? repository.verified : repository.notVerified}
            </Chip>
          ) : null}
        </span>
      </div>
      <div class="commit-line-aside">
        {aside}
        <a class="mono commit-line-id" href={href} tabIndex={-1}>
          {commit.short_id}
        </a>
        <Time at={commit.committed_date} />
      </div>
    </div>
  )
}
