// The integrations of a project on one page. Those with a page of their own are summarized; the others are
// complete.
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import { useApi } from '../../../api/use-api.ts'
import { integrations as words } from '../../../text/integrations.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { RemoteMirrors } from './mirrors.parts.tsx'
import { StatusChecks } from './status-checks.parts.tsx'

/** The number of entries in a summary. The page of the integration lists all. */
const shown_max = 5

export const page: PageModule<PlaceLocation> = { View: IntegrationList }

function IntegrationList({ at: { place } }: { at: PlaceLocation }) {
  const can = useAbilities(place)
  return (
    <ProjectSettings place={place} title={words.title} lead={words.lead}>
      {can('manage_webhooks') ? <Webhooks place={place} /> : null}
      {can('read_alert_integrations') ? (
        <Alerts place={place} mayTest={can('write_alert_integrations')} />
      ) : null}
      {can('manage_mirrors') ? <RemoteMirrors id={place.id} /> : null}
      {can('manage_status_checks') ? <StatusChecks id={place.id} /> : null}
    </ProjectSettings>
  )
}

const webhookSigns: Readonly<Record<string, string>> = {
  executable: 'active',
  temporarily_disabled: 'paused',
  disabled: 'failed',
}

function Webhooks({ place }: { place: Place }) {
  const { data } = useApi('GET /projects/:id/hooks', { id: place.id, per_page: shown_max })
  const list = `${placeBasePath(place)}/-/settings/hooks`
  return (
    <Section
      id="webhooks"
      title={words.webhooks}
      lead={words.webhooksLead}
      actions={
        data && data.length > 0 ? (
          <ButtonLink href={list}>{words.allWebhooks}</ButtonLink>
        ) : (
          <ButtonLink href={`${list}/new`}>{words.addWebhook}</ButtonLink>
        )
      }
    >
      {data?.length === 0 ? <p>{words.noWebhooks}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.webhooks}>
          {data.map(({ id, name, url, alert_status }) => (
            <ListRow
              key={id}
              aside={
                <Status
                  status={webhookSigns[alert_status] ?? alert_status}
                  words={words.webhookStates[alert_status] ?? alert_status}
                />
              }
            >
              <a data-main href={`${list}/${id}`}>
                {name ?? url}
              </a>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}

function Alerts({ place, mayTest }: { place: Place; mayTest: boolean }) {
  const { id } = place
  const route = 'GET /projects/:id/alert_management/integrations'
  const { data } = useApi(route, { id, per_page: shown_max })
  const test = async (integration_id: number) => {
    const base = '/projects/:id/alert_management/integrations/:integration_id' as const
    const [alert] = await call(`POST ${base}/test`, { id, integration_id })
    if (alert) navigate(`${placeBasePath(place)}/-/alert_management/${alert.iid}/details`)
    showToast(words.tested)
  }
  return (
    <Section
      id="alerts"
      title={words.alerts}
      lead={words.alertsLead}
      actions={
        <ButtonLink href={`${placeBasePath(place)}/-/settings/monitor`}>
          {words.allAlerts}
        </ButtonLink>
      }
    >
      {data?.length === 0 ? <p>{words.noAlerts}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.alerts}>
          {data.map((integration) => {
            const type = words.alertTypes[integration.type] ?? integration.type
            const name = integration.name ?? type
            return (
              <ListRow
                key={integration.id}
                aside={
                  <>
                    <Status
                      status={integration.active ? 'active' : 'paused'}
                      words={integration.active ? words.active : words.inactive}
                    />
                    {mayTest ? (
                      <Button onClick={() => void test(integration.id)}>
                        {words.test}
                        <span class="only-spoken"> {name}</span>
                      </Button>
                    ) : null}
                  </>
                }
              >
                <strong>{name}</strong> <span class="muted">{integration.name ? type : ''}</span>
              </ListRow>
            )
          })}
        </List>
      ) : null}
    </Section>
  )
}
