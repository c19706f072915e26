// A domain of a site: its DNS records for routing and verification, and its certificate.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { PagesDomain } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { pagesSitesText as words } from '../../../text/pages.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { certificateWords } from './domain-words.ts'
import './domain.css'

const route = 'GET /projects/:id/pages/domains/:domain'

const inputOf = ({ id, rest }: Place) => ({
  id,
  domain: (rest ?? '').split('/')[1] ?? '',
})

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [apiReadUrl(route, inputOf(place))],
  View: DomainPage,
}

const touchSite = ({ id }: Place) => invalidate(`/api/v4/projects/${id}/pages`)

function DomainPage({ at: { place } }: { at: PlaceLocation }) {
  const { data } = useApi(route, inputOf(place))
  if (!data) return null
  const { domain } = data
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(domain),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /projects/:id/pages/domains/:domain', inputOf(place))
        touchSite(place)
        navigate(`${placeBasePath(place)}/-/pages`, { replace: true })
      },
    })
  return (
    <OperatePage
      place={place}
      title={domain}
      actions={
        <Button look="quiet" onClick={remove}>
          {words.remove}
        </Button>
      }
    >
      <State domain={data} place={place} />
      <Records domain={data} place={place} />
      <Certificate domain={data} place={place} />
    </OperatePage>
  )
}

type PartProps = { domain: PagesDomain; place: Place }

function State({ domain, place }: PartProps) {
  const { verified, enabled_until } = domain
  const [isBusy, setBusy] = useState(false)
  const verify = async () => {
    setBusy(true)
    try {
      await call('PUT /projects/:id/pages/domains/:domain/verify', inputOf(place))
      showToast(words.verifiedNow(domain.domain))
    } finally {
      setBusy(false)
      touchSite(place)
    }
  }
  return (
    <StateBar
      state={
        <Status
          status={verified ? 'success' : 'warning'}
          words={verified ? words.verified : words.unverified}
        />
      }
      actions={
        <Button look={verified ? 'plain' : 'primary'} isBusy={isBusy} onClick={() => void verify()}>
          {verified ? words.verifyAgain : words.verify}
        </Button>
      }
    >
      {enabled_until ? (
        <span>
          {words.until} <Time at={enabled_until} />
        </span>
      ) : null}
    </StateBar>
  )
}

function Records({ domain: { domain, verification_code }, place }: PartProps) {
  const { data: site } = useApi('GET /projects/:id/pages', { id: place.id })
  const host = site?.url ? URL.parse(site.url)?.hostname : undefined
  return (
    <Section title={words.dns} lead={words.dnsText}>
      {host ? (
        <>
          <p>{words.pointing}</p>
          <CopyLine label={words.pointingLabel} text={words.cname(domain, host)} />
        </>
      ) : (
        <p>{words.pointingByAddress}</p>
      )}
      <p>{words.proving}</p>
      <CopyLine label={words.provingLabel} text={words.txt(domain, verification_code)} />
    </Section>
  )
}

function Certificate({ domain, place }: PartProps) {
  const { certificate, auto_ssl_enabled } = domain
  const [isChanging, setChanging] = useState(false)
  const change = async (given: {
    certificate?: string
    key?: string
    auto_ssl_enabled?: boolean
  }) => {
    await call('PUT /projects/:id/pages/domains/:domain', { ...inputOf(place), ...given })
    touchSite(place)
    showToast(words.saved)
  }
  const remove = () =>
    confirmBefore({
      title: words.removeCertificateTitle(domain.domain),
      text: words.removeCertificateText,
      action: words.removeCertificate,
      run: () => change({ certificate: '', key: '' }),
    })
  return (
    <Section title={words.certificate}>
      <p>{certificateWords(domain)}</p>
      {certificate ? (
        <details>
          <summary>{words.certificateText}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
          <pre class="domain-certificate" tabIndex={0}>
            {certificate.certificate_text}
          </pre>
        </details>
      ) : null}
      {isChanging ? (
        <Form
          action={words.save}
          label={words.changeCertificate}
          onSubmit={async (values) => {
            const isAutomatic = values.has('auto_ssl_enabled')
            const [pem, key] = [values.text('certificate').trim(), values.text('key').trim()]
            await change({
              auto_ssl_enabled: isAutomatic,
              ...(pem === '' ? {} : { certificate: pem }),
              ...(key === '' ? {} : { key }),
            })
            setChanging(false)
          }}
          more={<Button onClick={() => setChanging(false)}>{ui.cancel}</Button>}
        >
          <CheckField
            label={words.automatic}
            hint={words.automaticHint}
            name="auto_ssl_enabled"
            defaultChecked={auto_ssl_enabled}
          />
          <TextArea label={words.pem} hint={words.pemHint} name="certificate" spellcheck={false} />
          <TextArea
            label={words.key}
            hint={words.keyHint}
            name="key"
            spellcheck={false}
            autocomplete="off"
          />
        </Form>
      ) : (
        <div class="row">
          <Button onClick={() => setChanging(true)}>{words.changeCertificate}</Button>
          {certificate ? (
            <Button look="quiet" onClick={remove}>
              {words.removeCertificate}
            </Button>
          ) : null}
        </div>
      )}
    </Section>
  )
}
