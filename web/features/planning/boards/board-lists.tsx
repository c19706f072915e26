// The lists of a board side by side. A card or a list that is moved is shown in its new place at once, and taken back if
// the server refuses.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { updateOptimistically } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Board, BoardList, Issue } from '../../../api/operations.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import { boards as words } from '../../../text/boards.ts'
import type { Place } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  type BoardColumnOfIssues,
  boardListsAfterMove,
  boardRoutesOf,
  boardsInput,
  columnsOfBoard,
  invalidateBoards,
  leavesColumnWhenMoved,
  recordOwnIssueMove,
  reloadBoardIssues,
  titleOfBoardList,
} from './board-calls.ts'
import { cardId } from './board-card.tsx'
import { BoardColumn } from './board-column.tsx'
import { type CardMove, issueAfterMove, saveCardMove } from './moves.ts'
import { type CardDrop, type ListDrop, useDrag } from './use-drag.ts'
import './board.css'

type Step = { columns?: number; rows?: number }

export function BoardLists({
  place,
  board: given,
  mayMove,
  mayChange,
}: {
  place: Place
  board: Board
  mayMove: boolean
  mayChange: boolean
}) {
  // What others change meanwhile would pull away what is dragged, or what it is dropped on.
  const isDragging = useRef(false)
  const [, draw] = useState(0)
  const known = useRef(given)
  if (!isDragging.current) known.current = given
  const board = known.current
  const columns = columnsOfBoard(board)
  const box = useRef<HTMLElement>(null)
  const [moves, setMoves] = useState<readonly CardMove[]>([])
  /** The cards of each list, as they are on the page. */
  const shown = useRef(new Map<string, readonly Issue[]>())
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  /** The selector of what gets the focus once the page has drawn it. */
  const focused = useRef('')
  useLayoutEffect(() => {
    const target = focused.current ? box.current?.querySelector<HTMLElement>(focused.current) : null
    if (!target) return
    focused.current = ''
    target.focus()
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const cardsOf = ({ key }: BoardColumnOfIssues) => shown.current.get(key) ?? []

  /** One after the other: places depend on each other. */
  const enqueue = (perform: () => Promise<void>) => {
    queue.current = queue.current.then(perform).catch((error: unknown) => {
      // The page tells what was refused; the next move is not held up by it.
      void Promise.reject(error)
    })
  }

  const start = (asked: CardMove, { isFocused }: { isFocused: boolean }) => {
    const { from, to, index } = asked
    const move = { ...asked, issue: issueAfterMove(asked, board) }
    const others = cardsOf(to).filter(({ id }) => id !== asked.issue.id)
    const isSame = from.key === to.key
    if (isSame && cardsOf(from)[index]?.id === asked.issue.id) return
    // Where the card is now, for the next press of a key, which may come before the page is drawn.
    if (leavesColumnWhenMoved(from, to)) {
      shown.current.set(
        from.key,
        cardsOf(from).filter(({ id }) => id !== asked.issue.id),
      )
    }
    shown.current.set(to.key, [...others.slice(0, index), move.issue, ...others.slice(index)])
    if (isFocused) focused.current = `#${cardId(to, move.issue)}`
    setMoves((now) => [...now, move])
    const takeBack = () => setMoves((now) => now.filter((one) => one !== move))
    // Where the card is: in several lists if it has several labels, or an assignee or a milestone beside.
    const isIn = (column: BoardColumnOfIssues) =>
      cardsOf(column).some(({ id }) => id === asked.issue.id)
    const concerned = columns.filter(
      (column) =>
        // An issue that is reopened comes back to all its lists.
        from.kind === 'closed' || isIn(column) || column.key === from.key || column.key === to.key,
    )
    const perform = async () => {
      const end = recordOwnIssueMove(asked.issue.id)
      try {
        await saveCardMove(asked, board, others)
        const { title } = move.issue
        showToast(
          isSame
            ? words.movedWithin(title, index + 1, others.length + 1)
            : words.moved(title, to.title),
        )
        await reloadBoardIssues(place, board, concerned)
        takeBack()
      } catch (error) {
        if (isFocused) focused.current = `#${cardId(from, move.issue)}`
        takeBack()
        await reloadBoardIssues(place, board, concerned)
        throw error
      } finally {
        end()
      }
    }
    enqueue(perform)
  }

  const moveList = (list: BoardList, position: number, { isFocused }: { isFocused: boolean }) => {
    if (position === list.position) return
    const lists = boardListsAfterMove(board.lists, list, position)
    const takeBack = updateOptimistically<Board[]>(
      apiReadUrl(boardRoutesOf(place).boards, boardsInput(place)),
      (boards) => boards.map((one) => (one.id === board.id ? { ...one, lists } : one)),
    )
    const focus = () => {
      if (isFocused) focused.current = `[data-list="${list.id}"] .board-column-head button`
    }
    focus()
    enqueue(async () => {
      try {
        const of = { id: place.id, board_id: board.id, list_id: list.id }
        await call(boardRoutesOf(place).moveList, { ...of, position })
        showToast(words.listMoved(titleOfBoardList(list), position + 1, lists.length))
      } catch (error) {
        focus()
        takeBack()
        throw error
      } finally {
        invalidateBoards(place)
      }
    })
  }

  /** The list that is some steps beside another one. */
  const beside = (column: BoardColumnOfIssues, step: number) =>
    columns[columns.findIndex(({ key }) => key === column.key) + step]

  const moveBy = (issue: Issue, from: BoardColumnOfIssues, { columns: aside, rows = 0 }: Step) => {
    const to = aside ? beside(from, aside) : from
    if (!to) return
    const at = cardsOf(from).findIndex(({ id }) => id === issue.id)
    const index = aside ? 0 : Math.max(0, Math.min(cardsOf(from).length - 1, at + rows))
    start({ issue, from, to, index }, { isFocused: true })
  }

  const step = (issue: Issue, from: BoardColumnOfIssues, { columns: aside, rows = 0 }: Step) => {
    const at = cardsOf(from).findIndex(({ id }) => id === issue.id)
    let to: BoardColumnOfIssues | undefined = from
    // Lists without a card are passed over.
    if (aside)
      do to = beside(to, aside)
      while (to && cardsOf(to).length === 0)
    if (!to) return
    const cards = cardsOf(to)
    const card = cards[Math.min(at + rows, cards.length - 1)]
    if (card) document.getElementById(cardId(to, card))?.focus()
  }

  const drop = ({ card, from: fromKey, to: toKey, index }: CardDrop) => {
    const from = columns.find(({ key }) => key === fromKey)
    const to = columns.find(({ key }) => key === toKey)
    const issue = from && cardsOf(from).find(({ id }) => String(id) === card)
    if (from && to && issue) start({ issue, from, to, index }, { isFocused: false })
  }
  const dropList = ({ list: key, index }: ListDrop) => {
    const dropped = columns.find((column) => column.key === key)?.list
    if (dropped) moveList(dropped, index, { isFocused: false })
  }
  useDrag(box, {
    onCard: mayMove ? drop : undefined,
    onList: mayChange ? dropList : undefined,
    onDragging: (now) => {
      isDragging.current = now
      if (!now) draw((count) => count + 1)
    },
  })

  return (
    <>
      {mayMove ? <p class="board-keys muted">{words.keys}</p> : null}
      <section class="board" ref={box} aria-label={words.lists}>
        {columns.map((column) => (
          <BoardColumn
            key={column.key}
            {...{ place, board, column, columns, moves, mayMove, mayChange, isDragging }}
            isFocusing={() => focused.current !== ''}
            onShown={(issues) => shown.current.set(column.key, issues)}
            onStep={(issue, to) => step(issue, column, to)}
            onMoveBy={(issue, to) => moveBy(issue, column, to)}
            onMoveTo={(issue, to) =>
              start({ issue, from: column, to, index: 0 }, { isFocused: true })
            }
            onMoveList={(list, by) => moveList(list, list.position + by, { isFocused: true })}
          />
        ))}
      </section>
    </>
  )
}
