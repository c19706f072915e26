// A commit in one line: who, what, when.
import { Avatar } from '../avatar/avatar.tsx'
import { Time } from '../time/time.tsx'
import './commit-line.css'

export type CommitFacts = { id: string; title: string; author_name: string; committed_date: string }

export function CommitLine({ commit, base }: { commit: CommitFacts; base: string }) {
  return (
    <div class="commit-line">
      <Avatar name={commit.author_name} size={20} />
      <span class="commit-line-who">{commit.author_name}</span>
      <a class="commit-line-title one-line" href={`${base}/-/commit/${commit.id}`}>
        {commit.title}
      </a>
      <a class="mono" href={`${base}/-/commit/${commit.id}`}>
        {commit.id.slice(0, 8)}
      </a>
      <span class="muted">
        <Time at={commit.committed_date} />
      </span>
    </div>
  )
}
