import { useEffect, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { schedules as words } from '../../../text/ci-settings.ts'
import { language } from '../../../text/language.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { canChangeSchedule } from './can-change-schedule.ts'
import { useCronDescriber } from './use-cron-describer.ts'
import './schedule-form.css'

const typing_ms = 250
const zones = Intl.supportedValuesOf('timeZone')
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the id of the schedule; undefined for a new one. */
const numberOf = ({ place }: PlaceLocation) =>
  /^\d+/.test(place.rest ?? '') ? Number.parseInt(place.rest ?? '', 10) : undefined

export const page: PageModule<PlaceLocation> = {
  calls: (at) => {
    const number = numberOf(at)
    return [
      number !== undefined &&
        apiReadUrl('GET /projects/:id/pipeline_schedules/:pipeline_schedule_id', {
          id: at.place.id,
          pipeline_schedule_id: number,
        }),
    ]
  },
  View: ScheduleForm,
}

function ScheduleForm({ at }: { at: PlaceLocation }) {
  const number = numberOf(at)
  const asked = number === undefined ? undefined : { id: at.place.id, pipeline_schedule_id: number }
  const { data: schedule } = useApi(
    'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id',
    asked,
  )
  const { data: project } = useProject(at.place.id)
  const [ref, setRef] = useState(schedule?.ref)
  const [cron, setCron] = useState(schedule?.cron ?? '0 3 * * *')
  const [zone, setZone] = useState(schedule?.cron_timezone ?? ownZone)
  const chosen = ref ?? project?.default_branch ?? ''
  if (schedule && !canChangeSchedule(schedule)) return <NotFoundPage />
  const list = `${placeBasePath(at.place)}/-/pipeline_schedules`
  const save = async (values: FormValues) => {
    const given = {
      id: at.place.id,
      description: values.text('description'),
      ref: chosen,
      cron,
      cron_timezone: zone,
      active: values.has('active'),
    }
    if (asked)
      await call('PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id', {
        ...given,
        ...asked,
      })
    else await call('POST /projects/:id/pipeline_schedules', given)
    invalidate(`/api/v4/projects/${at.place.id}/pipeline_schedules`)
    navigate(list)
  }
  return (
    <Page title={schedule ? words.editTitle(schedule.description) : words.add}>
      <Form action={words.save} onSubmit={save}>
        <TextField
          label={words.description}
          name="description"
          required
          defaultValue={schedule?.description ?? ''}
        />
        <RefField projectId={at.place.id} value={chosen} label={words.ref} onPick={setRef} />
        <TextField
          label={words.cron}
          hint={words.cronHint}
          value={cron}
          required
          spellcheck={false}
          onInput={(event) => setCron(event.currentTarget.value)}
          problemsOf="cron"
        />
        <Combobox
          label={words.timeZone}
          chosen={{ value: zone, words: zone }}
          find={findZones}
          onChoose={(choice) => setZone(choice.value)}
          problemsOf="cron_timezone"
        />
        <NextTimes projectId={at.place.id} cron={cron} zone={zone} />
        <CheckField label={words.active} name="active" defaultChecked={schedule?.active ?? true} />
      </Form>
      {asked && schedule ? <Variables asked={asked} variables={schedule.variables ?? []} /> : null}
    </Page>
  )
}

const zoneNames = ['UTC', ...zones]
const zones_max = 30

async function findZones(words: string): Promise<{ value: string; words: string }[]> {
  const asked = words.toLowerCase()
  const fits = zoneNames.filter((zone) => zone.toLowerCase().includes(asked))
  return fits.slice(0, zones_max).map((zone) => ({ value: zone, words: zone }))
}

/** Shows the next five times, as computed by the server, while the reader types. */
function NextTimes({ projectId, cron, zone }: { projectId: number; cron: string; zone: string }) {
  const [asked, setAsked] = useState({ cron, zone })
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ cron, zone }), typing_ms)
    return () => clearTimeout(timer)
  }, [cron, zone])
  const { data, refusal } = useApi('GET /projects/:id/pipeline_schedules/preview', {
    id: projectId,
    cron: asked.cron,
    cron_timezone: asked.zone,
  })
  const cronWords = useCronDescriber()
  const here = (utc: string) =>
    new Date(utc).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div role="status">
      <h2>{words.nextRuns}</h2>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      {data ? <p>{cronWords(asked.cron)}</p> : null}
      <table class="schedule-form-times">
        <thead>
          <tr>
            <th>{words.inTimeZone(asked.zone)}</th>
            <th>{words.inLocalTime}</th>
          </tr>
        </thead>
        <tbody>
          {data?.next_run_at.map(({ utc, local }) => (
            <tr key={utc}>
              <td>{local.replace('T', ' ').slice(0, 16)}</td>
              <td>{here(utc)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Asked = { id: number; pipeline_schedule_id: number }
type Variable = { key: string; value: string; variable_type: string }

function Variables({ asked, variables }: { asked: Asked; variables: readonly Variable[] }) {
  const [made, setMade] = useState(0)
  const [edited, setEdited] = useState<Variable>()
  const after = () => invalidate(`/api/v4/projects/${asked.id}/pipeline_schedules`)
  return (
    <Section title={words.variables}>
      <ul class="stack stack-close">
        {variables.map((variable) => {
          const { key, value } = variable
          return (
            <li key={key} class="row">
              <code>{words.assignment(key, value)}</code>
              <Button look="quiet" onClick={() => setEdited(variable)}>
                {words.editVariable}
                <span class="only-spoken"> {key}</span>
              </Button>
              <Button
                look="quiet"
                onClick={() =>
                  void call(
                    'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key',
                    {
                      ...asked,
                      key,
                    },
                  ).then(after)
                }
              >
                {words.removeVariable}
                <span class="only-spoken"> {key}</span>
              </Button>
            </li>
          )
        })}
      </ul>
      <Form
        key={made}
        action={words.addVariable}
        onSubmit={async (values) => {
          await call('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables', {
            ...asked,
            key: values.text('key'),
            ...valuesOf(values),
          })
          after()
          setMade(made + 1)
        }}
      >
        <TextField label={words.key} name="key" required />
        <ValueFields />
      </Form>
      {edited ? (
        <Dialog title={words.editVariableTitle(edited.key)} onClose={() => setEdited(undefined)}>
          <Form
            action={words.saveVariable}
            onSubmit={async (values) => {
              await call(
                'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key',
                { ...asked, key: edited.key, ...valuesOf(values) },
              )
              after()
              setEdited(undefined)
            }}
          >
            <ValueFields variable={edited} />
          </Form>
        </Dialog>
      ) : null}
    </Section>
  )
}

const valuesOf = (values: FormValues) => ({
  value: values.text('value'),
  variable_type: values.text('variable_type') as 'file',
})

function ValueFields({ variable }: { variable?: Variable }) {
  return (
    <>
      <TextField label={words.value} name="value" defaultValue={variable?.value ?? ''} />
      <SelectField
        label={words.type}
        name="variable_type"
        options={words.types}
        value={variable?.variable_type ?? 'env_var'}
      />
    </>
  )
}
