import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useAllPages } from '../../../api/use-api.ts'
import { gpgKeys } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

const input = { per_page: 100 }
const keysUrl = '/api/v4/user/gpg_keys'

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /user/gpg_keys', input)],
  View: GpgKeys,
}

function GpgKeys() {
  const { data: keys, refusal, again } = useAllPages('GET /user/gpg_keys', input)
  return (
    <OwnSettings title={ownSettingsPlaces.gpgKeys} lead={gpgKeys.lead}>
      {refusal && !keys ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {keys || refusal ? null : <LoadingRows />}
      {keys?.length === 0 ? <EmptyState title={gpgKeys.empty} /> : null}
      {keys && keys.length > 0 ? (
        <List label={gpgKeys.list}>
          {keys.map(({ id, created_at }) => (
            <ListRow
              key={id}
              aside={
                <>
                  <Time at={created_at} />
                  <Button look="quiet" onClick={() => askToRevoke(id)}>
                    {gpgKeys.revoke}
                    <span class="only-spoken"> {gpgKeys.keyNumber(id)}</span>
                  </Button>
                  <Button look="quiet" onClick={() => askToRemove(id)}>
                    {gpgKeys.remove}
                    <span class="only-spoken"> {gpgKeys.keyNumber(id)}</span>
                  </Button>
                </>
              }
            >
              <strong>{gpgKeys.keyNumber(id)}</strong>
            </ListRow>
          ))}
        </List>
      ) : null}
      <Section title={gpgKeys.addTitle}>
        <AddKey />
      </Section>
    </OwnSettings>
  )
}

function askToRemove(key_id: number): void {
  confirmBefore({
    title: gpgKeys.removeTitle(key_id),
    text: gpgKeys.removeText,
    action: gpgKeys.removeConfirm,
    run: async () => {
      await call('DELETE /user/gpg_keys/:key_id', { key_id })
      invalidate(keysUrl)
    },
  })
}

function askToRevoke(key_id: number): void {
  confirmBefore({
    title: gpgKeys.revokeTitle(key_id),
    text: gpgKeys.revokeText,
    action: gpgKeys.revokeConfirm,
    run: async () => {
      await call('POST /user/gpg_keys/:key_id/revoke', { key_id })
      invalidate(keysUrl)
    },
  })
}

function AddKey() {
  const [added, setAdded] = useState(0)
  return (
    <Form
      key={added}
      action={gpgKeys.add}
      onSubmit={async (values) => {
        await call('POST /user/gpg_keys', { key: values.text('key') })
        invalidate(keysUrl)
        setAdded(added + 1)
      }}
    >
      <TextArea
        label={gpgKeys.key}
        hint={gpgKeys.keyHint}
        name="key"
        rows={8}
        required
        spellcheck={false}
      />
    </Form>
  )
}
