// Background tasks by state: failed ones with their errors, to retry or delete.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { adminTasksText as words } from '../../../text/admin-tasks.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Task = Answer<'GET /admin/background_tasks'>[number]
type Asked = Input<'GET /admin/background_tasks'>
type State = keyof typeof words.empty

const url = '/api/v4/admin/background_tasks'
const stateOf = ({ searchParams }: URL) => (searchParams.get('state') ?? 'failed') as State

function inputOf(at: URL): Asked {
  const lane = at.searchParams.get('lane') as Asked['lane'] | null
  return {
    state: stateOf(at),
    per_page: 50,
    page: Number(at.searchParams.get('page') ?? 1),
    ...(lane ? { lane } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /admin/background_tasks', inputOf(at.url))],
  View: TaskList,
}

const after = () => invalidate(url)
const retry = ({ id }: Task) => call('POST /admin/background_tasks/:id/retry', { id })

function TaskList() {
  const state = stateOf(currentUrl.value)
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /admin/background_tasks', inputOf(currentUrl.value))
  usePolling(again, state === 'running' || state === 'waiting')
  const hasFailed = state === 'failed' && data !== undefined && data.length > 1
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={hasFailed ? <RetryAll tasks={data} /> : null}
    >
      <Tabs
        label={words.stateFilter}
        tabs={words.states.map(([one, name]) => ({
          words: name,
          href: currentUrlWithQuery({ state: one === 'failed' ? '' : one, page: undefined }),
          isHere: one === state,
        }))}
      />
      <div class="row">
        <SelectField
          isLabelHidden
          label={words.lane}
          options={[['', words.allLanes], ...Object.entries(words.lanes)]}
          value={currentUrl.value.searchParams.get('lane') ?? ''}
          onChange={(event) =>
            replaceUrl(currentUrlWithQuery({ lane: event.currentTarget.value, page: undefined }))
          }
        />
      </div>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={words.empty[state]} /> : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

function RetryAll({ tasks }: { tasks: readonly Task[] }) {
  const [isBusy, setBusy] = useState(false)
  const retryAll = async () => {
    setBusy(true)
    try {
      for (const task of tasks) await retry(task)
      showToast(words.retriedAll(tasks.length))
    } finally {
      setBusy(false)
      after()
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void retryAll()}>
      {words.retryAll}
    </Button>
  )
}

function TaskRow({ task }: { task: Task }) {
  const { id, name, key, lane, state, attempts, last_error } = task
  const about = words.about(name, key)
  const run = async () => {
    await retry(task)
    after()
    showToast(words.retried(name))
  }
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.removeAction,
      run: async () => {
        await call('DELETE /admin/background_tasks/:id', { id })
        after()
        showToast(words.removed(name))
      },
    })
  const mayRetry = state === 'failed' || state === 'delayed'
  return (
    <ListRow
      aside={
        <>
          <Chip>{words.lanes[lane as keyof typeof words.lanes] ?? lane}</Chip>
          <span>{words.attempts(attempts)}</span>
          <Time at={task.failed_at ?? task.started_at ?? task.run_at} />
          {mayRetry ? (
            <Button onClick={() => void run()}>
              {state === 'failed' ? words.retry : words.runNow}
              <span class="only-spoken"> {about}</span>
            </Button>
          ) : null}
          {state === 'failed' ? (
            <Button look="quiet" onClick={remove}>
              {words.remove}
              <span class="only-spoken"> {about}</span>
            </Button>
          ) : null}
        </>
      }
    >
      <div class="row">
        <strong>{name}</strong>
        <span class="mono muted one-line">{key}</span>
      </div>
      {last_error ? <p class="muted">{last_error}</p> : null}
    </ListRow>
  )
}
