import { type TSchema, Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { administrators } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findGroup } from '../../../subjects/group.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { findVisibleProject, parseProjectId } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import {
  type CustomAttributeOwner,
  type CustomAttributeOwnerKind,
  countCustomAttributes,
  deleteCustomAttribute,
  findCustomAttribute,
  findCustomAttributesByOwner,
  upsertCustomAttribute,
} from './custom-attribute.store.ts'
import { CustomAttributeJson } from './custom-attribute.ts'

const tag = 'Custom attributes'

type Finder = (db: Db, actor: Actor, id: string) => Promise<number | undefined>

/**
 * The path of each kind of owner and the function that finds the owner. The rest of the path is the same for
 * all.
 */
const owners: Record<CustomAttributeOwnerKind, { path: string; id: TSchema; find: Finder }> = {
  user: {
    path: '/users/:id(^\\d+$)',
    id: Type.String({ description: 'ID of the user.' }),
    find: async (db, _actor, id) =>
      Number.isSafeInteger(Number(id)) ? (await findUser(db, Number(id)))?.id : undefined,
  },
  project: {
    path: '/projects/:id',
    id: Type.String({ description: 'ID or URL-encoded full path of the project.' }),
    async find(db, actor, id) {
      const by = parseProjectId(id)
      return by && (await findVisibleProject(db, actor, by))?.project.id
    },
  },
  group: {
    path: '/groups/:id',
    id: Type.String({ description: 'ID or URL-encoded full path of the group.' }),
    async find(db, actor, id) {
      const by = /^\d{1,15}$/.test(id) ? { id: Number(id) } : { path: id }
      return (await findGroup(db, actor, by))?.group.id
    },
  },
}

function problemsOf({ key, value }: { key: string; value: string }): FieldErrors {
  const problems: FieldErrors = {}
  if ([...key].length > limits.name_characters) {
    problems.key = [`is too long (maximum is ${limits.name_characters} characters)`]
  }
  if (value.trim() === '') problems.value = ["can't be blank"]
  else if (value.length > limits.custom_attribute_characters) {
    problems.value = [`is too long (maximum is ${limits.custom_attribute_characters} characters)`]
  }
  return problems
}

function endpointsOf(kind: CustomAttributeOwnerKind) {
  const { path, id, find } = owners[kind]
  const keyInput = { id, key: Type.String() }
  // Custom attributes of users can be read with the scope `read_user`.
  const scope = kind === 'user' ? 'read_user' : undefined
  const getOwner = async (db: Db, actor: Actor, given: unknown): Promise<CustomAttributeOwner> => {
    const found = await find(db, actor, String(given))
    if (found === undefined) throw notFound()
    return { kind, id: found }
  }
  return [
    endpoint({
      route: `GET ${path}/custom_attributes` as `GET /${string}`,
      summary: `List the custom attributes of a ${kind}`,
      tag,
      scope,
      signIn: 'never',
      allow: administrators,
      input: Type.Object({ id }),
      answer: Type.Array(CustomAttributeJson),
      async run({ db, actor, input }) {
        const owner = await getOwner(db, actor, input.id)
        return (await findCustomAttributesByOwner(db, kind, [owner.id])).get(owner.id) ?? []
      },
    }),

    endpoint({
      route: `GET ${path}/custom_attributes/:key` as `GET /${string}`,
      summary: `Get a custom attribute of a ${kind}`,
      tag,
      scope,
      signIn: 'never',
      allow: administrators,
      input: Type.Object(keyInput),
      answer: CustomAttributeJson,
      async run({ db, actor, input }) {
        const owner = await getOwner(db, actor, input.id)
        const attribute = await findCustomAttribute(db, owner, input.key)
        if (!attribute) throw recordNotFound()
        return attribute
      },
    }),

    endpoint({
      route: `PUT ${path}/custom_attributes/:key` as `PUT /${string}`,
      summary: `Set a custom attribute of a ${kind}`,
      tag,
      scope,
      allow: administrators,
      input: Type.Object({ ...keyInput, value: Type.String() }),
      answer: CustomAttributeJson,
      async run({ db, clock, actor, input }) {
        const { key, value } = input
        const owner = await getOwner(db, actor, input.id)
        const problems = problemsOf({ key, value })
        if (Object.keys(problems).length > 0) throw invalid(problems)
        await lockOwner(db, owner)
        const isNew = !(await findCustomAttribute(db, owner, key))
        if (isNew && (await countCustomAttributes(db, owner)) >= limits.custom_attributes_max) {
          throw invalid({ base: [`cannot have more than ${limits.custom_attributes_max}`] })
        }
        await upsertCustomAttribute(db, owner, { key, value, now: timestamp(clock) })
        return { key, value }
      },
    }),

    endpoint({
      route: `DELETE ${path}/custom_attributes/:key` as `DELETE /${string}`,
      summary: `Delete a custom attribute of a ${kind}`,
      tag,
      scope,
      allow: administrators,
      input: Type.Object(keyInput),
      status: 204,
      async run({ db, actor, input }) {
        const owner = await getOwner(db, actor, input.id)
        if (!(await deleteCustomAttribute(db, owner, input.key))) throw recordNotFound()
      },
    }),
  ]
}

export const customAttributeEndpoints = [
  ...endpointsOf('user'),
  ...endpointsOf('project'),
  ...endpointsOf('group'),
]
