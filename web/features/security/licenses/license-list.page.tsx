// The licences of what a project builds from, beside what the project says of them.
import { useAbilities } from '../../../api/abilities.ts'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { ManagedLicense, PipelineLicense } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { SecurityPage } from '../../../surfaces/security/security-page.tsx'
import { security, licenses as words } from '../../../text/security.ts'
import { ui } from '../../../text/ui.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, currentUrlWithQuery, navigate, replaceUrl } from '../../../ui/navigation.ts'
import { OuterLink } from '../../../ui/outer-link.tsx'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

type Decision = 'allowed' | 'denied'

const per_page = 20
const policyInput = ({ id }: Place, { searchParams }: URL) => ({
  id,
  per_page,
  page: Number(searchParams.get('policy_page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [
    apiReadUrl('GET /projects/:id/managed_licenses', policyInput(place, url)),
  ],
  View: LicenseList,
}

function LicenseList({ at: { place } }: { at: PlaceLocation }) {
  const can = useAbilities(place)
  const mayWrite = can('write_licenses')
  const base = `${placeBasePath(place)}/-/licenses`
  const isNew = place.rest === 'new'
  if (isNew && !mayWrite) return <NotFoundPage />
  return (
    <SecurityPage
      place={place}
      title={security.licenses}
      lead={words.lead}
      actions={
        mayWrite && !isNew ? <ButtonLink href={`${base}/new`}>{words.add}</ButtonLink> : null
      }
    >
      {isNew ? <PolicyForm place={place} onDone={() => navigate(base, { replace: true })} /> : null}
      {can('read_pipelines') ? <Found place={place} mayWrite={mayWrite} /> : null}
      <Policies place={place} mayWrite={mayWrite} />
    </SecurityPage>
  )
}

/** The classification of what pipelines found depends on policies. */
function touchPolicies({ id }: Place): void {
  invalidate(`/api/v4/projects/${id}/managed_licenses`, `/api/v4/projects/${id}/pipelines/`)
}

async function add(place: Place, name: string, approval_status: Decision): Promise<void> {
  await call('POST /projects/:id/managed_licenses', { id: place.id, name, approval_status })
  touchPolicies(place)
  showToast(words.saved(name))
}

async function change(place: Place, policy: { id: number; name: string }, to: Decision) {
  const managed_license_id = String(policy.id)
  await call('PATCH /projects/:id/managed_licenses/:managed_license_id', {
    id: place.id,
    managed_license_id,
    approval_status: to,
  })
  touchPolicies(place)
  showToast(words.saved(policy.name))
}

function PolicyForm({ place, onDone }: { place: Place; onDone: () => void }) {
  return (
    <Form
      action={words.add}
      label={words.new}
      onSubmit={async (values) => {
        await add(place, values.text('name').trim(), values.text('approval_status') as Decision)
        onDone()
      }}
      more={<Button onClick={onDone}>{ui.cancel}</Button>}
    >
      <TextField label={words.name} hint={words.nameHint} name="name" required maxLength={255} />
      <SelectField
        label={words.policy}
        name="approval_status"
        options={[
          ['allowed', words.allow],
          ['denied', words.deny],
        ]}
        value="allowed"
      />
    </Form>
  )
}

type PartProps = { place: Place; mayWrite: boolean }
const statuses = ['allowed', 'denied', 'unclassified'] as const

/** Of the newest successful pipeline of the default branch. */
function Found({ place, mayWrite }: PartProps) {
  const url = currentUrl.value
  const { data: project } = useProject(place.id)
  const ref = project?.default_branch
  const { data: pipelines } = useApi(
    'GET /projects/:id/pipelines',
    ref ? { id: place.id, ref, status: 'success', per_page: 1 } : undefined,
  )
  const pipeline_id = pipelines?.[0]?.id
  const asked = statuses.find((status) => status === url.searchParams.get('status'))
  const { data, page: pages } = useApi(
    'GET /projects/:id/pipelines/:pipeline_id/licenses',
    pipeline_id === undefined
      ? undefined
      : {
          id: place.id,
          pipeline_id,
          per_page,
          page: Number(url.searchParams.get('page') ?? 1),
          ...(asked ? { approval_status: asked } : {}),
        },
  )
  const hasNone = project && (!ref || pipelines?.length === 0)
  return (
    <Section
      title={words.found}
      lead={
        pipeline_id === undefined ? undefined : (
          <>
            {words.foundIn}{' '}
            <a href={`${placeBasePath(place)}/-/pipelines/${pipeline_id}`}>{`#${pipeline_id}`}</a>
          </>
        )
      }
      actions={
        pipeline_id === undefined ? null : (
          <SelectField
            isLabelHidden
            label={words.status}
            options={words.statuses}
            value={asked ?? ''}
            onChange={(event) =>
              replaceUrl(currentUrlWithQuery({ status: event.currentTarget.value, page: '' }))
            }
          />
        )
      }
    >
      {hasNone ? <EmptyState title={words.noPipeline} /> : null}
      {data?.length === 0 ? (
        <EmptyState title={asked ? words.noMatches : words.noneFound}>
          {asked ? null : <p>{words.noneFoundText}</p>}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.found}>
          {data.map((license) => (
            <FoundRow key={license.name} {...{ license, place, mayWrite }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Section>
  )
}

const tones = { allowed: 'passed', denied: 'failed', unclassified: 'plain' } as const

function FoundRow({ license, place, mayWrite }: PartProps & { license: PipelineLicense }) {
  const { name, spdx_identifier, url, dependencies, dependencies_count, classification } = license
  const { approval_status } = classification
  const called = spdx_identifier ?? name
  const more = dependencies_count - dependencies.length
  return (
    <ListRow
      aside={
        <>
          <Chip tone={tones[approval_status]}>{words.words[approval_status]}</Chip>
          {mayWrite && approval_status === 'unclassified' ? (
            <>
              <Button onClick={() => void add(place, called, 'allowed')}>
                {words.allow}
                <span class="only-spoken"> {called}</span>
              </Button>
              <Button onClick={() => void add(place, called, 'denied')}>
                {words.deny}
                <span class="only-spoken"> {called}</span>
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <OuterLink href={url}>{name}</OuterLink>
      <p class="muted">
        {words.usedBy(dependencies_count)}
        {dependencies.length > 0 ? ` · ${dependencies.join(', ')}` : ''}
        {more > 0 ? ` ${words.more(more)}` : ''}
      </p>
    </ListRow>
  )
}

function Policies({ place, mayWrite }: PartProps) {
  const { data, page: pages } = useApi(
    'GET /projects/:id/managed_licenses',
    policyInput(place, currentUrl.value),
  )
  return (
    <Section title={words.policies}>
      {data?.length === 0 ? (
        <EmptyState title={words.noPolicies}>
          <p>{words.noPoliciesText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.policies}>
          {data.map((policy) => (
            <PolicyRow key={policy.id} {...{ policy, place, mayWrite }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} name="policy_page" />
    </Section>
  )
}

function PolicyRow({ policy, place, mayWrite }: PartProps & { policy: ManagedLicense }) {
  const { id, name, approval_status } = policy
  const other = approval_status === 'allowed' ? 'denied' : 'allowed'
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /projects/:id/managed_licenses/:managed_license_id', {
          id: place.id,
          managed_license_id: String(id),
        })
        touchPolicies(place)
        showToast(words.removed(name))
      },
    })
  return (
    <ListRow
      aside={
        <>
          <Chip tone={tones[approval_status]}>{words.words[approval_status]}</Chip>
          {mayWrite ? (
            <Menu
              look="quiet"
              label={words.menu(name)}
              items={[
                {
                  words: other === 'allowed' ? words.allow : words.deny,
                  run: () => void change(place, policy, other),
                },
                { words: words.remove, run: remove, isDanger: true },
              ]}
            >
              <span aria-hidden="true">{ui.signs.more}</span>
            </Menu>
          ) : null}
        </>
      }
    >
      <strong>{name}</strong>
    </ListRow>
  )
}
