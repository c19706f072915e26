import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useAllPages } from '../../../api/use-api.ts'
import { sshKeys } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Key = Answer<'GET /user/keys'>[number]

const input = { per_page: 100 }
const keysUrl = '/api/v4/user/keys'

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /user/keys', input)],
  View: SshKeys,
}

function SshKeys() {
  const { data: keys, refusal, again } = useAllPages('GET /user/keys', input)
  return (
    <OwnSettings title={ownSettingsPlaces.keys} lead={sshKeys.lead}>
      {refusal && !keys ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {keys || refusal ? null : <LoadingRows />}
      {keys?.length === 0 ? (
        <EmptyState title={sshKeys.empty}>
          <p>{sshKeys.emptyText}</p>
        </EmptyState>
      ) : null}
      {keys && keys.length > 0 ? (
        <List label={sshKeys.list}>
          {keys.map((key) => (
            <KeyRow key={key.id} ssh={key} />
          ))}
        </List>
      ) : null}
      <Section title={sshKeys.addTitle}>
        <AddKey />
      </Section>
    </OwnSettings>
  )
}

function KeyRow({ ssh }: { ssh: Key }) {
  const [type = '', , comment = ''] = ssh.key.split(' ')
  return (
    <ListRow
      aside={
        <>
          {ssh.expires_at ? <span>{sshKeys.expiresOn(new Date(ssh.expires_at))}</span> : null}
          <span>
            {sshKeys.addedAt} <Time at={ssh.created_at} />
          </span>
          <Button look="quiet" onClick={() => askToRemove(ssh)}>
            {sshKeys.remove}
            <span class="only-spoken"> {ssh.title}</span>
          </Button>
        </>
      }
    >
      <strong>{ssh.title}</strong>
      <p class="muted mono one-line">{[type, comment].filter(Boolean).join(' ')}</p>
    </ListRow>
  )
}

function askToRemove({ id, title }: Key): void {
  confirmBefore({
    title: sshKeys.removeTitle(title),
    text: sshKeys.removeText,
    action: sshKeys.removeConfirm,
    run: async () => {
      await call('DELETE /user/keys/:key_id', { key_id: id })
      invalidate(keysUrl)
    },
  })
}

function AddKey() {
  // Each added key gets a new, empty form.
  const [added, setAdded] = useState(0)
  return (
    <Form
      key={added}
      action={sshKeys.add}
      onSubmit={async (values) => {
        const { title } = await call('POST /user/keys', {
          title: values.text('title') || (values.text('key').split(' ')[2] ?? ''),
          key: values.text('key').trim(),
          usage_type: values.text('usage_type') as 'auth',
          expires_at: values.text('expires_at') || null,
        })
        invalidate(keysUrl)
        showToast(sshKeys.added(title))
        setAdded(added + 1)
      }}
    >
      <TextArea
        label={sshKeys.key}
        hint={sshKeys.keyHint}
        name="key"
        required
        spellcheck={false}
        problemsOf="key fingerprint"
      />
      <TextField
        label={sshKeys.keyTitle}
        hint={sshKeys.keyTitleHint}
        name="title"
        maxLength={255}
      />
      <SelectField
        label={sshKeys.usage}
        name="usage_type"
        options={sshKeys.usages}
        value="auth_and_signing"
      />
      <TextField label={sshKeys.expires} hint={sshKeys.expiresHint} name="expires_at" type="date" />
    </Form>
  )
}
