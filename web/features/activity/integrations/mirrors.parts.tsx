// Mirror repositories that a project is pushed to.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { RemoteMirror } from '../../../api/operations.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { integrations as words } from '../../../text/integrations.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

export function RemoteMirrors({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/remote_mirrors', { id, per_page: 100 })
  const [isAdding, setAdding] = useState(false)
  /** Mirrors whose update was requested here, with the end of their previous update. */
  const [asked, setAsked] = useState<ReadonlyMap<number, string | null>>(new Map())
  const after = () => invalidate(`/api/v4/projects/${id}/remote_mirrors`)
  const isUpdating = data?.some(
    (mirror) =>
      mirror.update_status === 'started' || asked.get(mirror.id) === mirror.last_update_at,
  )
  usePolling(after, isUpdating ?? false)
  return (
    <Section
      id="push-mirrors"
      title={words.mirrors}
      lead={words.mirrorsLead}
      actions={isAdding ? null : <Button onClick={() => setAdding(true)}>{words.addMirror}</Button>}
    >
      {isAdding ? (
        <Form
          label={words.addMirror}
          action={words.addMirror}
          more={<Button onClick={() => setAdding(false)}>{ui.cancel}</Button>}
          onSubmit={async (values) => {
            await call('POST /projects/:id/remote_mirrors', {
              id,
              url: values.text('url').trim(),
              enabled: true,
              only_protected_branches: values.has('only_protected_branches'),
              keep_divergent_refs: values.has('keep_divergent_refs'),
            })
            setAdding(false)
            after()
            showToast(words.mirrorAdded)
          }}
        >
          <TextField
            label={words.url}
            hint={words.urlHint}
            name="url"
            type="url"
            autocomplete="off"
            required
          />
          <CheckField label={words.onlyProtected} name="only_protected_branches" />
          <CheckField label={words.keepDivergent} name="keep_divergent_refs" />
        </Form>
      ) : null}
      {data?.length === 0 && !isAdding ? <p>{words.noMirrors}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.mirrors}>
          {data.map((mirror) => (
            <MirrorRow
              key={mirror.id}
              onAsked={() => setAsked(new Map(asked).set(mirror.id, mirror.last_update_at))}
              {...{ id, mirror, after }}
            />
          ))}
        </List>
      ) : null}
    </Section>
  )
}

const signs: Readonly<Record<string, string>> = {
  none: 'created',
  started: 'running',
  finished: 'success',
  failed: 'failed',
}

type RowProps = {
  id: number
  mirror: RemoteMirror
  /** Called when an update of the mirror was requested. */
  onAsked: () => void
  after: () => void
}

function MirrorRow({ id, mirror, onAsked, after }: RowProps) {
  const { url, enabled, update_status, last_error, last_successful_update_at } = mirror
  const of = { id, mirror_id: mirror.id }
  const base = '/projects/:id/remote_mirrors/:mirror_id' as const
  const sync = async () => {
    await call(`POST ${base}/sync`, of)
    onAsked()
    after()
    showToast(words.syncStarted)
  }
  const toggle = async () => {
    await call(`PUT ${base}`, { ...of, enabled: !enabled })
    after()
  }
  const remove = () =>
    confirmBefore({
      title: words.removeMirrorTitle(url),
      text: words.removeMirrorText,
      action: words.removeMirror,
      run: async () => {
        await call(`DELETE ${base}`, of)
        after()
      },
    })
  return (
    <ListRow
      aside={
        <>
          <Status
            status={enabled ? (signs[update_status] ?? update_status) : 'paused'}
            words={enabled ? (words.mirrorStates[update_status] ?? update_status) : words.mirrorOff}
          />
          {enabled ? (
            <Button onClick={() => void sync()}>
              {words.sync}
              <span class="only-spoken"> {url}</span>
            </Button>
          ) : null}
          <Menu
            look="quiet"
            label={words.menu(url)}
            items={[
              { words: enabled ? words.disable : words.enable, run: () => void toggle() },
              { words: words.removeMirror, run: remove, isDanger: true },
            ]}
          >
            <span aria-hidden="true">{ui.signs.more}</span>
          </Menu>
        </>
      }
    >
      <strong class="mono">{url}</strong>
      <p class="row muted">
        {mirror.only_protected_branches ? <Chip>{words.onlyProtected}</Chip> : null}
        {mirror.keep_divergent_refs ? <Chip>{words.keepDivergent}</Chip> : null}
        {last_successful_update_at ? (
          <span>
            {words.lastUpdate} <Time at={last_successful_update_at} />
          </span>
        ) : null}
      </p>
      {last_error ? <p class="field-problem">{last_error}</p> : null}
    </ListRow>
  )
}
