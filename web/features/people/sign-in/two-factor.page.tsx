import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { findSession, user } from '../../../api/session.ts'
import { QrCode } from '../../../surfaces/qr-code/qr-code.tsx'
import { twoFactor } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'

export const page: PageModule = { View: TwoFactor }

function TwoFactor() {
  const [codes, setCodes] = useState<readonly string[]>()
  const isOn = user.value?.two_factor_enabled ?? false
  return (
    <OwnSettings title={ownSettingsPlaces.twoFactor} lead={twoFactor.lead}>
      <p class="row">
        {twoFactor.statusLabel}{' '}
        <Chip tone={isOn ? 'passed' : 'warning'}>
          {isOn ? twoFactor.enabled : twoFactor.disabled}
        </Chip>
      </p>
      {codes ? (
        <Section title={twoFactor.recovery} lead={twoFactor.recoveryText}>
          <CopyLine label={twoFactor.codesToCopy} text={codes.join('\n')} />
        </Section>
      ) : null}
      {isOn ? <TurnOff onCodes={setCodes} /> : <TurnOn onCodes={setCodes} />}
    </OwnSettings>
  )
}

type OnCodes = (codes: readonly string[] | undefined) => void

function PasswordField() {
  return (
    <TextField
      label={twoFactor.password}
      name="password"
      type="password"
      autocomplete="current-password"
      required
    />
  )
}

function TurnOn({ onCodes }: { onCodes: OnCodes }) {
  const [begun, setBegun] = useState<{ secret: string; otpauth_uri: string }>()
  if (!begun)
    return (
      <Form
        key="begin"
        action={twoFactor.setUp}
        onSubmit={async (values) => {
          setBegun(await call('POST /user/two_factor', { password: values.text('password') }))
        }}
      >
        <PasswordField />
      </Form>
    )
  return (
    <Section title={twoFactor.enable} lead={twoFactor.instructions}>
      <QrCode text={begun.otpauth_uri} label={twoFactor.qrCode} />
      <CopyLine label={twoFactor.secret} text={begun.secret} />
      <CopyLine label={twoFactor.uri} text={begun.otpauth_uri} />
      <Form
        key="code"
        action={twoFactor.enable}
        onSubmit={async (values) => {
          const { recovery_codes } = await call('PUT /user/two_factor', {
            code: values.text('code'),
          })
          onCodes(recovery_codes)
          await findSession()
        }}
      >
        <TextField
          label={twoFactor.code}
          name="code"
          autocomplete="one-time-code"
          inputMode="numeric"
          required
        />
      </Form>
    </Section>
  )
}

function TurnOff({ onCodes }: { onCodes: OnCodes }) {
  return (
    <>
      <Section title={twoFactor.regenerate} lead={twoFactor.regenerateText}>
        <Form
          action={twoFactor.regenerate}
          onSubmit={async (values) => {
            const given = { password: values.text('password') }
            onCodes((await call('POST /user/two_factor/recovery_codes', given)).recovery_codes)
          }}
        >
          <PasswordField />
        </Form>
      </Section>
      <Section title={twoFactor.disable} lead={twoFactor.disableText}>
        <Form
          isDanger
          action={twoFactor.disable}
          onSubmit={async (values) => {
            await call('DELETE /user/two_factor', { password: values.text('password') })
            onCodes(undefined)
            await findSession()
          }}
        >
          <PasswordField />
        </Form>
      </Section>
    </>
  )
}
