import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { namedObject, nullableText, optionalBoolean, pageInput } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { userEndpointVariants } from '../../../subjects/user-endpoint-variants.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { addEmail } from './add-email.ts'
import { deleteEmail, type Email, findEmail, listEmails } from './email.store.ts'

const endpoint = endpointFactory({ tag: 'E-mail addresses', scope: 'read_user' })

const EmailJson = namedObject('Email', {
  id: Type.Integer(),
  email: Type.String(),
  confirmed_at: nullableText,
})

function presentEmail({
  id,
  email,
  confirmed_at,
}: Pick<Email, 'id' | 'email' | 'confirmed_at'>): Static<typeof EmailJson> {
  return { id, email, confirmed_at }
}

/**
 * The primary address is stored in the user's row. Its id is the user's id plus this number, so it differs
 * from the ids of secondary addresses.
 */
const primary_id_base = 1_000_000_000

function presentPrimary({ id, email, confirmed_at }: User): Static<typeof EmailJson> {
  return { id: primary_id_base + id, email, confirmed_at }
}

/** Answers with a page of all addresses of a user, the primary address first. */
async function answerEmails(context: Context<unknown, PageInput>, id: number) {
  const { db, range } = context
  const user = await findUser(db, id)
  if (!user) throw notFound('User')
  const all = [presentPrimary(user), ...(await listEmails(db, id)).map(presentEmail)]
  const items = all.slice(range.offset, range.offset + range.per_page)
  return new Page({ items, total: all.length })
}

function refusePrimary(user_id: number, email_id: number): void {
  if (email_id === primary_id_base + user_id) throw invalid('Cannot delete primary email')
}

async function getEmail(db: Db, user_id: number, id: number): Promise<Email> {
  const email = await findEmail(db, { user_id, id })
  if (!email) throw notFound('Email')
  return email
}

const emailInput = { email: Type.String() }
const idInput = { email_id: Type.Integer() }

const eitherSide = userEndpointVariants.flatMap((side) => {
  const { prefix, whose, writers } = side
  return [
    endpoint({
      route: `GET ${prefix}/emails`,
      summary: `List email addresses of ${whose}`,
      allow: writers,
      input: Type.Object({ ...side.input, ...pageInput }),
      answer: Type.Array(EmailJson),
      run: async (context) => answerEmails(context, await side.userId(context)),
    }),

    endpoint({
      route: `POST ${prefix}/emails`,
      summary: `Add an email address of ${whose}`,
      allow: writers,
      input: Type.Object({
        ...side.input,
        ...emailInput,
        ...(side.isOwn ? {} : { skip_confirmation: optionalBoolean }),
      }),
      status: 201,
      answer: EmailJson,
      async run(context) {
        const { db, clock, config, input } = context
        const isConfirmed = input.skip_confirmation === true
        const email = { user_id: await side.userId(context), email: input.email, isConfirmed }
        const added = await addEmail(db, { clock, config }, email)
        await recordAuditEvent(context, {
          action: 'email_added',
          entity: { kind: 'user', id: email.user_id },
          target: { kind: 'email', id: added.id, name: added.email },
          details: { confirmed: isConfirmed },
        })
        return presentEmail(added)
      },
    }),

    endpoint({
      route: `DELETE ${prefix}/emails/:email_id(^\\d+$)`,
      summary: `Delete a secondary email address of ${whose}`,
      allow: writers,
      input: Type.Object({ ...side.input, ...idInput }),
      status: 204,
      async run(context) {
        const { db, input, request } = context
        const user_id = await side.userId(context)
        refusePrimary(user_id, input.email_id)
        const email = await getEmail(db, user_id, input.email_id)
        checkIfUnmodifiedSince(request, email.created_at)
        await deleteEmail(db, email)
        await recordAuditEvent(context, {
          action: 'email_removed',
          entity: { kind: 'user', id: user_id },
          target: { kind: 'email', id: email.id, name: email.email },
        })
      },
    }),
  ]
})

export const emailEndpoints = [
  ...eitherSide,

  endpoint({
    route: 'GET /user/emails/:email_id(^\\d+$)',
    summary: 'Get one of your email addresses',
    allow: anyone,
    input: Type.Object(idInput),
    answer: EmailJson,
    async run({ db, user, input }) {
      const primary = await findUser(db, user.id)
      if (primary && input.email_id === primary_id_base + primary.id) return presentPrimary(primary)
      return presentEmail(await getEmail(db, user.id, input.email_id))
    },
  }),
]
