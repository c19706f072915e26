// Public functions of alert integrations: the URLs that alerts are sent to, and their keys.
import { timingSafeEqual } from 'node:crypto'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Tier } from '../../../config.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { AlertIntegrationTable, Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { findProjectIdByFormerPath } from '../../../subjects/project.ts'
import { type AlertSettings, defaultAlertSettings } from '../alerts/alert.ts'
import type { AlertField, AlertParsingOptions } from '../alerts/parse-alert.ts'

/** An integration as stored, with an encrypted key. */
export type AlertIntegration = Selectable<AlertIntegrationTable>

/** The kinds of alert URLs: of a named integration, of the first one without a name, or of Prometheus. */
export type AlertAddressKind = 'named' | 'nameless' | 'prometheus'

/** The integration that receives the alerts of a URL, and its project. */
export type AlertReceiver = {
  project_id: number
  isArchived: boolean
  /** Whether anonymous callers can see the project. */
  isPublic: boolean
  settings: AlertSettings
  /** Undefined if the project has no such integration or it is not active. */
  integration: Pick<AlertIntegration, 'type' | 'token' | 'payload_attribute_mappings'> | undefined
}

/** The condition by which each kind of URL selects an integration of the project. */
const addressed = {
  named: (identifier: string) => sql<SqlBool>`type = 'http' and identifier = ${identifier}`,
  nameless: () => sql<SqlBool>`type = 'http' and name is null`,
  prometheus: () => sql<SqlBool>`type = 'prometheus'`,
}

type Given = { path: string; id: number; identifier: string }

/** Finds a project by path or id, with everything that receiving an alert needs, by one query. */
const intakes = (kind: AlertAddressKind) =>
  defineRowLoader((db, { path, id, identifier }: Given) =>
    db
      .selectFrom('projects')
      .leftJoin('alert_settings', 'alert_settings.project_id', 'projects.id')
      .leftJoin('alert_integrations', (join) =>
        join.on('alert_integrations.id', '=', (eb) =>
          eb
            .selectFrom('alert_integrations as its')
            .select('its.id')
            .whereRef('its.project_id', '=', 'projects.id')
            .where('its.active', '=', true)
            .where(addressed[kind](identifier))
            .orderBy('its.id')
            .limit(1),
        ),
      )
      .select([
        'projects.id as project_id',
        'projects.archived',
        'projects.visibility',
        'alert_settings.create_issue',
        'alert_settings.send_email',
        'alert_settings.auto_close_incident',
        'alert_integrations.type',
        'alert_integrations.token',
        'alert_integrations.payload_attribute_mappings',
      ])
      .where('projects.state', '=', 'ready')
      .where((eb) =>
        eb(
          'projects.id',
          '=',
          eb.fn.coalesce(
            eb
              .selectFrom('routes')
              .select(sql<number>`project_id`.as('project_id'))
              .where(lowerCaseExpression('routes.path'), '=', path),
            sql<number>`cast(${id} as bigint)`,
          ),
        ),
      ),
  )
const intakeOf = {
  named: intakes('named'),
  nameless: intakes('nameless'),
  prometheus: intakes('prometheus'),
}

/** Finds the receiver by the path or a former path of a project; undefined if there is no project. */
export async function findAlertReceiver(
  db: Db,
  { path, kind, identifier = '' }: { path: string; kind: AlertAddressKind; identifier?: string },
): Promise<AlertReceiver | undefined> {
  const given = { path: path.toLowerCase(), identifier }
  const row = await intakeOf[kind](db, { ...given, id: 0 })
  if (row) return presentIntake(row)
  const id = await findProjectIdByFormerPath(db, path)
  const moved = id === undefined ? undefined : await intakeOf[kind](db, { ...given, id })
  return moved && presentIntake(moved)
}

type IntakeRow = NonNullable<Awaited<ReturnType<(typeof intakeOf)['named']>>>

function presentIntake({ project_id, archived, visibility, ...row }: IntakeRow): AlertReceiver {
  const { create_issue, send_email, auto_close_incident } = row
  const { type, token, payload_attribute_mappings } = row
  const isSet = create_issue !== null && send_email !== null && auto_close_incident !== null
  const isThere = type !== null && token !== null && payload_attribute_mappings !== null
  return {
    project_id,
    isArchived: archived,
    isPublic: visibility === 'public',
    settings: isSet ? { create_issue, send_email, auto_close_incident } : defaultAlertSettings,
    integration: isThere ? { type, token, payload_attribute_mappings } : undefined,
  }
}

/** Whether the key is that of the integration. Compares in constant time. */
export function isKeyOfIntegration(
  secretKey: Buffer,
  { token }: Pick<AlertIntegration, 'token'>,
  given: string,
): boolean {
  const digest = (text: string) => Buffer.from(digestToken(text))
  return timingSafeEqual(digest(openSecret(secretKey, token)), digest(given))
}

/** Returns how an integration parses payloads; mappings and grouping by payload are available on paid tiers. */
export function alertParsingOptionsOf(
  { payload_attribute_mappings }: Pick<AlertIntegration, 'payload_attribute_mappings'>,
  { tier, now }: { tier: Tier; now: string },
): AlertParsingOptions {
  const isPaid = tier !== 'free'
  const mapped = isPaid ? payload_attribute_mappings : []
  const mapping: Partial<Record<AlertField, string[]>> = Object.fromEntries(
    mapped.map(({ field_name, path }) => [field_name, path]),
  )
  return { mapping, groupsByPayload: isPaid, now }
}
