import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { type Context, type Endpoint, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { MessageJson, optionalText, pageInput } from '../../../http/schema.ts'
import { badParameters, recordNotFound } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import {
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { isKnownStorage } from '../../../subjects/storage.ts'
import { enqueue } from '../../../tasks/task.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { findGroupStorage, moveAllFromStorageTask, scheduleMove } from './schedule-move.ts'
import { moveJson, presentMove } from './storage-move.present.ts'
import { findMove, listMoves, type MovedSubjectKind } from './storage-move.store.ts'

const destinationInput = { destination_storage_name: optionalText }
const moveIdInput = { repository_storage_id: Type.Integer() }

/** Throws 400 for the name of an unknown storage. */
function checkStorage({ config }: Pick<Context<unknown, unknown>, 'config'>, names: object): void {
  const problems = Object.entries(names).flatMap(([parameter, name]) =>
    name === undefined || isKnownStorage(config, String(name))
      ? []
      : [`${parameter} does not have a valid value`],
  )
  if (problems.length > 0) throw badParameters(problems)
}

/** Creates the endpoints for projects or groups. A group has only a wiki to move. */
function endpointsOf(kind: MovedSubjectKind): readonly Endpoint[] {
  const all = `/${kind}_repository_storage_moves` as const
  const own = `/${kind}s/:id/repository_storage_moves` as const
  const whose = kind === 'group' ? "a group's wiki" : "a project's repositories"
  const anywhere = endpointFactory({ tag: 'Storage moves', tier: 'premium' })
  const endpoint = endpointFactory<OwningProjectOrGroup>({
    tag: 'Storage moves',
    tier: 'premium',
    signIn: 'always',
    on: kind === 'group' ? groupAsOwnerLoader : projectAsOwnerLoader,
  })
  const answer = moveJson[kind]
  const one = `:repository_storage_id(^\\d+$)`
  return [
    anywhere({
      route: `GET ${all}`,
      summary: `List the moves of ${kind}s between storages`,
      allow: administrators,
      input: Type.Object(pageInput),
      answer: Type.Array(answer),
      async run({ db, range, baseUrl }) {
        const { rows, total } = await listMoves(db, kind, range)
        return new Page({ items: rows.map((move) => presentMove(move, baseUrl)), total })
      },
    }),

    anywhere({
      route: `GET ${all}/${one}`,
      summary: `Get a storage move of ${whose}`,
      allow: administrators,
      input: Type.Object(moveIdInput),
      answer,
      async run({ db, input, baseUrl }) {
        const move = await findMove(db, kind, { id: input.repository_storage_id })
        if (!move) throw recordNotFound()
        return presentMove(move, baseUrl)
      },
    }),

    anywhere({
      route: `POST ${all}`,
      summary: `Move all ${kind}s from a storage`,
      allow: administrators,
      input: Type.Object({ source_storage_name: Type.String(), ...destinationInput }),
      status: 202,
      answer: MessageJson,
      async run(context) {
        const { db, clock, input } = context
        checkStorage(context, input)
        const { source_storage_name: source, destination_storage_name: destination } = input
        const payload = { kind, source, ...(destination && { destination }), after: 0 }
        await enqueue(db, clock, { task: moveAllFromStorageTask, key: randomHex(16), payload })
        await recordAuditEvent(context, {
          action: 'storage_emptied',
          entity: { kind: 'instance', id: 0 },
          details: { of: kind, source, destination },
        })
        return { message: '202 Accepted' }
      },
    }),

    endpoint({
      route: `GET ${own}`,
      summary: `List the moves of ${whose} between storages`,
      allow: administrators,
      input: Type.Object(pageInput),
      answer: Type.Array(answer),
      async run({ db, subject, range, baseUrl }) {
        const { rows, total } = await listMoves(db, kind, { ...range, movedId: subject.id })
        return new Page({ items: rows.map((move) => presentMove(move, baseUrl)), total })
      },
    }),

    endpoint({
      route: `GET ${own}/${one}`,
      summary: `Get a storage move of ${whose} by its object`,
      allow: administrators,
      input: Type.Object(moveIdInput),
      answer,
      async run({ db, subject, input, baseUrl }) {
        const id = input.repository_storage_id
        const move = await findMove(db, kind, { id, movedId: subject.id })
        if (!move) throw recordNotFound()
        return presentMove(move, baseUrl)
      },
    }),

    endpoint({
      route: `POST ${own}`,
      summary: `Move ${whose} to another storage`,
      allow: administrators,
      input: Type.Object(destinationInput),
      status: 201,
      answer,
      async run(context) {
        const { db, clock, config, subject: owner, input, baseUrl } = context
        const source =
          owner.kind === 'project'
            ? owner.project.repository_storage
            : await findGroupStorage(db, config, owner.id)
        const destination = input.destination_storage_name
        const id = await scheduleMove(db, { clock, config }, owner, { source, destination })
        const move = await findMove(db, kind, { id })
        if (!move) throw recordNotFound()
        await recordAuditEvent(context, {
          action: 'storage_move_scheduled',
          entity: { kind, id: owner.id },
          details: { source, destination: move.destination_storage_name },
        })
        return presentMove(move, baseUrl)
      },
    }),
  ]
}

export const storageMoveEndpoints = [...endpointsOf('group'), ...endpointsOf('project')]
