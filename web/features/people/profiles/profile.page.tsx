import { put } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { findSession, user } from '../../../api/session.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { own, profile } from '../../../text/own-settings.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { tell } from '../../../ui/toast/toast.tsx'

const statusUrl = need('GET /user/status', {})

export const page: PageModule = {
  calls: () => [statusUrl],
  View: Profile,
}

function Profile() {
  const signedIn = user.value
  if (!signedIn) return null
  return (
    <OwnSettings
      title={own.profile}
      lead={profile.lead}
      actions={<ButtonLink href={`/${signedIn.username}`}>{profile.see}</ButtonLink>}
    >
      <Section title={profile.picture}>
        <div class="row">
          <Avatar name={signedIn.name} url={signedIn.avatar_url} size={64} />
          {signedIn.avatar_url ? (
            <Button look="quiet" onClick={() => void setPicture(null)}>
              {profile.take}
            </Button>
          ) : null}
        </div>
        <Form
          action={profile.upload}
          onSubmit={(values) => setPicture(values.file('avatar') ?? null)}
        >
          {(refusal) => (
            <TextField
              label={profile.choose}
              hint={profile.chooseHint}
              name="avatar"
              type="file"
              accept="image/png,image/jpeg,image/gif,image/webp"
              required
              problem={refusal?.problemOf('avatar')}
            />
          )}
        </Form>
      </Section>
      <Section title={profile.status}>
        <Status />
      </Section>
    </OwnSettings>
  )
}

async function setPicture(avatar: File | null): Promise<void> {
  await call('PUT /user/avatar', { avatar })
  await findSession()
  tell(own.saved)
}

function Status() {
  const { data } = useApi('GET /user/status', {})
  return (
    <Form
      action={profile.set}
      onSubmit={async (values) => {
        const saved = await call('PUT /user/status', {
          message: values.text('message'),
          availability: values.has('busy') ? 'busy' : 'not_set',
          ...(values.text('clear') ? { clear_status_after: values.text('clear') } : {}),
        } as Input<'PUT /user/status'>)
        put(statusUrl, saved)
        tell(own.saved)
      }}
    >
      {(refusal) => (
        <>
          <TextField
            label={profile.statusMessage}
            name="message"
            maxLength={100}
            defaultValue={data?.message ?? ''}
            problem={refusal?.problemOf('message')}
          />
          <CheckField
            label={profile.busy}
            name="busy"
            defaultChecked={data?.availability === 'busy'}
          />
          <SelectField label={profile.clear} name="clear" options={profile.clearNames} value="" />
        </>
      )}
    </Form>
  )
}
