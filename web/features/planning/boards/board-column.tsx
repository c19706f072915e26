// A list of a board.
import type { ComponentChildren, RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { Board, BoardList, Issue } from '../../../api/operations.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { boards as words } from '../../../text/boards.ts'
import { formatCount } from '../../../text/numbers.ts'
import { ui } from '../../../text/ui.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { choiceOfPerson } from '../../../ui/combobox/finders.ts'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { useKeepFocusInList } from '../../../ui/kept-focus.ts'
import { Label } from '../../../ui/label/label.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import type { Place } from '../../../ui/page-module.ts'
import { type PickedChoice, Picker } from '../../../ui/picker/picker.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import {
  type BoardColumnOfIssues,
  boardFilter,
  boardRoutesOf,
  invalidateBoards,
  issueListInputOfColumn,
  newIssueFieldsOfColumn,
  reloadBoardIssues,
} from './board-calls.ts'
import { DragHandle, IssueCard } from './board-card.tsx'
import { type CardMove, issuesOfColumnAfterMoves } from './moves.ts'

const nothing: Issue[] = []
const first_cards = 20
const more_cards = 100

type Step = { columns?: number; rows?: number }

type Props = {
  place: Place
  board: Board
  column: BoardColumnOfIssues
  columns: readonly BoardColumnOfIssues[]
  moves: readonly CardMove[]
  mayMove: boolean
  mayChange: boolean
  /** While something is dragged, the list stays as it is. */
  isDragging: RefObject<boolean>
  /** Whether the board is about to focus a card itself. */
  isFocusing: () => boolean
  onShown: (issues: readonly Issue[]) => void
  onStep: (issue: Issue, step: Step) => void
  onMoveBy: (issue: Issue, step: Step) => void
  onMoveTo: (issue: Issue, to: BoardColumnOfIssues) => void
  /** Moves the list by some places to the right, or to the left by a negative number. */
  onMoveList: (list: BoardList, by: number) => void
}

export function BoardColumn(props: Props) {
  const { place, board, column, columns, moves, mayMove, mayChange } = props
  const [pages, setPages] = useState(0)
  const [isAdding, setAdding] = useState(false)
  const asked = issueListInputOfColumn(place, board, column, boardFilter())
  const read = useAllPages(
    boardRoutesOf(place).issues,
    // Who wants more than the first cards gets a hundred at a time: a long list is read again in few requests.
    asked && { ...asked, per_page: pages === 0 ? first_cards : more_cards },
    Math.max(1, pages),
  )
  const { data, page, refusal, again } = asked ? read : { ...read, data: nothing }
  const section = useRef<HTMLElement>(null)
  useKeepFocusInList(section, {
    row: '.board-card',
    main: '.board-title',
    isElsewhere: props.isFocusing,
  })
  const known = useRef({ data, page })
  if (data && !props.isDragging.current) known.current = { data, page }
  const { data: told, page: told_page } = known.current
  const issues = useMemo(
    () => issuesOfColumnAfterMoves(column, told ?? [], moves),
    [told, moves, column.key],
  )
  props.onShown(issues)
  const { list, title } = column
  const total = (told_page?.total ?? told?.length ?? 0) + issues.length - (told?.length ?? 0)
  // An element for each issue as long as it is the same: a thousand cards are not compared for each press.
  const cards = useMemo(() => new WeakMap<Issue, ComponentChildren>(), [board, mayMove])
  const cardOf = (issue: Issue) => {
    const made = cards.get(issue) ?? (
      <IssueCard
        key={issue.id}
        {...{ issue, column, columns }}
        isWithProject={place.kind === 'group'}
        onStep={(step) => props.onStep(issue, step)}
        mover={
          mayMove
            ? {
                toColumn: (to) => props.onMoveTo(issue, to),
                by: (step) => props.onMoveBy(issue, step),
              }
            : undefined
        }
      />
    )
    cards.set(issue, made)
    return made
  }
  const removeList = () =>
    confirmBefore({
      title: words.removeListTitle(title),
      text: words.removeListText,
      action: words.removeList,
      run: async () => {
        if (!list) return
        const of = { id: place.id, board_id: board.id, list_id: list.id }
        await call(boardRoutesOf(place).removeList, of)
        invalidateBoards(place)
      },
    })
  return (
    <section
      class="board-column"
      ref={section}
      data-column={column.key}
      data-list={mayChange && list ? list.id : undefined}
      aria-label={title}
    >
      <div class="board-column-head">
        {mayChange && list ? <DragHandle /> : null}
        <h2 class="grow">{list ? <ListTitle list={list} /> : title}</h2>
        <span class="muted">{formatCount(total)}</span>
        {mayChange && list ? (
          <Menu
            look="quiet"
            label={words.listMenu(title)}
            items={[
              list.position > 0 && {
                words: words.moveListLeft,
                run: () => props.onMoveList(list, -1),
              },
              list.position < board.lists.length - 1 && {
                words: words.moveListRight,
                run: () => props.onMoveList(list, 1),
              },
              { words: words.removeList, run: removeList, isDanger: true },
            ]}
          >
            <span aria-hidden="true">{ui.signs.more}</span>
          </Menu>
        ) : null}
      </div>
      {mayMove && column.kind !== 'closed' ? (
        isAdding ? (
          <AddIssue {...{ place, board, column, issues }} onDone={() => setAdding(false)} />
        ) : (
          <Button look="quiet" aria-label={words.addIssueTo(title)} onClick={() => setAdding(true)}>
            {words.addIssue}
          </Button>
        )
      ) : null}
      {refusal && !told ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {told && issues.length === 0 ? <p class="board-empty muted">{words.emptyList}</p> : null}
      {issues.length > 0 ? <ul class="board-cards">{issues.map(cardOf)}</ul> : null}
      {page?.next ? (
        <Button look="quiet" onClick={() => setPages(pages + 1)}>
          {words.showMore}
          <span class="muted"> {words.shownOf(issues.length, total)}</span>
        </Button>
      ) : null}
    </section>
  )
}

function AddIssue({
  place,
  board,
  column,
  issues,
  onDone,
}: {
  place: Place
  board: Board
  column: BoardColumnOfIssues
  issues: readonly Issue[]
  onDone: () => void
}) {
  const isGroup = place.kind === 'group'
  return (
    <Form
      action={words.addIssue}
      label={words.addIssueTo(column.title)}
      onSubmit={async (values) => {
        const id = isGroup ? Number(values.text('project_id')) : place.id
        const made = await call('POST /projects/:id/issues', {
          id,
          title: values.text('title'),
          ...newIssueFieldsOfColumn(board, column),
        })
        // First in its list, where it is seen.
        const first = issues.find(({ project_id }) => project_id === id)
        if (first) {
          await call('PUT /projects/:id/issues/:issue_iid/reorder', {
            id,
            issue_iid: made.iid,
            move_before_id: first.id,
          })
        }
        await reloadBoardIssues(place, board, [column])
        onDone()
      }}
      more={<Button onClick={onDone}>{ui.cancel}</Button>}
    >
      <TextField label={words.issueTitle} name="title" required maxLength={255} autoFocus />
      {isGroup ? (
        <Combobox required label={words.project} name="project_id" find={findProjects(place.id)} />
      ) : null}
    </Form>
  )
}

const findProjects = (id: number) => async (search: string) => {
  const found = await call('GET /groups/:id/projects', {
    id,
    include_subgroups: true,
    archived: false,
    per_page: 20,
    ...(search === '' ? {} : { search }),
  })
  return found.map((project) => ({ value: String(project.id), words: project.name_with_namespace }))
}

function ListTitle({ list: { label, assignee, milestone } }: { list: BoardList }) {
  if (label) return <Label name={label.name} color={label.color} />
  if (assignee) {
    return (
      <span class="row">
        <Avatar name={assignee.name} url={assignee.avatar_url} size={20} />
        {assignee.name}
      </span>
    )
  }
  return (
    <>
      <span class="muted">{words.milestone} </span>
      {milestone?.title}
    </>
  )
}

const choices_max = 20

/** The choice of a label, a member or a milestone that has no list on the board yet. */
export function AddList({ place, board }: { place: Place; board: Board }) {
  const { labels, members, milestones, addList } = boardRoutesOf(place)
  const find = async (search: string): Promise<PickedChoice[]> => {
    const asked = { id: place.id, per_page: choices_max }
    const searched = search === '' ? asked : { ...asked, search }
    const [foundLabels, people, foundMilestones] = await Promise.all([
      call(labels, { ...searched, include_ancestor_groups: true }),
      call(members, search === '' ? asked : { ...asked, query: search }),
      call(milestones, { ...searched, state: 'active', include_ancestors: true }),
    ])
    const known = new Set(board.lists.map(valueOfList))
    const choices: PickedChoice[] = [
      ...foundLabels.map(({ id, name, color }) => ({ value: `label-${id}`, words: name, color })),
      ...people.map((person) => ({ ...choiceOfPerson(person), value: `assignee-${person.id}` })),
      ...foundMilestones.map(({ id, title }) => ({
        value: `milestone-${id}`,
        words: title,
        detail: words.milestone,
      })),
    ]
    return choices.filter(({ value }) => !known.has(value))
  }
  const add = async ([choice]: readonly PickedChoice[]) => {
    if (!choice) return
    const [kind, id] = choice.value.split('-')
    await call(addList, { id: place.id, board_id: board.id, [`${kind}_id`]: Number(id) })
    invalidateBoards(place)
  }
  return (
    <Picker label={words.listScope} chosen={[]} find={find} onChoose={add}>
      {words.addList}
    </Picker>
  )
}

const valueOfList = ({ label, assignee, milestone }: BoardList) =>
  label ? `label-${label.id}` : assignee ? `assignee-${assignee.id}` : `milestone-${milestone?.id}`
