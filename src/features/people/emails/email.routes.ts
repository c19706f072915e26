import { type Static, Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkUnmodified } from '../../../http/conditional.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { nullableText, optionalBoolean, pageInput } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { addEmail } from './add-email.ts'
import { deleteEmail, type Email, findEmail, listEmails } from './email.store.ts'

const endpoint = endpointsWith({ tag: 'E-mail addresses', scope: 'read_user' })

const EmailJson = Type.Object({
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

/** The primary address is in the user's row and has an id beyond those of the others. */
const primary_id_base = 1_000_000_000

function presentPrimary({ id, email, confirmed_at }: User): Static<typeof EmailJson> {
  return { id: primary_id_base + id, email, confirmed_at }
}

/** The primary address, then the others: all of them, cut to the page. */
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

async function checkUser(db: Db, id: number): Promise<void> {
  if (!(await findUser(db, id))) throw notFound('User')
}

const emailInput = { email: Type.String() }
const idInput = { email_id: Type.Integer() }
const userInput = { id: Type.Integer() }

export const emailEndpoints = [
  endpoint({
    route: 'GET /user/emails',
    summary: 'List your e-mail addresses',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(EmailJson),
    run: (context) => answerEmails(context, context.user.id),
  }),

  endpoint({
    route: 'GET /user/emails/:email_id(^\\d+$)',
    summary: 'Get one of your e-mail addresses',
    allow: anyone,
    input: Type.Object(idInput),
    answer: EmailJson,
    async run({ db, user, input }) {
      const primary = await findUser(db, user.id)
      if (primary && input.email_id === primary_id_base + primary.id) return presentPrimary(primary)
      return presentEmail(await getEmail(db, user.id, input.email_id))
    },
  }),

  endpoint({
    route: 'POST /user/emails',
    summary: 'Add an e-mail address',
    allow: anyone,
    input: Type.Object(emailInput),
    status: 201,
    answer: EmailJson,
    async run({ db, clock, config, user, input }) {
      const email = { user_id: user.id, email: input.email, isConfirmed: false }
      return presentEmail(await addEmail(db, { clock, config }, email))
    },
  }),

  endpoint({
    route: 'DELETE /user/emails/:email_id(^\\d+$)',
    summary: 'Remove one of your further e-mail addresses',
    allow: anyone,
    input: Type.Object(idInput),
    status: 204,
    async run({ db, user, input, request }) {
      refusePrimary(user.id, input.email_id)
      const email = await getEmail(db, user.id, input.email_id)
      checkUnmodified(request, email.created_at)
      await deleteEmail(db, email)
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/emails',
    summary: 'List the e-mail addresses of a user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(EmailJson),
    run: (context) => answerEmails(context, context.input.id),
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/emails',
    summary: 'Add an e-mail address for a user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...emailInput, skip_confirmation: optionalBoolean }),
    status: 201,
    answer: EmailJson,
    async run({ db, clock, config, input: { id, email, skip_confirmation = false } }) {
      await checkUser(db, id)
      const given = { user_id: id, email, isConfirmed: skip_confirmation }
      return presentEmail(await addEmail(db, { clock, config }, given))
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)/emails/:email_id(^\\d+$)',
    summary: 'Remove a further e-mail address of a user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...idInput }),
    status: 204,
    async run({ db, input, request }) {
      await checkUser(db, input.id)
      refusePrimary(input.id, input.email_id)
      const email = await getEmail(db, input.id, input.email_id)
      checkUnmodified(request, email.created_at)
      await deleteEmail(db, email)
    },
  }),
]
