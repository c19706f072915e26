// Loads the records of boards and their lists with a fixed number of queries.
import { type Static, Type } from 'typebox'
import type { Context } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableInteger } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { GroupLinkJson } from '../../../subjects/group-summary.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { BasicUserJson, findUsersByIds, presentBasicUser } from '../../../subjects/user.ts'
import { ShownSimpleProjectJson, showProjects } from '../../projects/projects/show-projects.ts'
import { BasicLabelJson, presentBasicLabel } from '../labels/label.ts'
import { findMilestones, MilestoneJson, presentMilestone } from '../milestones/milestone.ts'
import {
  type Board,
  type BoardList,
  findBoardListsByBoard,
  findLabelsById,
  findScopeLabelsByBoard,
} from './board.store.ts'

export const BoardListJson = namedObject('BoardList', {
  id: Type.Integer(),
  label: nullable(BasicLabelJson),
  position: Type.Integer(),
  assignee: Type.Optional(BasicUserJson),
  milestone: Type.Optional(MilestoneJson),
})
export const BoardJson = namedObject('Board', {
  id: Type.Integer(),
  name: Type.String(),
  hide_backlog_list: Type.Boolean(),
  hide_closed_list: Type.Boolean(),
  project: Type.Optional(ShownSimpleProjectJson),
  group: Type.Optional(GroupLinkJson),
  lists: Type.Array(BoardListJson),
  milestone: Type.Optional(nullable(MilestoneJson)),
  assignee: Type.Optional(nullable(BasicUserJson)),
  labels: Type.Optional(Type.Array(BasicLabelJson)),
  weight: Type.Optional(nullableInteger),
})

type BoardContext = Context<OwningProjectOrGroup, unknown>
type Of = { label_id?: number | null; assignee_id?: number | null; milestone_id?: number | null }

/** Returns what presents labels, assignees and milestones that these boards and lists name. */
async function readNamed({ db, baseUrl, clock }: BoardContext, named: readonly Of[]) {
  const ids = (column: keyof Of) => named.flatMap((one) => one[column] ?? [])
  const labels = await findLabelsById(db, ids('label_id'))
  const users = await findUsersByIds(db, ids('assignee_id'))
  const milestones = await findMilestones(db, ids('milestone_id'))
  const view = { baseUrl, today: today(clock) }
  return {
    label({ label_id }: Of) {
      const label = labels.get(label_id ?? 0)
      return label ? presentBasicLabel(label) : null
    },
    assignee({ assignee_id }: Of) {
      const user = users.get(assignee_id ?? 0)
      return user ? presentBasicUser(user, baseUrl) : null
    },
    milestone({ milestone_id }: Of) {
      const milestone = milestones.get(milestone_id ?? 0)
      return milestone ? presentMilestone(milestone, view) : null
    },
  }
}

function presentList(
  list: BoardList,
  named: Awaited<ReturnType<typeof readNamed>>,
): Static<typeof BoardListJson> {
  const assignee = named.assignee(list)
  const milestone = named.milestone(list)
  return {
    id: list.id,
    label: named.label(list),
    position: list.position,
    ...(assignee && { assignee }),
    ...(milestone && { milestone }),
  }
}

export async function showBoardLists(context: BoardContext, lists: readonly BoardList[]) {
  const named = await readNamed(context, lists)
  return lists.map((list) => presentList(list, named))
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

export async function showBoards(context: BoardContext, boards: readonly Board[]) {
  const { db, config } = context
  const ids = boards.map(({ id }) => id)
  const lists = await findBoardListsByBoard(db, ids)
  const isPaid = config.tier !== 'free'
  const labels = isPaid ? await findScopeLabelsByBoard(db, ids) : new Map()
  const named = await readNamed(context, [...boards, ...[...lists.values()].flat()])
  const parent = await showParent(context)
  return boards.map((board) => ({
    id: board.id,
    name: board.name,
    hide_backlog_list: board.hide_backlog_list,
    hide_closed_list: board.hide_closed_list,
    ...parent,
    lists: (lists.get(board.id) ?? []).map((list) => presentList(list, named)),
    ...(isPaid && {
      milestone: named.milestone(board),
      assignee: named.assignee(board),
      labels: (labels.get(board.id) ?? []).map(presentBasicLabel),
      weight: board.weight,
    }),
  }))
}
