// Registers, changes and deletes applications: those of the instance by administrators, others by their owners.
import { Type } from 'typebox'
import { optionalBoolean } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { digestToken, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type AuditAction,
  type AuditSource,
  recordAuditEvent,
} from '../../basics/audit-events/audit-event.ts'
import {
  countOauthApplications,
  deleteOauthApplication,
  findOauthApplicationOfOwner,
  insertOauthApplication,
  type OauthApplicationOfOwner,
  type OauthApplicationOwner,
  replaceOauthApplicationSecret,
  updateOauthApplication,
} from './application.store.ts'
import type { OauthApplication } from './application.ts'
import { parseScopes } from './oauth-scopes.ts'
import { redirectUriProblems, splitRedirectUris } from './redirect-uri.ts'

const secret_characters = 64

/** The parameters of registering an application. */
export const applicationInput = {
  name: Type.String(),
  redirect_uri: Type.String({ description: 'One a line.' }),
  // Scopes as a list, or as one text with spaces between them.
  scopes: Type.Array(Type.String(), { notBlank: true }),
  confidential: optionalBoolean,
}

export type OauthApplicationFields = {
  name: string
  redirect_uri: string
  scopes: readonly string[]
  confidential?: boolean | undefined
}

/** An application with its secret in plain text, which is not stored. */
export type WithSecret = { application: OauthApplication; secret: string }

/** Returns the validated columns of an application. Throws 400 with the problems of each field. */
function checkFields(given: OauthApplicationFields, owner: OauthApplicationOwner) {
  const problems: FieldErrors = {}
  if (given.name.trim() === '') problems.name = ["can't be blank"]
  if (given.name.length > limits.name_characters) {
    problems.name = [`is too long (maximum is ${limits.name_characters} characters)`]
  }
  const uris = redirectUriProblems(given.redirect_uri)
  if (uris.length > 0) problems.redirect_uri = uris
  const scopes = parseScopes(given.scopes.join(' '))
  // Only administrators may register applications with the scope `sudo`.
  const isKnown = scopes && (owner.owner_id === null || !scopes.includes('sudo'))
  if (!isKnown) problems.scopes = ["doesn't match configured on the server."]
  if (!scopes || Object.keys(problems).length > 0) throw invalid(problems)
  return {
    name: given.name,
    redirect_uri: splitRedirectUris(given.redirect_uri).join('\n'),
    scopes,
    confidential: given.confidential ?? true,
  }
}

/** Registers an application. Throws 400 for invalid fields, and if the owner has reached the limit of applications. */
export async function createOauthApplication(
  context: AuditSource,
  given: OauthApplicationFields,
  {
    owner_id,
    trusted,
    applications_max,
  }: OauthApplicationOwner & { trusted: boolean; applications_max: number },
): Promise<WithSecret> {
  const { db, clock } = context
  const fields = checkFields(given, { owner_id })
  if ((await countOauthApplications(db, { owner_id })) >= applications_max) {
    throw invalid({ base: ['Too many applications'] })
  }
  const secret = randomHex(secret_characters)
  const application = await insertOauthApplication(db, {
    ...fields,
    uid: randomHex(64),
    secret_digest: digestToken(secret),
    trusted,
    owner_id,
    created_at: timestamp(clock),
  })
  await recordApplicationEvent(context, 'application_created', application)
  return { application, secret }
}

/**
 * Changes the fields that are given. Tokens that the application holds keep their scopes. Throws 400 with what is wrong, and 404 if the owner has no
 * such application.
 */
export async function changeOauthApplication(
  context: AuditSource,
  owned: OauthApplicationOfOwner,
  given: Partial<OauthApplicationFields>,
): Promise<OauthApplication> {
  const { db } = context
  const before = await findOauthApplicationOfOwner(db, owned)
  if (!before) throw notFound('Application')
  const application = await updateOauthApplication(
    db,
    owned.id,
    checkFields({ ...before, ...given }, owned),
  )
  await recordApplicationEvent(context, 'application_updated', application)
  return application
}

/** Replaces the secret, which stops working at once. Throws 404 if the owner has no such application. */
export async function renewOauthApplicationSecret(
  context: AuditSource,
  owned: OauthApplicationOfOwner,
): Promise<WithSecret> {
  const secret = randomHex(secret_characters)
  const application = await replaceOauthApplicationSecret(context.db, owned, digestToken(secret))
  if (!application) throw notFound('Application')
  await recordApplicationEvent(context, 'application_secret_renewed', application)
  return { application, secret }
}

/** Removes an application with all tokens it was given. Throws 404 if the owner has no such application. */
export async function removeOauthApplication(
  context: AuditSource,
  owned: OauthApplicationOfOwner,
): Promise<void> {
  const application = await deleteOauthApplication(context.db, owned)
  if (!application) throw notFound('Application')
  await recordApplicationEvent(context, 'application_removed', application)
}

type ApplicationAction = Extract<
  AuditAction,
  | 'application_created'
  | 'application_updated'
  | 'application_removed'
  | 'application_secret_renewed'
>

async function recordApplicationEvent(
  source: AuditSource,
  action: ApplicationAction,
  { id, name, owner_id, redirect_uri, scopes, confidential, trusted }: OauthApplication,
): Promise<void> {
  await recordAuditEvent(source, {
    action,
    entity: owner_id === null ? { kind: 'instance', id: 0 } : { kind: 'user', id: owner_id },
    target: { kind: 'application', id, name },
    details: { redirect_uri, scopes, confidential, trusted },
  })
}
