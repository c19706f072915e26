import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { dateTime, nullable, oneOf, pageInput } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findUser, findUserByIdOrName, type User } from '../../../subjects/user.ts'
import { userEndpointVariants } from '../../../subjects/user-endpoint-variants.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { showOwnUser } from '../users/show-user.ts'
import { createSshKey, type NewSshKey } from './create-ssh-key.ts'
import { FoundSshKeyJson, OwnSshKeyJson, presentOwnSshKey } from './ssh-key.present.ts'
import {
  deleteSshKey,
  findSshKey,
  findSshKeyByFingerprint,
  findSshKeyOfUser,
  listProjectsOfDeployKey,
  listSshKeysOfUser,
} from './ssh-key.store.ts'
import { presentSshKey, type SshKey, SshKeyJson, sshKeyUsageTypes } from './ssh-key.ts'
import { sshKeyChangedEffect } from './ssh-key-changed.ts'

const endpoint = endpointFactory({ tag: 'SSH keys' })

const newKeyInput = {
  title: Type.String(),
  key: Type.String({ description: 'One line, as in an authorized_keys file.' }),
  expires_at: Type.Optional(nullable(dateTime())),
  usage_type: Type.Optional(oneOf(sshKeyUsageTypes, { default: 'auth_and_signing' })),
}
const keyIdInput = { key_id: Type.Integer() }
const userInput = { id: Type.String({ description: 'ID or name of the user.' }) }

async function createKey(
  source: AuditSource,
  user_id: number,
  { title, key, expires_at, usage_type }: Omit<NewSshKey, 'user_id' | 'created_by_id'>,
) {
  const { db, clock } = source
  const given = { title, key, expires_at, usage_type }
  const result = await createSshKey(db, clock, { ...given, user_id, created_by_id: null })
  if ('problems' in result) throw invalid(result.problems)
  await recordKeyEvent(source, 'ssh_key_added', result.added)
  await sshKeyChangedEffect.run({ tx: db, clock, key: result.added, action: 'create' })
  return presentOwnSshKey(result.added)
}

async function removeKey(source: AuditSource, key: SshKey): Promise<void> {
  await deleteSshKey(source.db, key.id)
  await recordKeyEvent(source, 'ssh_key_removed', key)
  const { db: tx, clock } = source
  await sshKeyChangedEffect.run({ tx, clock, key, action: 'destroy' })
}

async function recordKeyEvent(
  source: AuditSource,
  action: 'ssh_key_added' | 'ssh_key_removed',
  { id, title: name, user_id, fingerprint_sha256, expires_at, usage_type }: SshKey,
): Promise<void> {
  await recordAuditEvent(source, {
    action,
    entity: { kind: 'user', id: user_id ?? 0 },
    target: { kind: 'ssh_key', id, name },
    details: { fingerprint_sha256, expires_at, usage_type },
  })
}

async function getUser(db: Db, idOrName: string): Promise<User> {
  const user = await findUserByIdOrName(db, idOrName)
  if (!user) throw notFound('User')
  return user
}

async function getUserKey(db: Db, user_id: number, id: number): Promise<SshKey> {
  const key = await findSshKeyOfUser(db, { user_id, id })
  if (!key) throw notFound('Key')
  return key
}

async function showFoundKey(
  viewer: Pick<Context<unknown, unknown>, 'db' | 'baseUrl' | 'config'>,
  key: SshKey | undefined,
) {
  const { db } = viewer
  if (!key) throw notFound('Key')
  const ownerId = key.user_id ?? key.created_by_id
  const user = ownerId === null ? undefined : await showOwnUser(viewer, ownerId)
  const shown = { ...presentOwnSshKey(key), user: user ?? null }
  if (key.user_id !== null) return shown
  const links = await listProjectsOfDeployKey(db, key.id, limits.per_page_max)
  const deploy_keys_projects = links.map(({ ssh_key_id, ...link }) => ({
    ...link,
    deploy_key_id: ssh_key_id,
  }))
  return { ...shown, deploy_keys_projects }
}

/** Parses a fingerprint as `ssh-keygen -l` prints it: MD5 in hex with colons, or `SHA256:` and Base64. */
function readFingerprint(
  given: string,
): { fingerprint: string } | { fingerprint_sha256: string } | undefined {
  const sha256 = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(given)?.[1]
  if (sha256) return { fingerprint_sha256: sha256 }
  const md5 = /^(?:MD5:)?([0-9a-f]{2}(?::[0-9a-f]{2}){15})$/i.exec(given)?.[1]
  return md5 === undefined ? undefined : { fingerprint: md5.toLowerCase() }
}

const writes = userEndpointVariants.flatMap((side) => {
  const { whose, writers } = side
  // Unlike the endpoints that read keys, these accept only ids and no usernames.
  const prefix = side.isOwn ? '/user' : '/users/:id'
  return [
    endpoint({
      route: `POST ${prefix}/keys`,
      summary: `Add an SSH key of ${whose}`,
      scope: 'read_user',
      allow: writers,
      // The key of a bot would outlive the access token that the bot stands for.
      authorize: async (context) =>
        (await findUser(context.db, await side.userId(context)))?.user_type === 'human',
      input: Type.Object({ ...side.input, ...newKeyInput }),
      status: 201,
      answer: OwnSshKeyJson,
      run: async (context) => createKey(context, await side.userId(context), context.input),
    }),

    endpoint({
      route: `DELETE ${prefix}/keys/:key_id(^\\d+$)`,
      summary: `Delete an SSH key of ${whose}`,
      scope: 'read_user',
      allow: writers,
      input: Type.Object({ ...side.input, ...keyIdInput }),
      status: 204,
      async run(context) {
        const { db, input, request } = context
        const key = await getUserKey(db, await side.userId(context), input.key_id)
        checkIfUnmodifiedSince(request, key.created_at)
        await removeKey(context, key)
      },
    }),
  ]
})

export const sshKeyEndpoints = [
  ...writes,

  endpoint({
    route: 'GET /user/keys',
    summary: 'List your SSH keys',
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(OwnSshKeyJson),
    async run(context) {
      const { range } = context
      const { rows, total } = await listSshKeysOfUser(context.db, context.user.id, range)
      return new Page({ items: rows.map(presentOwnSshKey), total })
    },
  }),

  endpoint({
    route: 'GET /user/keys/:key_id(^\\d+$)',
    summary: 'Get one of your SSH keys',
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(keyIdInput),
    answer: OwnSshKeyJson,
    async run({ db, user, input }) {
      return presentOwnSshKey(await getUserKey(db, user.id, input.key_id))
    },
  }),

  endpoint({
    route: 'GET /users/:id/keys',
    summary: 'List the SSH keys of a user',
    scope: 'read_user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(Type.Union([OwnSshKeyJson, SshKeyJson])),
    async run(context) {
      const { db, actor, input } = context
      const user = await getUser(db, input.id)
      const { range } = context
      const { rows, total } = await listSshKeysOfUser(db, user.id, range)
      const isOwn = isAdmin(actor) || actor.user?.id === user.id
      return new Page({
        items: rows.map((key) => (isOwn ? presentOwnSshKey(key) : presentSshKey(key))),
        total,
      })
    },
  }),

  endpoint({
    route: 'GET /users/:id/keys/:key_id(^\\d+$)',
    summary: 'Get an SSH key of a user',
    scope: 'read_user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ ...userInput, ...keyIdInput }),
    answer: Type.Union([OwnSshKeyJson, SshKeyJson]),
    async run({ db, actor, input }) {
      const user = await getUser(db, input.id)
      const key = await getUserKey(db, user.id, input.key_id)
      const isOwn = isAdmin(actor) || actor.user?.id === user.id
      return isOwn ? presentOwnSshKey(key) : presentSshKey(key)
    },
  }),

  endpoint({
    route: 'GET /keys/:id(^\\d+$)',
    summary: 'Get any SSH key, with its user',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    answer: FoundSshKeyJson,
    async run(context) {
      const { db, input } = context
      return showFoundKey(context, await findSshKey(db, input.id))
    },
  }),

  endpoint({
    route: 'GET /keys',
    summary: 'Find an SSH key and its user by the fingerprint',
    allow: administrators,
    input: Type.Object({
      fingerprint: Type.String({ description: 'MD5 in hex with colons, or `SHA256:...`.' }),
    }),
    answer: FoundSshKeyJson,
    async run(context) {
      const { db, input } = context
      const by = readFingerprint(input.fingerprint)
      if (!by) throw invalid('Failed to return the key')
      return showFoundKey(context, await findSshKeyByFingerprint(db, by))
    },
  }),
]
