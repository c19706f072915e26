import { milestones as words } from '../../../text/milestones.ts'
import type { Progress } from './use-progress.ts'
import './milestone.css'

/** How many issues of a milestone are closed, as words and a bar. */
export function MilestoneProgress({
  title,
  progress,
}: {
  title: string
  progress: Progress | undefined
}) {
  if (!progress) return null
  const { closed, all } = progress
  if (all === 0) return <span>{words.noIssuesShort}</span>
  return (
    <span class="row">
      <span>{words.progress(closed, all)}</span>
      <progress
        class="milestone-progress"
        aria-label={words.progressLabel(title)}
        value={closed}
        max={all}
      />
      <span>{words.percent(Math.floor((100 * closed) / all))}</span>
    </span>
  )
}
