// Notification settings of users (docs/api/notification-settings.md).
import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import type { Tier } from '../../../config.ts'
import { type Context, type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { isAddressOfUser } from '../../people/emails/email.ts'
import { isEventChosen } from './chosen-events.ts'
import {
  findNotificationSetting,
  listPlacesWithNotificationSetting,
  type NotificationSetting,
  type NotificationSettingPlace,
  upsertNotificationSetting,
} from './notification-setting.store.ts'

const tag = 'Notification settings'

const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const
const eventNames = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
] as const
const epicEvent = 'new_epic'

/** The events of the tier; only the highest one has epics. */
const eventsOf = (tier: Tier): readonly string[] =>
  tier === 'ultimate' ? [...eventNames, epicEvent] : eventNames

const eventsInput = Object.fromEntries(
  [...eventNames, epicEvent].map((name) => [name, optionalBoolean]),
) as Record<(typeof eventNames)[number] | typeof epicEvent, typeof optionalBoolean>
const settingInput = { level: Type.Optional(oneOf(levels)), ...eventsInput }
type SettingInput = Static<ReturnType<typeof inputObject>>
const inputObject = () => Type.Object({ ...settingInput, notification_email: optionalText })

const SettingJson = namedObject('NotificationSetting', {
  level: oneOf(levels),
  events: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
})
const GlobalSettingJson = namedObject('GlobalNotificationSetting', {
  ...SettingJson.properties,
  notification_email: Type.String(),
})

const PlaceSettingJson = namedObject('PlaceNotificationSetting', {
  ...SettingJson.properties,
  kind: oneOf(['project', 'group']),
  id: Type.Integer(),
  full_name: Type.String(),
  full_path: Type.String(),
})

type PlaceRow = Awaited<ReturnType<typeof listPlacesWithNotificationSetting>>['rows'][number]

function presentPlace(row: PlaceRow): Omit<Static<typeof PlaceSettingJson>, 'level' | 'events'> {
  const { project_id, project_name, project_path, home_name, home_path } = row
  return project_id === null
    ? {
        kind: 'group',
        id: row.namespace_id ?? 0,
        full_name: row.full_name ?? '',
        full_path: row.full_path ?? '',
      }
    : {
        kind: 'project',
        id: project_id,
        full_name: `${home_name} / ${project_name}`,
        full_path: `${home_path}/${project_path}`,
      }
}

/** The setting of a user who has not set anything. */
const initial = (place: NotificationSettingPlace): NotificationSetting => ({
  level: isEverywhere(place) ? 'participating' : 'global',
  events: {},
  notification_email: null,
})

const isEverywhere = ({ project_id, namespace_id }: NotificationSettingPlace) =>
  project_id === undefined && namespace_id === undefined

type SettingContext = Context<unknown, unknown>

/** Presents a setting; the events are included at the level `custom` only. */
function present(
  { config }: SettingContext,
  { level, events }: Pick<NotificationSetting, 'level' | 'events'>,
) {
  if (level !== 'custom') return { level }
  const names = eventsOf(config.tier)
  return {
    level,
    events: Object.fromEntries(names.map((name) => [name, isEventChosen(events, name)])),
  }
}

async function show(context: SettingContext, place: NotificationSettingPlace) {
  const { db, user } = context
  const setting = (await findNotificationSetting(db, place)) ?? initial(place)
  const shown = present(context, setting)
  if (!isEverywhere(place)) return shown
  return { ...shown, notification_email: setting.notification_email ?? user.email }
}

async function change(
  context: SettingContext,
  place: NotificationSettingPlace,
  input: SettingInput,
) {
  const { db, clock, config, user } = context
  const { level, notification_email, ...given } = input
  const before = (await findNotificationSetting(db, place)) ?? initial(place)
  if (notification_email && !(await isAddressOfUser(db, user, notification_email))) {
    throw invalid({ notification_email: ['is not an email you own'] })
  }
  const names = eventsOf(config.tier)
  const set = Object.entries(given).filter(
    ([name, value]) => value !== undefined && names.includes(name),
  )
  await upsertNotificationSetting(db, place, {
    level: level ?? before.level,
    events: { ...before.events, ...(Object.fromEntries(set) as Record<string, boolean>) },
    notification_email: notification_email || before.notification_email,
    updated_at: timestamp(clock),
  })
  return show(context, place)
}

export const notificationSettingEndpoints: readonly Endpoint[] = [
  endpoint({
    tag,
    route: 'GET /notification_settings',
    summary: 'Get your default notification settings',
    allow: anyone,
    answer: GlobalSettingJson,
    run: (context) => show(context, { user_id: context.user.id }),
  }),

  endpoint({
    tag,
    route: 'PUT /notification_settings',
    summary: 'Update your default notification settings',
    allow: anyone,
    input: inputObject(),
    answer: GlobalSettingJson,
    run: (context) => change(context, { user_id: context.user.id }, context.input),
  }),

  endpoint({
    tag,
    signIn: 'always',
    route: 'GET /notification_settings/places',
    summary: 'List the projects and groups with a notification level of their own',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(PlaceSettingJson),
    async run(context) {
      const { db, user, range } = context
      const { rows, total } = await listPlacesWithNotificationSetting(db, user, range)
      const items = rows.map((row) => ({ ...present(context, row), ...presentPlace(row) }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    tag,
    on: groupLoader,
    signIn: 'always',
    route: 'GET /groups/:id/notification_settings',
    summary: 'Get your notification settings for a group',
    allow: anyone,
    answer: SettingJson,
    run: (context) => show(context, { user_id: context.user.id, namespace_id: context.subject.id }),
  }),

  endpoint({
    tag,
    on: groupLoader,
    signIn: 'always',
    route: 'PUT /groups/:id/notification_settings',
    summary: 'Update your notification settings for a group',
    allow: anyone,
    input: Type.Object(settingInput),
    answer: SettingJson,
    run: (context) =>
      change(
        context,
        { user_id: context.user.id, namespace_id: context.subject.id },
        context.input,
      ),
  }),

  endpoint({
    tag,
    on: projectLoader,
    signIn: 'always',
    route: 'GET /projects/:id/notification_settings',
    summary: 'Get your notification settings for a project',
    allow: anyone,
    answer: SettingJson,
    run: (context) => show(context, { user_id: context.user.id, project_id: context.subject.id }),
  }),

  endpoint({
    tag,
    on: projectLoader,
    signIn: 'always',
    route: 'PUT /projects/:id/notification_settings',
    summary: 'Update your notification settings for a project',
    allow: anyone,
    input: Type.Object(settingInput),
    answer: SettingJson,
    run: (context) =>
      change(context, { user_id: context.user.id, project_id: context.subject.id }, context.input),
  }),
]
