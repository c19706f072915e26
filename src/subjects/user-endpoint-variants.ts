// Creates both variants of user endpoints from one definition: `/user/...` for users themselves, and `/users/:id/...`
// for administrators.
import { type TProperties, Type } from 'typebox'
import { administrators, anyone, type Rule } from '../access/rule.ts'
import type { Context } from '../http/endpoint.ts'
import { notFound } from '../kernel/errors.ts'
import { findUser } from './user.ts'

export type UserEndpointVariant = {
  readonly prefix: '/user' | '/users/:id(^\\d+$)'
  readonly isOwn: boolean
  /** Whose things they are, in a summary: `Delete an address of ...`. */
  readonly whose: string
  readonly input: TProperties
  /** Who may change what there is. */
  readonly writers: Rule<unknown>
  /** 404 for a user who is not there. */
  userId(context: Pick<Context<unknown, unknown>, 'db' | 'user' | 'input'>): Promise<number>
}

const own: UserEndpointVariant = {
  prefix: '/user',
  isOwn: true,
  whose: 'yours',
  input: {},
  writers: anyone,
  async userId({ user }) {
    return user.id
  },
}

const others: UserEndpointVariant = {
  prefix: '/users/:id(^\\d+$)',
  isOwn: false,
  whose: 'a user',
  input: { id: Type.Integer() },
  writers: administrators,
  async userId({ db, input }) {
    const { id } = input as { id: number }
    if (!(await findUser(db, id))) throw notFound('User')
    return id
  },
}

export const userEndpointVariants = [own, others] as const
