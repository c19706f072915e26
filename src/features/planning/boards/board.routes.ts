// Boards of projects and groups with lists by label (docs/api/boards.md).
import { type Static, Type } from 'typebox'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { notBlank, type ParameterRule } from '../../../http/parameters.ts'
import {
  namedObject,
  nullable,
  nullableInteger,
  nullableText,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { ApiError, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { GroupLinkJson } from '../../../subjects/group-name.ts'
import { groupOwnerLoader, type Owner, projectOwnerLoader } from '../../../subjects/owner.ts'
import { BasicUserJson, findUser, presentBasicUser } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { ShownSimpleProjectJson, showProjects } from '../../projects/projects/show-projects.ts'
import { BasicLabelJson, findOrCreateLabels, presentBasicLabel } from '../labels/label.ts'
import {
  findMilestones,
  findUsableMilestone,
  MilestoneJson,
  presentMilestone,
} from '../milestones/milestone.ts'
import { mayReadBoards, mayWriteBoards } from './board.policy.ts'
import {
  type Board,
  type BoardList,
  deleteBoard,
  deleteList,
  findBoard,
  findBoardAssignees,
  findBoardLabels,
  findLists,
  findUsableLabel,
  insertBoard,
  insertList,
  listBoards,
  moveList,
  replaceBoardLabels,
  updateBoard,
} from './board.store.ts'

const tag = 'Boards'

const ListJson = namedObject('BoardList', {
  id: Type.Integer(),
  label: BasicLabelJson,
  position: Type.Integer(),
})
const BoardJson = namedObject('Board', {
  id: Type.Integer(),
  name: Type.String(),
  hide_backlog_list: Type.Boolean(),
  hide_closed_list: Type.Boolean(),
  project: Type.Optional(ShownSimpleProjectJson),
  group: Type.Optional(GroupLinkJson),
  lists: Type.Array(ListJson),
  milestone: Type.Optional(nullable(MilestoneJson)),
  assignee: Type.Optional(nullable(BasicUserJson)),
  labels: Type.Optional(Type.Array(BasicLabelJson)),
  weight: Type.Optional(nullableInteger),
})

type BoardContext<Input = unknown> = Context<Owner, Input>

function presentList({ id, label, position }: BoardList): Static<typeof ListJson> {
  return { id, label: presentBasicLabel(label), position }
}

/** Returns the basic record of the project or the group that the boards belong to. */
async function showParent(context: BoardContext) {
  const { subject: owner, baseUrl } = context
  if (owner.kind === 'group') {
    const { id, name, full_path } = owner.group
    return { group: { id, web_url: `${baseUrl}/groups/${full_path}`, name } }
  }
  const [project] = await showProjects(context, [owner.id], { isSimple: true })
  return { project }
}

/** The records with their lists: a fixed number of queries for all of them. */
async function showBoards(context: BoardContext, boards: readonly Board[]) {
  const { db, config, baseUrl, clock } = context
  const ids = boards.map(({ id }) => id)
  const lists = await findLists(db, ids)
  const isPaid = config.tier !== 'free'
  const labels = isPaid ? await findBoardLabels(db, ids) : new Map()
  const milestones = await findMilestones(
    db,
    boards.flatMap(({ milestone_id }) => milestone_id ?? []),
  )
  const parent = await showParent(context)
  const view = { baseUrl, today: today(clock) }
  const assignees = await findBoardAssignees(
    db,
    boards.flatMap(({ assignee_id }) => assignee_id ?? []),
  )
  return boards.map((board) => {
    const milestone = milestones.get(board.milestone_id ?? 0)
    const assignee = assignees.get(board.assignee_id ?? 0)
    return {
      id: board.id,
      name: board.name,
      hide_backlog_list: board.hide_backlog_list,
      hide_closed_list: board.hide_closed_list,
      ...parent,
      lists: (lists.get(board.id) ?? []).map(presentList),
      ...(isPaid && {
        milestone: milestone ? presentMilestone(milestone, view) : null,
        assignee: assignee ? presentBasicUser(assignee, baseUrl) : null,
        labels: (labels.get(board.id) ?? []).map(presentBasicLabel),
        weight: board.weight,
      }),
    }
  })
}

async function getBoard({
  db,
  subject,
  input,
}: BoardContext<{ board_id: number }>): Promise<Board> {
  const board = await findBoard(db, subject, input.board_id)
  if (!board) throw recordNotFound()
  return board
}

async function show(context: BoardContext, board: Board) {
  const [shown] = await showBoards(context, [board])
  if (!shown) throw recordNotFound()
  return shown
}

async function getLists(context: BoardContext<{ board_id: number }>): Promise<BoardList[]> {
  const board = await getBoard(context)
  return (await findLists(context.db, [board.id])).get(board.id) ?? []
}

async function getList(
  context: BoardContext<{ board_id: number; list_id: number }>,
): Promise<{ list: BoardList; count: number }> {
  const lists = await getLists(context)
  const list = lists.find(({ id }) => id === context.input.list_id)
  if (!list) throw recordNotFound()
  return { list, count: lists.length }
}

/** Open boards follow the issues on them, and reload what the boards are by the same topic. */
const publishBoards = ({ db, subject: { kind, id } }: BoardContext) =>
  publishChange(db, `${kind}_issues:${id}`)

const refusal = (error: string) => new ApiError('invalid', error, { extra: { message: { error } } })

/** A name is a title like others. */
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

/** What a board may be limited to stands on the paid tiers. */
async function change(context: BoardContext<Changes & { board_id: number }>) {
  const { db, clock, subject: owner, input, config } = context
  const board = await getBoard(context)
  const { name = board.name, hide_backlog_list, hide_closed_list } = input
  const isPaid = config.tier !== 'free'
  const place = { id: owner.kind === 'project' ? owner.id : 0, namespace_id: owner.namespace_id }
  const milestone =
    isPaid && input.milestone_id
      ? await findUsableMilestone(db, place, input.milestone_id)
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
    await replaceBoardLabels(
      db,
      board.id,
      labels.map(({ id }) => id),
    )
  }
  await publishBoards(context)
  return show(context, (await findBoard(db, owner, board.id)) ?? board)
}

/** Boards of projects and groups differ in whose they are. */
function endpointsOf(
  base: '/projects/:id/boards' | '/groups/:id/boards',
  on: SubjectLoader<Owner>,
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
      summary: `Make a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({ name: Type.String() }),
      rules: [notBlank('name'), nameLength],
      status: 201,
      answer: BoardJson,
      async run(context) {
        const { db, clock, subject: owner, input } = context
        const now = timestamp(clock)
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
        weight: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
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
      answer: Type.Array(ListJson),
      async run(context) {
        const lists = await getLists(context)
        const { offset, per_page } = context.range
        const items = lists.slice(offset, offset + per_page).map(presentList)
        return new Page({ items, total: lists.length })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:board_id/lists/:list_id`,
      summary: `Get a list of a board of ${whose}`,
      allow: mayReadBoards,
      input: Type.Object(list),
      answer: ListJson,
      run: async (context) => presentList((await getList(context)).list),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/:board_id/lists`,
      summary: `Add a list to a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({ ...one, label_id: Type.Integer() }),
      status: 201,
      answer: ListJson,
      async run(context) {
        const { db, subject, input } = context
        const board = await getBoard(context)
        const label = await findUsableLabel(db, subject, input.label_id)
        if (!label) throw refusal('Label not found!')
        if ((await getLists(context)).length >= limits.board_lists_max) {
          throw refusal('There are too many lists.')
        }
        const list_id = await insertList(db, { board_id: board.id, label_id: label.id })
        if (list_id === undefined) throw refusal('Label has already been taken')
        await publishBoards(context)
        const lists = await getLists(context)
        const made = lists.find(({ id }) => id === list_id)
        if (!made) throw recordNotFound()
        return presentList(made)
      },
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/:board_id/lists/:list_id`,
      summary: `Move a list of a board of ${whose}`,
      allow: mayWriteBoards,
      input: Type.Object({ ...list, position: Type.Integer() }),
      answer: ListJson,
      async run(context) {
        const { db, input } = context
        const { list: before, count } = await getList(context)
        const { position } = input
        if (position < 0 || position >= count) throw refusal('List could not be moved!')
        if (position !== before.position) {
          await moveList(db, { list: before, position })
          await publishBoards(context)
        }
        return presentList((await getList(context)).list)
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
        await deleteList(context.db, (await getList(context)).list)
        await publishBoards(context)
      },
    }),
  ]
}

export const boardEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/boards', projectOwnerLoader),
  ...endpointsOf('/groups/:id/boards', groupOwnerLoader),
]
