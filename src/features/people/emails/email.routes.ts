import { type Static, Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkUnmodified } from '../../../http/conditional.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { pagedAnswer, pageRange } from '../../../http/pagination.ts'
import { nullableText, optionalBoolean, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import { addEmail } from './add-email.ts'
import { deleteEmail, type Email, findEmail, listEmails } from './email.store.ts'

const tag = 'E-mail addresses'

const EmailJson = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  confirmed_at: nullableText,
})

function presentEmail({ id, email, confirmed_at }: Email): Static<typeof EmailJson> {
  return { id, email, confirmed_at }
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
    summary: 'List your further e-mail addresses',
    tag,
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(EmailJson),
    async run(context) {
      const range = pageRange(context.input)
      const { rows, total } = await listEmails(context.db, context.user.id, range)
      return pagedAnswer(context, range, { items: rows.map(presentEmail), total })
    },
  }),

  endpoint({
    route: 'GET /user/emails/:email_id(^\\d+$)',
    summary: 'Get one of your further e-mail addresses',
    tag,
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(idInput),
    answer: EmailJson,
    async run({ db, user, input }) {
      return presentEmail(await getEmail(db, user.id, input.email_id))
    },
  }),

  endpoint({
    route: 'POST /user/emails',
    summary: 'Add an e-mail address',
    tag,
    scope: 'read_user',
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
    tag,
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(idInput),
    status: 204,
    async run({ db, user, input, request }) {
      const email = await getEmail(db, user.id, input.email_id)
      checkUnmodified(request, email.created_at)
      await deleteEmail(db, email)
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/emails',
    summary: 'List the further e-mail addresses of a user',
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(EmailJson),
    async run(context) {
      const { db, input } = context
      await checkUser(db, input.id)
      const range = pageRange(input)
      const { rows, total } = await listEmails(db, input.id, range)
      return pagedAnswer(context, range, { items: rows.map(presentEmail), total })
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/emails',
    summary: 'Add an e-mail address for a user',
    tag,
    scope: 'read_user',
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
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object({ ...userInput, ...idInput }),
    status: 204,
    async run({ db, input, request }) {
      await checkUser(db, input.id)
      const email = await getEmail(db, input.id, input.email_id)
      checkUnmodified(request, email.created_at)
      await deleteEmail(db, email)
    },
  }),
]
