// All runners; instance runners are created here.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { instanceRunners as words } from '../../../text/admin-runners.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Runner = Answer<'GET /runners/all'>[number]
type Asked = Input<'GET /runners/all'>

function inputOf({ searchParams }: URL): Asked {
  const status = searchParams.get('status') as Asked['status'] | null
  const type = searchParams.get('type') as Asked['type'] | null
  return {
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
  }
}

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /runners/all', inputOf(url))],
  View: RunnerList,
}

const after = () => invalidate('/api/v4/runners', '/api/v4/admin/health')

function RunnerList() {
  const { searchParams } = currentUrl.value
  const input = inputOf(currentUrl.value)
  const { data, page: pages, refusal, again } = useApi('GET /runners/all', input)
  const [edited, setEdited] = useState<number>()
  const isNew = searchParams.get('new') === 'true'
  const isFiltered = Boolean(input.status ?? input.type)
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="primary" onClick={() => replaceUrl(currentUrlWithQuery({ new: 'true' }))}>
          {words.add}
        </Button>
      }
    >
      <Tabs
        label={words.stateFilter}
        tabs={words.states.map(([status, name]) => ({
          words: name,
          href: currentUrlWithQuery({ status, page: undefined }),
          isHere: (input.status ?? '') === status,
        }))}
      />
      <div class="row">
        <SelectField
          isLabelHidden
          label={words.kindFilter}
          options={words.kinds}
          value={input.type ?? ''}
          onChange={(event) =>
            replaceUrl(currentUrlWithQuery({ type: event.currentTarget.value, page: undefined }))
          }
        />
      </div>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isFiltered ? words.noMatches : words.empty}>
          {isFiltered ? null : <p>{words.emptyText}</p>}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((runner) => (
            <RunnerRow key={runner.id} runner={runner} onEdit={() => setEdited(runner.id)} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {isNew ? (
        <NewRunner onClose={() => replaceUrl(currentUrlWithQuery({ new: undefined }))} />
      ) : null}
      {edited === undefined ? null : (
        <EditRunner id={edited} onClose={() => setEdited(undefined)} />
      )}
    </AdminPage>
  )
}

function RunnerRow({ runner, onEdit }: { runner: Runner; onEdit: () => void }) {
  const { id: runner_id, description, ip_address, paused, runner_type } = runner
  const name = description || words.number(runner_id)
  const pause = async () => {
    await call('PUT /runners/:runner_id', { runner_id, paused: !paused })
    after()
  }
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /runners/:runner_id', { runner_id })
        after()
        showToast(words.removed(name))
      },
    })
  return (
    <ListRow
      aside={
        <>
          <Chip>{words.kindNames[runner_type]}</Chip>
          <Menu
            look="quiet"
            label={words.menu(name)}
            items={[
              { words: words.edit, run: onEdit },
              { words: paused ? words.resume : words.pause, run: () => void pause() },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <div class="row">
        <Status status={paused ? 'paused' : runner.status} />
        <strong>{name}</strong>
        <span class="muted">{words.number(runner_id)}</span>
        {ip_address ? <span class="muted">{words.fromAddress(ip_address)}</span> : null}
      </div>
    </ListRow>
  )
}

function NewRunner({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState('')
  const create = async (values: FormValues) => {
    const made = await call('POST /user/runners', {
      runner_type: 'instance_type',
      ...settingsOf(values),
    })
    setToken(made.token)
    after()
  }
  return (
    <Dialog title={token === '' ? words.addTitle : words.created} onClose={onClose}>
      {token === '' ? (
        <Form action={words.create} onSubmit={create}>
          <RunnerFields />
        </Form>
      ) : (
        <div class="stack stack-close">
          <p>{words.registrationHint}</p>
          <CopyLine
            label={words.registrationCommand}
            text={`gitlab-runner register --non-interactive --url ${location.origin} --token ${token} --executor shell`}
          />
        </div>
      )}
    </Dialog>
  )
}

type Detail = Answer<'GET /runners/:runner_id'>

/** Returns the settings in the values of `RunnerFields`. */
function settingsOf(values: FormValues) {
  const tags = values.text('tags').split(',')
  const timeout_s = values.text('maximum_timeout')
  return {
    description: values.text('description'),
    tag_list: tags.map((tag) => tag.trim()).filter(Boolean),
    run_untagged: values.has('run_untagged'),
    access_level: values.has('protected') ? ('ref_protected' as const) : ('not_protected' as const),
    maximum_timeout: timeout_s === '' ? null : Number(timeout_s),
  }
}

function RunnerFields({ runner }: { runner?: Detail }) {
  return (
    <>
      <TextField
        label={words.description}
        name="description"
        defaultValue={runner?.description ?? ''}
      />
      <TextField
        label={words.tags}
        hint={words.tagsHint}
        name="tags"
        problemsOf="tag_list"
        defaultValue={runner?.tag_list.join(', ') ?? ''}
      />
      <CheckField
        label={words.untagged}
        name="run_untagged"
        defaultChecked={runner?.run_untagged ?? true}
      />
      <CheckField
        label={words.protected}
        hint={words.protectedHint}
        name="protected"
        defaultChecked={runner?.access_level === 'ref_protected'}
      />
      <TextField
        label={words.timeout}
        hint={words.timeoutHint}
        name="maximum_timeout"
        type="number"
        min={600}
        defaultValue={String(runner?.maximum_timeout ?? '')}
      />
    </>
  )
}

function EditRunner({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: runner } = useApi('GET /runners/:runner_id', { runner_id: id })
  const save = async (values: FormValues) => {
    await call('PUT /runners/:runner_id', { runner_id: id, ...settingsOf(values) })
    after()
    showToast(words.saved)
    onClose()
  }
  return (
    <Dialog title={words.edit} onClose={onClose}>
      {runner ? (
        <Form action={words.save} onSubmit={save}>
          <RunnerFields runner={runner} />
        </Form>
      ) : null}
    </Dialog>
  )
}
