// A to-do item as a row, marked as done where it stands.
import type { ComponentChildren } from 'preact'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { todos as words } from '../../../text/home.ts'
import { Button } from '../../../ui/button/button.tsx'
import { ListRow } from '../../../ui/list/list.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

export type TodoItem = Answer<'GET /todos'>[number]

/** A link of this server without its origin; the fragment stays, since items lead to comments. */
export function todoTargetPath({ target_url }: TodoItem): string {
  const url = URL.parse(target_url, location.href)
  return url ? url.pathname + url.search + url.hash : target_url
}

export function TodoRow({ todo }: { todo: TodoItem }) {
  const { target, project, author, action_name, body } = todo
  const title = target?.title ?? body
  const reference = target?.references.full ?? project.path_with_namespace
  const markDone = async () => {
    await call('POST /todos/:todo_id/mark_as_done', { todo_id: todo.id })
    invalidate('/api/v4/todos')
    showToast(words.marked)
  }
  return (
    <AssignedWorkRow
      title={title}
      href={todoTargetPath(todo)}
      reference={reference}
      reason={words.because[action_name]?.(author.name) ?? action_name}
      at={todo.created_at}
      action={
        todo.state === 'pending' ? (
          <Button aria-label={words.markDoneOf(title)} onClick={() => void markDone()}>
            {words.markDone}
          </Button>
        ) : null
      }
    />
  )
}

/** A thing that somebody has to work on, and why. */
export function AssignedWorkRow({
  title,
  href,
  reference,
  reason,
  at,
  action,
}: {
  title: string
  href: string
  reference: string
  reason?: string
  at: string
  action?: ComponentChildren
}) {
  return (
    <ListRow aside={action}>
      <a data-main href={href}>
        <bdi>{title}</bdi>
      </a>
      <p class="row muted">
        <span>{reference}</span>
        {reason ? <span>{reason}</span> : null}
        <Time at={at} />
      </p>
    </ListRow>
  )
}
