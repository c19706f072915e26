import { type Static, Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { accepted } from '../../../http/answer.ts'
import { checkUnmodified } from '../../../http/conditional.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import type { AuditSource } from '../../basics/audit-events/audit-event.ts'
import { addGpgKey, recordGpgKeyEvent } from './add-gpg-key.ts'
import { deleteGpgKey, findGpgKey, type GpgKey, listGpgKeys } from './gpg-key.store.ts'

const endpoint = endpointsWith({ tag: 'GPG keys', scope: 'read_user' })

const GpgKeyJson = Type.Object({
  id: Type.Integer(),
  key: Type.String(),
  created_at: Type.String(),
})
const AcceptedJson = Type.Object({ message: Type.String() })

function presentGpgKey({ id, key, created_at }: GpgKey): Static<typeof GpgKeyJson> {
  return { id, key, created_at }
}

async function getGpgKey(db: Db, user_id: number, id: number): Promise<GpgKey> {
  const key = await findGpgKey(db, { user_id, id })
  if (!key) throw notFound('GPG Key')
  return key
}

async function getUserId(db: Db, id: number): Promise<number> {
  if (!(await findUser(db, id))) throw notFound('User')
  return id
}

async function answerKeys(context: Context<unknown, PageInput>, user_id: number) {
  const { range } = context
  const { rows, total } = await listGpgKeys(context.db, user_id, range)
  return new Page({ items: rows.map(presentGpgKey), total })
}

async function removeKey(source: AuditSource, key: GpgKey): Promise<void> {
  await deleteGpgKey(source.db, key.id)
  await recordGpgKeyEvent(source, 'gpg_key_removed', key)
}

const newKeyInput = { key: Type.String({ description: 'ASCII armor.' }) }
const keyIdInput = { key_id: Type.Integer() }
const userInput = { id: Type.Integer() }

export const gpgKeyEndpoints = [
  endpoint({
    route: 'GET /user/gpg_keys',
    summary: 'List your GPG keys',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(GpgKeyJson),
    async run(context) {
      return answerKeys(context, context.user.id)
    },
  }),

  endpoint({
    route: 'GET /user/gpg_keys/:key_id(^\\d+$)',
    summary: 'Get one of your GPG keys',
    allow: anyone,
    input: Type.Object(keyIdInput),
    answer: GpgKeyJson,
    async run({ db, user, input }) {
      return presentGpgKey(await getGpgKey(db, user.id, input.key_id))
    },
  }),

  endpoint({
    route: 'POST /user/gpg_keys',
    summary: 'Add a GPG key',
    allow: anyone,
    // The key is read before, so that no writer waits for it.
    transaction: 'none',
    input: Type.Object(newKeyInput),
    status: 201,
    answer: GpgKeyJson,
    async run(context) {
      const { user, input } = context
      return presentGpgKey(await addGpgKey(context, { user_id: user.id, key: input.key }))
    },
  }),

  endpoint({
    route: 'DELETE /user/gpg_keys/:key_id(^\\d+$)',
    summary: 'Delete one of your GPG keys',
    allow: anyone,
    input: Type.Object(keyIdInput),
    status: 204,
    async run(context) {
      const { db, user, input, request } = context
      const key = await getGpgKey(db, user.id, input.key_id)
      checkUnmodified(request, key.created_at)
      await removeKey(context, key)
    },
  }),

  endpoint({
    route: 'POST /user/gpg_keys/:key_id(^\\d+$)/revoke',
    summary: 'Revoke one of your GPG keys',
    allow: anyone,
    input: Type.Object(keyIdInput),
    status: 202,
    answer: AcceptedJson,
    async run(context) {
      const { db, user, input } = context
      await removeKey(context, await getGpgKey(db, user.id, input.key_id))
      return accepted()
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/gpg_keys',
    summary: 'List the GPG keys of a user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(GpgKeyJson),
    async run(context) {
      return answerKeys(context, await getUserId(context.db, context.input.id))
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/gpg_keys/:key_id(^\\d+$)',
    summary: 'Get a GPG key of a user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ ...userInput, ...keyIdInput }),
    answer: GpgKeyJson,
    async run({ db, input }) {
      return presentGpgKey(await getGpgKey(db, await getUserId(db, input.id), input.key_id))
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/gpg_keys',
    summary: 'Add a GPG key for a user',
    allow: administrators,
    transaction: 'none',
    input: Type.Object({ ...userInput, ...newKeyInput }),
    status: 201,
    answer: GpgKeyJson,
    async run(context) {
      const { db, input } = context
      const user_id = await getUserId(db, input.id)
      return presentGpgKey(await addGpgKey(context, { user_id, key: input.key }))
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)/gpg_keys/:key_id(^\\d+$)',
    summary: 'Delete a GPG key of a user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...keyIdInput }),
    status: 204,
    async run(context) {
      const { db, input, request } = context
      const key = await getGpgKey(db, await getUserId(db, input.id), input.key_id)
      checkUnmodified(request, key.created_at)
      await removeKey(context, key)
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/gpg_keys/:key_id(^\\d+$)/revoke',
    summary: 'Revoke a GPG key of a user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...keyIdInput }),
    status: 202,
    answer: AcceptedJson,
    async run(context) {
      const { db, input } = context
      const key = await getGpgKey(db, await getUserId(db, input.id), input.key_id)
      await removeKey(context, key)
      return accepted()
    },
  }),
]
