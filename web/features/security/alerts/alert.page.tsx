// One alert: what was sent, who looks after it, and the incident made of it.
import { useState } from 'preact/hooks'
import { useAbilities } from '../../../api/abilities.ts'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Alert } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { alerts as words } from '../../../text/alerts.ts'
import { Button } from '../../../ui/button/button.tsx'
import { choiceOfPerson, projectUserFinder } from '../../../ui/combobox/finders.ts'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Picker } from '../../../ui/picker/picker.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { MetricImages } from './metric-images.tsx'
import './alert.css'

const route = 'GET /projects/:id/alert_management_alerts/:alert_iid'
const severityWords = new Map(words.severityOptions)

const inputOf = ({ id, rest }: Place) => ({ id, alert_iid: Number.parseInt(rest ?? '', 10) || 0 })

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [apiReadUrl(route, inputOf(place))],
  View: AlertPage,
}

/** Lists and the alert itself tell of a change. */
const touchAlerts = ({ id }: Place) => invalidate(`/api/v4/projects/${id}/alert_management_alerts`)

function AlertPage({ at: { place } }: { at: PlaceLocation }) {
  const { data } = useApi(route, inputOf(place))
  const { data: project } = useProject(place.id)
  if (!data) return null
  const blocked = project?.archived ? words.archived : false
  return (
    <OperatePage place={place} title={data.title}>
      <State alert={data} place={place} blocked={blocked} />
      {data.description ? <p class="alert-text">{data.description}</p> : null}
      <Facts alert={data} place={place} />
      <div class="row alert-parts">
        <Assignees alert={data} place={place} blocked={blocked} />
        <Incident alert={data} place={place} blocked={blocked} />
      </div>
      <MetricImages of={inputOf(place)} mayWrite={!blocked} />
      <Payload payload={data.payload} />
    </OperatePage>
  )
}

type PartProps = { alert: Alert; place: Place; blocked: string | false }
type Move = readonly [label: string, status: Alert['status']]

const acknowledge: Move = [words.acknowledge, 'acknowledged']
const resolve: Move = [words.resolve, 'resolved']
const ignore: Move = [words.ignore, 'ignored']
const trigger: Move = [words.trigger, 'triggered']
const movesFrom: Readonly<Record<Alert['status'], readonly Move[]>> = {
  triggered: [acknowledge, resolve, ignore],
  acknowledged: [resolve, trigger, ignore],
  resolved: [trigger],
  ignored: [trigger, resolve],
}

function State({ alert, place, blocked }: PartProps) {
  const { status } = alert
  const move = async (to: Alert['status']) => {
    await call('PUT /projects/:id/alert_management_alerts/:alert_iid', {
      ...inputOf(place),
      status: to,
    })
    touchAlerts(place)
    showToast(words.changed(words.statuses[to] ?? to))
  }
  const isOpen = status === 'triggered' || status === 'acknowledged'
  return (
    <StateBar
      state={<Status status={status} words={words.statuses[status] ?? status} />}
      actions={movesFrom[status].map(([label, to], at) => (
        <Button
          key={to}
          look={isOpen && at === 0 ? 'primary' : 'plain'}
          blocked={blocked}
          onClick={() => void move(to)}
        >
          {label}
        </Button>
      ))}
    >
      <span class="row">
        <Status
          status={alert.severity}
          words={severityWords.get(alert.severity) ?? alert.severity}
        />
        <span>
          {words.started} <Time at={alert.started_at} />
        </span>
        {alert.ended_at ? (
          <span>
            {words.ended} <Time at={alert.ended_at} />
          </span>
        ) : null}
        <span>{words.events(alert.events)}</span>
      </span>
    </StateBar>
  )
}

function Facts({ alert, place }: { alert: Alert; place: Place }) {
  const { service, monitoring_tool, hosts, environment } = alert
  const facts = (
    [
      [words.service, service],
      [words.tool, monitoring_tool],
      [words.hosts, hosts.join(', ')],
    ] as const
  ).filter(([, value]) => value)
  if (facts.length === 0 && !environment) return null
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {environment ? (
        <div>
          <dt>{words.environment}</dt>
          <dd>
            <a href={`${placeBasePath(place)}/-/environments/${environment.id}`}>
              {environment.name}
            </a>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

function Assignees({ alert, place, blocked }: PartProps) {
  const assign = async (ids: number[]) => {
    await call('PUT /projects/:id/alert_management_alerts/:alert_iid', {
      ...inputOf(place),
      assignee_ids: ids,
    })
    touchAlerts(place)
  }
  return (
    <Section title={words.assignees}>
      <div class="row">
        {alert.assignees.length === 0 ? <span class="muted">{words.noAssignee}</span> : null}
        {alert.assignees.map(({ id, username, name }) => (
          <a key={id} href={`/${username}`}>
            {name}
          </a>
        ))}
        {blocked ? null : (
          <Picker
            isMulti
            label={words.assignees}
            chosen={alert.assignees.map(choiceOfPerson)}
            find={projectUserFinder(place.id)}
            onChoose={(people) => assign(people.map(({ value }) => Number(value)))}
          >
            {words.assign}
          </Picker>
        )}
      </div>
    </Section>
  )
}

function Incident({ alert, place, blocked }: PartProps) {
  const can = useAbilities(place)
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      const { iid } = await call(
        'POST /projects/:id/alert_management_alerts/:alert_iid/issue',
        inputOf(place),
      )
      touchAlerts(place)
      showToast(words.incidentCreated(iid))
    } finally {
      setBusy(false)
    }
  }
  const { issue } = alert
  return (
    <Section title={words.incidentTitle}>
      <div class="row">
        {issue ? (
          <>
            <Status isQuiet status={issue.state} />
            <a href={`${placeBasePath(place)}/-/issues/${issue.iid}`}>
              {words.incident(issue.iid)}
            </a>
          </>
        ) : (
          <span class="muted">{words.noIncident}</span>
        )}
        {!issue && !blocked && can('create_issues') ? (
          <Button isBusy={isBusy} onClick={() => void create()}>
            {words.createIncident}
          </Button>
        ) : null}
      </div>
    </Section>
  )
}

/** A payload may have a megabyte. */
const characters_max = 50_000

function Payload({ payload }: { payload: object }) {
  const text = JSON.stringify(payload, null, 2)
  return (
    <Section
      title={words.payload}
      actions={<CopyButton text={text} label={words.copyPayload} />}
      lead={text.length > characters_max ? words.cut(characters_max) : undefined}
    >
      <div class="alert-payload">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys. */}
        <pre tabIndex={0}>{text.slice(0, characters_max)}</pre>
      </div>
    </Section>
  )
}
