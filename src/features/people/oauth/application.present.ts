import { type Static, Type } from 'typebox'
import { namedObject } from '../../../http/schema.ts'
import type { OauthApplicationAllowedByUser } from './application.store.ts'
import type { OauthApplication } from './application.ts'

const fields = {
  id: Type.Integer(),
  application_id: Type.String(),
  application_name: Type.String(),
  callback_url: Type.String(),
  confidential: Type.Boolean(),
}

export const ApplicationJson = namedObject('Application', fields)
/** The record with the secret, returned only once. */
export const NewApplicationJson = namedObject('NewApplication', {
  ...fields,
  secret: Type.String(),
})

export function presentApplication(application: OauthApplication): Static<typeof ApplicationJson> {
  return {
    id: application.id,
    application_id: application.uid,
    application_name: application.name,
    callback_url: application.redirect_uri,
    confidential: application.confidential,
  }
}

const ownFields = {
  ...fields,
  scopes: Type.Array(Type.String()),
  created_at: Type.String(),
}
export const OwnApplicationJson = namedObject('OwnApplication', ownFields)
/** The record with the secret, returned only once. */
export const NewOwnApplicationJson = namedObject('NewOwnApplication', {
  ...ownFields,
  secret: Type.String(),
})

/** Presents an application to its owner. */
export function presentOwnApplication(
  application: OauthApplication,
): Static<typeof OwnApplicationJson> {
  const { scopes, created_at } = application
  return { ...presentApplication(application), scopes, created_at }
}

export const AllowedApplicationJson = namedObject('AllowedApplication', {
  id: Type.Integer(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  /** When a user last authorized the application. */
  last_authorized_at: Type.String(),
})

export function presentAllowedApplication({
  created_at,
  ...application
}: OauthApplicationAllowedByUser): Static<typeof AllowedApplicationJson> {
  return { ...application, last_authorized_at: created_at }
}
