import { invalidate, setCachedData } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { findSession, type SignedIn, user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { profile } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

const statusUrl = apiReadUrl('GET /user/status', {})

export const page: PageModule = {
  calls: () => [statusUrl],
  View: Profile,
}

function Profile() {
  const signedIn = user.value
  if (!signedIn) return null
  return (
    <OwnSettings
      title={ownSettingsPlaces.profile}
      lead={profile.lead}
      actions={<ButtonLink href={`/${signedIn.username}`}>{profile.viewProfile}</ButtonLink>}
    >
      <Section title={profile.about}>
        <About me={signedIn} />
      </Section>
      <Section title={profile.avatar}>
        <div class="row">
          <Avatar name={signedIn.name} url={signedIn.avatar_url} size={64} />
          {signedIn.avatar_url ? (
            <Button look="quiet" onClick={() => void setPicture(null)}>
              {profile.removeAvatar}
            </Button>
          ) : null}
        </div>
        <Form
          action={profile.upload}
          onSubmit={(values) => setPicture(values.file('avatar') ?? null)}
        >
          <TextField
            label={profile.chooseImage}
            hint={profile.chooseImageHint}
            name="avatar"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            required
          />
        </Form>
      </Section>
      <Section title={profile.status}>
        <Status />
      </Section>
    </OwnSettings>
  )
}

const texts = ['bio', 'location', 'pronouns', 'job_title', 'organization', 'website_url'] as const

function About({ me }: { me: SignedIn }) {
  return (
    <Form
      action={profile.save}
      onSubmit={async (values) => {
        await call('PUT /user', {
          name: values.text('name'),
          username: values.text('username'),
          public_email: values.text('public_email'),
          private_profile: values.has('private_profile'),
          ...Object.fromEntries(texts.map((name) => [name, values.text(name)])),
        })
        invalidate('/api/v4/users')
        await findSession()
        showToast(ownSettingsPlaces.saved)
      }}
    >
      <TextField
        label={profile.name}
        name="name"
        required
        autocomplete="name"
        defaultValue={me.name}
      />
      <TextField
        label={profile.username}
        hint={profile.usernameHint}
        name="username"
        required
        autocomplete="username"
        defaultValue={me.username}
      />
      <TextField
        label={profile.publicEmail}
        hint={profile.publicEmailHint}
        name="public_email"
        type="email"
        defaultValue={me.public_email}
      />
      {texts.map((name) => (
        <TextField
          key={name}
          label={profile.fields[name]}
          name={name}
          defaultValue={me[name] ?? ''}
        />
      ))}
      <CheckField
        label={profile.isPrivate}
        hint={profile.isPrivateHint}
        name="private_profile"
        defaultChecked={me.private_profile}
      />
    </Form>
  )
}

async function setPicture(avatar: File | null): Promise<void> {
  await call('PUT /user/avatar', { avatar })
  await findSession()
  showToast(ownSettingsPlaces.saved)
}

function Status() {
  const { data } = useApi('GET /user/status', {})
  return (
    <Form
      action={profile.setStatus}
      onSubmit={async (values) => {
        const saved = await call('PUT /user/status', {
          message: values.text('message'),
          availability: values.has('busy') ? 'busy' : 'not_set',
          ...(values.text('clear') ? { clear_status_after: values.text('clear') } : {}),
        } as Input<'PUT /user/status'>)
        setCachedData(statusUrl, saved)
        showToast(ownSettingsPlaces.saved)
      }}
    >
      <TextField
        label={profile.statusMessage}
        name="message"
        maxLength={100}
        defaultValue={data?.message ?? ''}
      />
      <CheckField label={profile.busy} name="busy" defaultChecked={data?.availability === 'busy'} />
      <SelectField
        label={profile.clearAfter}
        name="clear"
        options={profile.clearAfterOptions}
        value=""
      />
    </Form>
  )
}
