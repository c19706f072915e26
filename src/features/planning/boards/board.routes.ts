// Boards of projects and groups with lists by label, assignee or milestone (docs/api/boards.md).

import { Type } from 'typebox'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { notBlank, type ParameterRule } from '../../../http/parameters.ts'
import {
  nullable,
  nullableInteger,
  nullableText,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import {
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { findUser } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { findOrCreateLabels } from '../labels/label.ts'
import { findMilestoneOfProjectOrAncestors } from '../milestones/milestone.ts'
import { mayReadBoards, mayWriteBoards } from './board.policy.ts'
import {
  type Board,
  type BoardList,
  type BoardListScope,
  deleteBoard,
  deleteBoardList,
  findBoard,
  findBoardListsByBoard,
  findUsableLabel,
  insertBoard,
  insertBoardList,
  isMemberOfOwner,
  listBoards,
  moveBoardList,
  replaceScopeLabelsOfBoard,
  updateBoard,
} from './board.store.ts'
import { BoardJson, BoardListJson, showBoardLists, showBoards } from './show-boards.ts'

const tag = 'Boards'

type BoardContext<Input = unknown> = Context<OwningProjectOrGroup, Input>

async function getBoard({
  db,
  subject,
  input,
}: BoardContext<{ board_id: number }>): Promise<Board> {
  const board = await findBoard(db, subject, input.board_id)
  if (!board) throw recordNotFound()
  return board
}

async function showList(context: BoardContext, list: BoardList) {
  const [shown] = await showBoardLists(context, [list])
  if (!shown) throw recordNotFound()
  return shown
}

async function show(context: BoardContext, board: Board) {
  const [shown] = await showBoards(context, [board])
  if (!shown) throw recordNotFound()
  return shown
}

async function getLists(context: BoardContext<{ board_id: number }>): Promise<BoardList[]> {
  const board = await getBoard(context)
  return (await findBoardListsByBoard(context.db, [board.id])).get(board.id) ?? []
}

async function getList(
  context: BoardContext<{ board_id: number; list_id: number }>,
): Promise<{ list: BoardList; count: number }> {
  const lists = await getLists(context)
  const list = lists.find(({ id }) => id === context.input.list_id)
  if (!list) throw recordNotFound()
  return { list, count: lists.length }
}

/** Notifies open boards of changes of the board itself. They follow the topic of the issues on them. */
const publishBoards = ({ db, subject: { kind, id } }: BoardContext) =>
  publishChange(db, `${kind}_issues:${id}`)

const refusal = (error: string) => new ApiError('invalid', error, { extra: { message: { error } } })

/** The name has the same maximum length as titles. */
const nameLength: ParameterRule = ({ name }) =>
  typeof name === 'string' && name.length > limits.title_characters
    ? `name is too long (maximum is ${limits.title_characters} characters)`
    : undefined

type Changes = {
  name?: string
  hide_backlog_list?: boolean
  hide_closed_list?: boolean
  milestone_id?: number | null
  assignee_id?: number | null
  labels?: string | null
  weight?: number | null
}

/** Returns the project and namespace where milestones and labels are looked up. */
const placeOf = ({ kind, id, namespace_id }: OwningProjectOrGroup) => ({
  id: kind === 'project' ? id : 0,
  namespace_id,
})

/** Changes a board. Its scope is available on paid tiers only. */
async function change(context: BoardContext<Changes & { board_id: number }>) {
  const { db, clock, subject: owner, input, config } = context
  const board = await getBoard(context)
  const { name = board.name, hide_backlog_list, hide_closed_list } = input
  const isPaid = config.tier !== 'free'
  const place = placeOf(owner)
  const milestone =
    isPaid && input.milestone_id
      ? await findMilestoneOfProjectOrAncestors(db, place, input.milestone_id)
      : undefined
  const assignee = isPaid && input.assignee_id ? await findUser(db, input.assignee_id) : undefined
  await updateBoard(db, board.id, {
    name,
    ...(hide_backlog_list !== undefined && { hide_backlog_list }),
    ...(hide_closed_list !== undefined && { hide_closed_list }),
    ...(isPaid && input.milestone_id !== undefined && { milestone_id: milestone?.id ?? null }),
    ...(isPaid && input.assignee_id !== undefined && { assignee_id: assignee?.id ?? null }),
    ...(isPaid && input.weight !== undefined && { weight: input.weight }),
    updated_at: timestamp(clock),
  })
  if (isPaid && input.labels !== undefined) {
    const titles = (input.labels ?? '').split(',')
    const labels = await findOrCreateLabels(db, clock, { project: place, titles, mayCreate: false })
    await replaceScopeLabelsOfBoard(
      db,
      board.id,
      labels.map(({ id }) => id),
    )
  }
  await publishBoards(context)
  return show(context, (await findBoard(db, owner, board.id)) ?? board)
}

type ScopeInput = Partial<Record<`${BoardListScope['kind']}_id`, number>>
const scopeKinds = ['label', 'assignee', 'milestone'] as const

const exactlyOneScope: ParameterRule = (values) => {
  const names = scopeKinds.map((kind) => `${kind}_id`)
  const given = names.filter((name) => ownValue(values, name) !== undefined)
  if (given.length === 0) {
    return `${names.join(', ')} are missing, exactly one parameter must be provided`
  }
  return given.length > 1 ? `${given.join(', ')} are mutually exclusive` : undefined
}

/**
 * Returns the scope of a new list; lists of assignees and milestones are available on paid tiers only. Throws 400 for a
 * scope that is not possible here.
 */
async function findScope({
  db,
  config,
  subject: owner,
  input,
}: BoardContext<ScopeInput>): Promise<BoardListScope> {
  const { label_id, assignee_id, milestone_id } = input
  if (label_id !== undefined) {
    if (!(await findUsableLabel(db, owner, label_id))) throw refusal('Label not found!')
    return { kind: 'label', id: label_id }
  }
  const isPaid = config.tier !== 'free'
  if (assignee_id !== undefined) {
    if (!isPaid || !(await isMemberOfOwner(db, owner, assignee_id)))
      throw refusal('User not found!')
    return { kind: 'assignee', id: assignee_id }
  }
  const milestone =
    isPaid && milestone_id !== undefined
      ? await findMilestoneOfProjectOrAncestors(db, placeOf(owner), milestone_id)
      : undefined
  if (!milestone) throw refusal('Milestone not found!')
  return { kind: 'milestone', id: milestone.id }
}

const takenText = {
  label: 'Label has already been taken',
  assignee: 'User has already been taken',
  milestone: 'Milestone has already been taken',
}

async function addList(context: BoardContext<ScopeInput & { board_id: number }>) {
  const board = await getBoard(context)
  const scope = await findScope(context)
  await lockOwner(context.db, { kind: 'board', id: board.id })
  if ((await getLists(context)).length >= limits.board_lists_max) {
    throw refusal('There are too many lists.')
  }
  const list_id = await insertBoardList(context.db, board.id, scope)
  if (list_id === undefined) throw refusal(takenText[scope.kind])
  await publishBoards(context)
  const lists = await getLists(context)
  const made = lists.find(({ id }) => id === list_id)
  if (!made) throw recordNotFound()
  return showList(context, made)
}

/** Returns the endpoints for boards of projects or groups, which differ only in the owner. */
function endpointsOf(
  base: '/projects/:id/boards' | '/groups/:id/boards',
  on: SubjectLoader<OwningProjectOrGroup>,
): readonly Endpoint[] {
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  const common = { tag, on, signIn: 'always' as const }
  const one = { board_id: Type.Integer() }
  const list = { ...one, list_id: Type.Integer() }
  return [
    endpoint({
      ...common,
      route: `GET ${base}`,
      summary: `List the boards of ${whose}`,
      allow: mayReadBoards,
      input: Type.Object(pageInput),
      answer: Type.Array(BoardJson),
      async run(context) {
        const { rows, total } = await listBoards(context.db, context.subject, context.range)
        return new Page({ items: await showBoards(context, rows), total })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:board_id`,
      summary: `Get a board of ${whose}`,
      allow: mayReadBoards,
      input: Type.Object(one),
      answer: BoardJson,
      run: async (context) => show(context, await getBoard(context)),
    }),

    endpoint({
      ...common,
      route: `POST ${base}`,
      summary: `Create a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({ name: Type.String() }),
      rules: [notBlank('name'), nameLength],
      status: 201,
      answer: BoardJson,
      async run(context) {
        const { db, clock, subject: owner, input } = context
        const now = timestamp(clock)
        await lockOwner(db, owner)
        const { total } = await listBoards(db, owner, { offset: 0, per_page: 1 })
        if (total === undefined || total >= limits.boards_max) {
          throw refusal('There are too many boards.')
        }
        const fields = { name: input.name, created_at: now, updated_at: now }
        const made = await insertBoard(db, owner, fields)
        await publishBoards(context)
        return show(context, made)
      },
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/:board_id`,
      summary: `Change a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({
        ...one,
        name: optionalText,
        hide_backlog_list: optionalBoolean,
        hide_closed_list: optionalBoolean,
        assignee_id: Type.Optional(nullableInteger),
        milestone_id: Type.Optional(nullableInteger),
        labels: Type.Optional(nullableText),
        weight: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: limits.integer_max }))),
      }),
      rules: [notBlank('name'), nameLength],
      answer: BoardJson,
      run: change,
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}/:board_id`,
      summary: `Delete a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object(one),
      status: 204,
      async run(context) {
        await deleteBoard(context.db, (await getBoard(context)).id)
        await publishBoards(context)
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:board_id/lists`,
      summary: `List the lists of a board of ${whose}`,
      allow: mayReadBoards,
      input: Type.Object({ ...one, ...pageInput }),
      answer: Type.Array(BoardListJson),
      async run(context) {
        const lists = await getLists(context)
        const { offset, per_page } = context.range
        const items = await showBoardLists(context, lists.slice(offset, offset + per_page))
        return new Page({ items, total: lists.length })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:board_id/lists/:list_id`,
      summary: `Get a list of a board of ${whose}`,
      allow: mayReadBoards,
      input: Type.Object(list),
      answer: BoardListJson,
      run: async (context) => showList(context, (await getList(context)).list),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/:board_id/lists`,
      summary: `Add a list to a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({
        ...one,
        label_id: optionalInteger,
        assignee_id: optionalInteger,
        milestone_id: optionalInteger,
      }),
      rules: [exactlyOneScope],
      status: 201,
      answer: BoardListJson,
      run: addList,
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/:board_id/lists/:list_id`,
      summary: `Move a list of a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({ ...list, position: Type.Integer() }),
      answer: BoardListJson,
      async run(context) {
        const { db, input } = context
        const { list: before, count } = await getList(context)
        const { position } = input
        if (position < 0 || position >= count) throw refusal('List could not be moved!')
        if (position !== before.position) {
          await moveBoardList(db, { list: before, position })
          await publishBoards(context)
        }
        return showList(context, (await getList(context)).list)
      },
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}/:board_id/lists/:list_id`,
      summary: `Remove a list from a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object(list),
      status: 204,
      async run(context) {
        await deleteBoardList(context.db, (await getList(context)).list)
        await publishBoards(context)
      },
    }),
  ]
}

export const boardEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/boards', projectAsOwnerLoader),
  ...endpointsOf('/groups/:id/boards', groupAsOwnerLoader),
]
