import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { acceptedAnswer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { MessageJson, namedObject, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { userEndpointVariants } from '../../../subjects/user-endpoint-variants.ts'
import type { AuditSource } from '../../basics/audit-events/audit-event.ts'
import { addGpgKey, recordGpgKeyEvent } from './add-gpg-key.ts'
import { deleteGpgKey, findGpgKey, type GpgKey, listGpgKeys } from './gpg-key.store.ts'

const endpoint = endpointFactory({ tag: 'GPG keys', scope: 'read_user' })

const GpgKeyJson = namedObject('GpgKey', {
  id: Type.Integer(),
  key: Type.String(),
  created_at: Type.String(),
})

function presentGpgKey({ id, key, created_at }: GpgKey): Static<typeof GpgKeyJson> {
  return { id, key, created_at }
}

async function removeKey(source: AuditSource, key: GpgKey): Promise<void> {
  await deleteGpgKey(source.db, key.id)
  await recordGpgKeyEvent(source, 'gpg_key_removed', key)
}

const newKeyInput = { key: Type.String({ description: 'ASCII armor.' }) }
const keyIdInput = { key_id: Type.Integer() }

export const gpgKeyEndpoints = userEndpointVariants.flatMap((side) => {
  const { prefix, whose, writers } = side
  // Anyone may read the keys of other users, to verify their signatures.
  const signIn = side.isOwn ? 'always' : 'never'
  const oneInput = Type.Object({ ...side.input, ...keyIdInput })
  const find = async (context: Context<unknown, { key_id: number }>) => {
    const { db, input } = context
    const key = await findGpgKey(db, { user_id: await side.userId(context), id: input.key_id })
    if (!key) throw notFound('GPG Key')
    return key
  }
  return [
    endpoint({
      route: `GET ${prefix}/gpg_keys`,
      summary: `List GPG keys of ${whose}`,
      signIn,
      allow: anyone,
      input: Type.Object({ ...side.input, ...pageInput }),
      answer: Type.Array(GpgKeyJson),
      async run(context) {
        const user_id = await side.userId(context)
        const { rows, total } = await listGpgKeys(context.db, user_id, context.range)
        return new Page({ items: rows.map(presentGpgKey), total })
      },
    }),

    endpoint({
      route: `GET ${prefix}/gpg_keys/:key_id(^\\d+$)`,
      summary: `Get a GPG key of ${whose}`,
      signIn,
      allow: anyone,
      input: oneInput,
      answer: GpgKeyJson,
      run: async (context) => presentGpgKey(await find(context)),
    }),

    endpoint({
      route: `POST ${prefix}/gpg_keys`,
      summary: `Add a GPG key of ${whose}`,
      allow: writers,
      // The key is parsed before the transaction begins, so that other writers do not wait for it.
      transaction: 'none',
      input: Type.Object({ ...side.input, ...newKeyInput }),
      status: 201,
      answer: GpgKeyJson,
      async run(context) {
        const user_id = await side.userId(context)
        return presentGpgKey(await addGpgKey(context, { user_id, key: context.input.key }))
      },
    }),

    endpoint({
      route: `DELETE ${prefix}/gpg_keys/:key_id(^\\d+$)`,
      summary: `Delete a GPG key of ${whose}`,
      allow: writers,
      input: oneInput,
      status: 204,
      async run(context) {
        const key = await find(context)
        checkIfUnmodifiedSince(context.request, key.created_at)
        await removeKey(context, key)
      },
    }),

    endpoint({
      route: `POST ${prefix}/gpg_keys/:key_id(^\\d+$)/revoke`,
      summary: `Revoke a GPG key of ${whose}`,
      allow: writers,
      input: oneInput,
      status: 202,
      answer: MessageJson,
      async run(context) {
        await removeKey(context, await find(context))
        return acceptedAnswer()
      },
    }),
  ]
})
