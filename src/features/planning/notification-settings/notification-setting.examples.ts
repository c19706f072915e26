import { type Examples, group, nothing, project, withBody } from '../../../../test/kit/examples.ts'

const body = { level: 'watch' }

export const examples: Examples = {
  'GET /notification_settings': nothing,
  'PUT /notification_settings': withBody(nothing, body),
  'GET /notification_settings/places': nothing,
  'GET /groups/:id/notification_settings': group,
  'PUT /groups/:id/notification_settings': withBody(group, body),
  'GET /projects/:id/notification_settings': project,
  'PUT /projects/:id/notification_settings': withBody(project, body),
}
