// What stands beside an issue or merge request: people, labels, milestone and the like, each changed where it stands.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { BasicUser, TimeStats } from '../../api/operations.ts'
import { issuables as words } from '../../text/issues.ts'
import { picker } from '../../text/picker.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Button } from '../../ui/button/button.tsx'
import { choiceOfPerson } from '../../ui/combobox/finders.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Label } from '../../ui/label/label.tsx'
import { type PickedChoice, Picker } from '../../ui/picker/picker.tsx'
import './details.css'

export function DetailRow({
  title,
  edit,
  children,
}: {
  title: string
  edit?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="details-one" aria-label={title}>
      <div class="details-head">
        <h3>{title}</h3>
        {edit}
      </div>
      {children}
    </section>
  )
}

type Find = (search: string) => Promise<readonly PickedChoice[]>

export function PeopleDetailRow({
  title,
  people,
  find,
  isMulti,
  onChange,
  beside,
  children,
}: {
  title: string
  people: readonly BasicUser[]
  find: Find
  isMulti: boolean
  /** What is told of each of them. */
  beside?: (person: BasicUser) => ComponentChildren
  /** Ids; undefined for those who may not change them. */
  onChange: ((ids: number[]) => unknown) | undefined
  children?: ComponentChildren
}) {
  return (
    <DetailRow
      title={title}
      edit={
        onChange ? (
          <Picker
            label={title}
            openerLabel={picker.edit(title)}
            look="quiet"
            isMulti={isMulti}
            chosen={people.map(choiceOfPerson)}
            find={find}
            onChoose={(chosen) => onChange(chosen.map(({ value }) => Number(value)))}
          >
            {words.editWord}
          </Picker>
        ) : null
      }
    >
      {people.length === 0 ? <span class="muted">{words.noAssignee}</span> : null}
      {people.map((person) => (
        <div key={person.id} class="row">
          <a class="row" href={`/${person.username}`}>
            <Avatar name={person.name} url={person.avatar_url} size={20} />
            {person.name}
          </a>
          {beside?.(person)}
        </div>
      ))}
      {children}
    </DetailRow>
  )
}

export function LabelsDetailRow({
  labels,
  find,
  hrefOf,
  manageHref,
  onChange,
}: {
  /** With their colours, or their names alone. */
  labels: readonly (string | { name: string; color: string })[]
  find: Find
  hrefOf: (name: string) => string
  manageHref: string | undefined
  onChange: ((change: { added: string[]; removed: string[] }) => unknown) | undefined
}) {
  const chosen = labels.map(
    (label): PickedChoice =>
      typeof label === 'string'
        ? { value: label, words: label }
        : { value: label.name, words: label.name, color: label.color },
  )
  const names = chosen.map(({ value }) => value)
  return (
    <DetailRow
      title={words.labels}
      edit={
        onChange ? (
          <Picker
            isMulti
            label={words.labels}
            openerLabel={picker.edit(words.labels)}
            look="quiet"
            chosen={chosen}
            find={find}
            onChoose={(picked) => {
              const now = picked.map(({ value }) => value)
              return onChange({
                added: now.filter((name) => !names.includes(name)),
                removed: names.filter((name) => !now.includes(name)),
              })
            }}
            footer={manageHref ? <a href={manageHref}>{words.manageLabels}</a> : null}
          >
            {words.editWord}
          </Picker>
        ) : null
      }
    >
      {names.length === 0 ? <span class="muted">{words.noLabels}</span> : null}
      <div class="row">
        {chosen.map(({ value, color }) => (
          <Label key={value} name={value} {...(color ? { color } : {})} href={hrefOf(value)} />
        ))}
      </div>
    </DetailRow>
  )
}

export function MilestoneDetailRow({
  milestone,
  find,
  href,
  onChange,
}: {
  milestone: { id: number; title: string } | null
  find: Find
  href: string | undefined
  onChange: ((id: number) => unknown) | undefined
}) {
  return (
    <DetailRow
      title={words.milestone}
      edit={
        onChange ? (
          <Picker
            label={words.milestone}
            openerLabel={picker.edit(words.milestone)}
            look="quiet"
            chosen={milestone ? [{ value: String(milestone.id), words: milestone.title }] : []}
            find={find}
            onChoose={([choice]) => onChange(Number(choice?.value ?? 0))}
          >
            {words.editWord}
          </Picker>
        ) : null
      }
    >
      {milestone ? (
        <a href={href}>
          <bdi>{milestone.title}</bdi>
        </a>
      ) : (
        <span class="muted">{words.noMilestone}</span>
      )}
    </DetailRow>
  )
}

type Tracked = { kind: 'estimate' | 'spent'; duration: string; summary: string }

export function TimeTrackingDetailRow({
  stats,
  onTrack,
}: {
  stats: TimeStats
  /** Undefined for those who may not; throws `Refusal`. */
  onTrack: ((tracked: Tracked) => Promise<unknown>) | undefined
}) {
  const [asked, setAsked] = useState<Tracked['kind']>()
  const { human_time_estimate: estimate, human_total_time_spent: spent } = stats
  const told = estimate
    ? words.spentOf(spent ?? '0h', estimate)
    : spent
      ? words.timeSpentIs(spent)
      : words.notTracked
  return (
    <DetailRow title={words.timeTracking}>
      <span class={estimate || spent ? '' : 'muted'}>{told}</span>
      {onTrack ? (
        <div class="row">
          <Button look="quiet" onClick={() => setAsked('spent')}>
            {words.addTime}
          </Button>
          <Button look="quiet" onClick={() => setAsked('estimate')}>
            {words.setEstimate}
          </Button>
        </div>
      ) : null}
      {asked && onTrack ? (
        <Dialog
          title={asked === 'spent' ? words.addTime : words.setEstimate}
          onClose={() => setAsked(undefined)}
        >
          <Form
            action={words.save}
            onSubmit={async (values) => {
              const [duration, summary] = [values.text('duration'), values.text('summary')]
              await onTrack({ kind: asked, duration, summary })
              setAsked(undefined)
            }}
          >
            <TextField label={words.durationOf} name="duration" hint={words.timeHint} required />
            {asked === 'spent' ? <TextField label={words.summary} name="summary" /> : null}
          </Form>
        </Dialog>
      ) : null}
    </DetailRow>
  )
}

export function ParticipantsDetailRow({
  people,
  total,
}: {
  people: readonly BasicUser[] | undefined
  total: number | null | undefined
}) {
  if (!people || people.length === 0) return null
  return (
    <DetailRow title={words.participants(total ?? people.length)}>
      <div class="row">
        {people.map(({ id, name, username, avatar_url }) => (
          <a key={id} href={`/${username}`} title={name} aria-label={name}>
            <Avatar name={name} url={avatar_url} />
          </a>
        ))}
      </div>
    </DetailRow>
  )
}

export function NotificationsDetailRow({
  isSubscribed,
  onToggle,
}: {
  isSubscribed: boolean
  onToggle: (isOn: boolean) => Promise<unknown>
}) {
  return (
    <DetailRow title={words.notifications}>
      <span class="muted">{isSubscribed ? words.subscribed : words.notSubscribed}</span>
      <div class="row">
        <Button look="quiet" onClick={() => void onToggle(!isSubscribed)}>
          {isSubscribed ? words.unsubscribe : words.subscribe}
        </Button>
      </div>
    </DetailRow>
  )
}
