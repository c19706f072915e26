// The description of an issue or merge request, whose tasks are ticked where they stand.
import { call } from '../../api/call.ts'
import type { TaskCompletion } from '../../api/operations.ts'
import { issuables as words } from '../../text/issues.ts'
import type { IssuableRoutes } from '../conversation/issuable.ts'
import { ProseWithTasks, withTaskTicked } from '../prose/tasks.tsx'

type Described = {
  description: string | null
  description_html?: string
  task_completion_status: TaskCompletion
}

export function Description({
  issuable,
  record,
  save,
}: {
  issuable: IssuableRoutes
  record: Described
  /** Saves a text with a task ticked; undefined for those who may not. Throws `Refusal`. */
  save: ((description: string) => Promise<unknown>) | undefined
}) {
  const tick = async (line: number, isTicked: boolean) => {
    // The newest text: somebody may have changed another line of it.
    const { description } = await call(`GET ${issuable.base}`, issuable.of)
    const next = withTaskTicked(description ?? '', line, isTicked)
    if (next === undefined) issuable.reload()
    else await save?.(next)
  }
  const { count, completed_count } = record.task_completion_status
  return (
    <section aria-label={words.description}>
      {record.description ? (
        <ProseWithTasks html={record.description_html ?? ''} onTick={save && tick} />
      ) : (
        <p class="muted">{words.noDescription}</p>
      )}
      {count > 0 ? <p class="muted">{words.tasks(completed_count, count)}</p> : null}
    </section>
  )
}
