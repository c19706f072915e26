// The site of a project: its URL, its visibility and its domains.
import { useAbilities } from '../../../api/abilities.ts'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { PagesDomain, PagesSite } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { pagesSitesText as words } from '../../../text/pages.ts'
import { ui } from '../../../text/ui.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { certificateWords, domainUrl } from './domain-words.ts'

const route = 'GET /projects/:id/pages'

export const page: PageModule<PlaceLocation> = { View: Site }

const touchSite = ({ id }: Place) => invalidate(`/api/v4/projects/${id}/pages`)

function Site({ at: { place } }: { at: PlaceLocation }) {
  const { id, rest } = place
  const { data: project } = useProject(id)
  const can = useAbilities(place)
  const isOff = project?.pages_access_level === 'disabled'
  const isRead = project !== undefined && !isOff && can('manage_pages')
  const { data, refusal, again } = useApi(route, isRead ? { id } : undefined)
  if (!project) return null
  const base = `${placeBasePath(place)}/-/pages`
  const isNew = rest === 'new'
  return (
    <OperatePage
      place={place}
      title={words.title}
      lead={words.lead}
      actions={
        isNew || isOff ? null : <ButtonLink href={`${base}/new`}>{words.addDomain}</ButtonLink>
      }
    >
      {isOff ? (
        <EmptyState title={words.off}>
          <p>{words.offText}</p>
        </EmptyState>
      ) : null}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {isNew ? <DomainForm place={place} /> : null}
      {data ? <Published site={data} place={place} /> : null}
      {data ? <Domains place={place} /> : null}
      <Settings place={place} site={data} access={project.pages_access_level} />
    </OperatePage>
  )
}

function Published({ site, place }: { site: PagesSite; place: Place }) {
  const [deployment] = site.deployments
  if (!deployment) {
    return (
      <>
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
        <CopyLine label={words.exampleLabel} text={words.example} />
      </>
    )
  }
  const takeDown = () =>
    confirmBefore({
      title: words.takeDownTitle,
      text: words.takeDownText,
      action: words.takeDown,
      run: async () => {
        await call('DELETE /projects/:id/pages', { id: place.id })
        touchSite(place)
        showToast(words.takenDown)
      },
    })
  return (
    <StateBar
      state={<Status status="active" words={words.published} />}
      actions={
        <>
          {site.url ? (
            <ButtonLink look="primary" href={site.url} rel="noreferrer">
              {words.open}
            </ButtonLink>
          ) : null}
          <Button look="quiet" onClick={takeDown}>
            {words.takeDown}
          </Button>
        </>
      }
    >
      <span class="row">
        <span>{site.url ?? words.noHost}</span>
        <Time at={deployment.created_at} />
        <span>{words.folder(deployment.root_directory)}</span>
      </span>
    </StateBar>
  )
}

function Domains({ place }: { place: Place }) {
  const { data, page } = useApi('GET /projects/:id/pages/domains', {
    id: place.id,
    per_page: 20,
    page: Number(currentUrl.value.searchParams.get('page') ?? 1),
  })
  return (
    <Section title={words.domains}>
      {data?.length === 0 ? (
        <EmptyState title={words.noDomains}>
          <p>{words.noDomainsText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.domains}>
          {data.map((domain) => (
            <DomainRow key={domain.domain} {...{ domain, place }} />
          ))}
        </List>
      ) : null}
      <Pager page={page} />
    </Section>
  )
}

function DomainRow({ domain, place }: { domain: PagesDomain; place: Place }) {
  const { verified } = domain
  return (
    <ListRow
      aside={
        <Status
          status={verified ? 'success' : 'warning'}
          words={verified ? words.verified : words.unverified}
        />
      }
    >
      <a data-main href={domainUrl(placeBasePath(place), domain.domain)}>
        {domain.domain}
      </a>
      <p class="muted">{certificateWords(domain)}</p>
    </ListRow>
  )
}

function DomainForm({ place }: { place: Place }) {
  return (
    <Form
      action={words.addDomain}
      label={words.newDomain}
      onSubmit={async (values) => {
        const { domain } = await call('POST /projects/:id/pages/domains', {
          id: place.id,
          domain: values.text('domain').trim(),
          auto_ssl_enabled: values.has('auto_ssl_enabled'),
        })
        touchSite(place)
        navigate(domainUrl(placeBasePath(place), domain), { replace: true })
        showToast(words.added(domain))
      }}
      more={
        <Button onClick={() => navigate(`${placeBasePath(place)}/-/pages`)}>{ui.cancel}</Button>
      }
    >
      <TextField
        label={words.domain}
        hint={words.domainHint}
        name="domain"
        required
        spellcheck={false}
      />
      <CheckField label={words.automatic} hint={words.automaticHint} name="auto_ssl_enabled" />
    </Form>
  )
}

type Access = 'public' | 'enabled' | 'private' | 'disabled'

function Settings({
  place,
  site,
  access,
}: {
  place: Place
  site: PagesSite | undefined
  access: Access
}) {
  return (
    <Section title={words.settings}>
      <Form
        key={`${access} ${site?.force_https}`}
        action={words.save}
        label={words.settings}
        onSubmit={async (values) => {
          const { id } = place
          const isHttps = values.has('pages_https_only')
          if (site && isHttps !== site.force_https) {
            await call('PATCH /projects/:id/pages', { id, pages_https_only: isHttps })
          }
          const pages_access_level = values.text('pages_access_level') as Access
          if (pages_access_level !== access) {
            await call('PUT /projects/:id', { id, pages_access_level })
          }
          invalidate(`/api/v4/projects/${id}`)
          showToast(words.saved)
        }}
      >
        <SelectField
          label={words.access}
          name="pages_access_level"
          options={words.accessOptions}
          value={access}
        />
        {site ? (
          <CheckField
            label={words.https}
            hint={words.httpsHint}
            name="pages_https_only"
            defaultChecked={site.force_https}
          />
        ) : null}
      </Form>
    </Section>
  )
}
