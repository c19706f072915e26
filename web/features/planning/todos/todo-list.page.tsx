// All to-do items of the reader, pending or done.
import { invalidate } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { todos as words } from '../../../text/home.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { List } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { TodoRow } from './todo-row.tsx'

type TodosInput = Input<'GET /todos'>

function inputOf(url: URL): TodosInput {
  const given = (name: string) => url.searchParams.get(name) || undefined
  const [action, type] = [given('action'), given('type')]
  return {
    state: given('state') === 'done' ? 'done' : 'pending',
    ...(action ? { action: action as NonNullable<TodosInput['action']> } : {}),
    ...(type ? { type: type as NonNullable<TodosInput['type']> } : {}),
    per_page: 30,
    page: Number(given('page') ?? 1),
  }
}

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /todos', inputOf(url))],
  View: TodoList,
}

function TodoList(_: { at: PageLocation }) {
  const url = currentUrl.value
  const input = inputOf(url)
  const { data, page: pages, refusal, again } = useApi('GET /todos', input)
  const isDone = input.state === 'done'
  const markAll = () =>
    confirmBefore({
      title: words.markAll,
      text: words.markAllText,
      action: words.markAll,
      run: async () => {
        await call('POST /todos/mark_as_done')
        invalidate('/api/v4/todos')
        showToast(words.allMarked)
      },
    })
  const choose = (name: 'action' | 'type', options: readonly (readonly [string, string])[]) => (
    <SelectField
      isLabelHidden
      label={name === 'action' ? words.reason : words.type}
      options={options}
      value={url.searchParams.get(name) ?? ''}
      onChange={(event) =>
        replaceUrl(currentUrlWithQuery({ [name]: event.currentTarget.value, page: '' }))
      }
    />
  )
  return (
    <Page
      title={words.title}
      actions={
        !isDone && data && data.length > 0 ? (
          <Button onClick={markAll}>{words.markAll}</Button>
        ) : null
      }
    >
      <Tabs
        label={words.states}
        tabs={[
          {
            words: words.pending,
            href: currentUrlWithQuery({ state: '', page: '' }),
            isHere: !isDone,
          },
          {
            words: words.done,
            href: currentUrlWithQuery({ state: 'done', page: '' }),
            isHere: isDone,
          },
        ]}
      />
      <div class="row">
        {choose('action', words.reasons)}
        {choose('type', words.types)}
      </div>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <Nothing input={input} /> : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((todo) => (
            <TodoRow key={todo.id} todo={todo} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

function Nothing({ input: { state, action, type } }: { input: TodosInput }) {
  if (action || type) {
    return (
      <EmptyState title={words.noMatches}>
        <ButtonLink href={currentUrlWithQuery({ action: '', type: '', page: '' })}>
          {words.clearFilters}
        </ButtonLink>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={state === 'done' ? words.emptyDone : words.empty}>
      {state === 'done' ? null : <p>{words.emptyText}</p>}
    </EmptyState>
  )
}
