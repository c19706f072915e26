// Integrations of projects, and what monitoring tools send by them.
import type { Answer } from './app.ts'
import type { Who, World } from './world.ts'

export type Integration = { id: number; url: string; token: string; project_id: number }

/** A new integration of a project. */
export async function newIntegration(
  world: World,
  { project_id, ...body }: { project_id: number } & Record<string, unknown>,
): Promise<Integration> {
  const url = `/projects/${project_id}/alert_management/integrations`
  const made = await world.as('admin').post(url, body)
  return { ...made.json(), project_id }
}

/** Sends a payload as a monitoring tool does; an object goes as JSON. */
export function notify(
  { app }: Pick<World, 'app'>,
  { url, token }: { url: string; token?: string },
  payload: object | string | Buffer = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof payload === 'string' || Buffer.isBuffer(payload)
  return app.server.inject({
    method: 'POST',
    url: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: {
      host: 'bloomery.test',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: isRaw ? payload : JSON.stringify(payload),
  })
}

/** The record of a project's alert. */
export async function alertOf(
  world: World,
  { project_id, iid, who = 'developer' }: { project_id: number; iid: number; who?: Who },
) {
  return (await world.as(who).get(`/projects/${project_id}/alert_management_alerts/${iid}`)).json()
}

/** What Alertmanager sends of alerts. */
export function alertmanagerBody(alerts: readonly object[], more: object = {}) {
  return {
    version: '4',
    groupKey: '{}:{alertname="x"}',
    status: 'firing',
    receiver: 'bloomery',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager.test',
    alerts,
    ...more,
  }
}
