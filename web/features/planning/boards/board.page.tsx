// Issues of a project or a group as cards in lists. The address has the number of the board; without one it is the first.
import { useState } from 'preact/hooks'
import { useAbilities } from '../../../api/abilities.ts'
import { setCachedData } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useLiveList } from '../../../api/live-list.ts'
import type { Board } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { boards as words } from '../../../text/boards.ts'
import { issuables as issuableWords } from '../../../text/issues.ts'
import { ui } from '../../../text/ui.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  boardRoutesOf,
  boardsApiPath,
  boardsInput,
  invalidateBoards,
  isOwnIssueMove,
  issuesApiPath,
  loadBoardFilter,
} from './board-calls.ts'
import { AddList } from './board-column.tsx'
import { BoardLists } from './board-lists.tsx'

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [apiReadUrl(boardRoutesOf(place).boards, boardsInput(place))],
  prepare: async ({ url }) => {
    if (url.search !== '') await loadBoardFilter()
  },
  View: BoardPage,
}

type Over = 'new' | 'rename' | undefined

function BoardPage({ at: { place } }: { at: PlaceLocation }) {
  const { data: boards } = useApi(boardRoutesOf(place).boards, boardsInput(place))
  const can = useAbilities(place)
  const [over, setOver] = useState<Over>()
  const kind = place.kind === 'group' ? 'group_issues' : 'project_issues'
  useLiveList(`${kind}:${place.id}`, [issuesApiPath(place), boardsApiPath(place)], isOwnIssueMove)
  if (!boards) return null
  const { rest } = place
  const board = rest ? boards.find(({ id }) => String(id) === rest) : boards[0]
  if (rest && !board) return <NotFoundPage />
  const mayChange = can('write_boards')
  const add = (
    <Button look="primary" onClick={() => setOver('new')}>
      {words.new}
    </Button>
  )
  return (
    <PlanningPage
      place={place}
      title={board?.name ?? words.title}
      actions={
        board ? <BoardMenus {...{ place, board, boards, mayChange }} onOver={setOver} /> : null
      }
    >
      {board ? <BoardFilter place={place} /> : null}
      {board ? (
        <BoardLists key={board.id} {...{ place, board, mayChange }} mayMove={can('write_labels')} />
      ) : (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
          {mayChange ? add : null}
        </EmptyState>
      )}
      {over === 'new' ? (
        <NewBoard {...{ place, boards }} onClose={() => setOver(undefined)} />
      ) : null}
      {over === 'rename' && board ? (
        <RenameBoard place={place} board={board} onClose={() => setOver(undefined)} />
      ) : null}
    </PlanningPage>
  )
}

const BoardFilterBar = lazyComponent(loadBoardFilter)

/** Closed at first: on a phone it would push the cards away. */
function BoardFilter({ place }: { place: Place }) {
  const [isOpen, setOpen] = useState(currentUrl.value.search !== '')
  return (
    <details
      class="stack stack-close"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{issuableWords.filters}</summary>
      {isOpen ? <BoardFilterBar place={place} /> : null}
    </details>
  )
}

function BoardMenus({
  place,
  board,
  boards,
  mayChange,
  onOver,
}: {
  place: Place
  board: Board
  boards: readonly Board[]
  mayChange: boolean
  onOver: (over: Over) => void
}) {
  const base = `${placeBasePath(place)}/-/boards`
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(board.name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(boardRoutesOf(place).remove, { id: place.id, board_id: board.id })
        invalidateBoards(place)
        navigate(base, { replace: true })
        showToast(words.removed(board.name))
      },
    })
  return (
    <>
      {boards.length > 1 ? (
        <Menu
          label={words.switch}
          items={boards.map(({ id, name }) => ({ words: name, href: `${base}/${id}` }))}
        >
          {words.switch}
        </Menu>
      ) : null}
      {mayChange ? <AddList key={board.id} place={place} board={board} /> : null}
      {mayChange ? (
        <Menu
          look="quiet"
          label={words.menu}
          items={[
            { words: words.new, run: () => onOver('new') },
            { words: words.rename, run: () => onOver('rename') },
            { words: words.remove, run: remove, isDanger: true },
          ]}
        >
          <span aria-hidden="true">{ui.signs.more}</span>
        </Menu>
      ) : null}
    </>
  )
}

function NewBoard({
  place,
  boards,
  onClose,
}: {
  place: Place
  boards: readonly Board[]
  onClose: () => void
}) {
  return (
    <Dialog title={words.new} onClose={onClose}>
      <Form
        action={words.create}
        onSubmit={async (values) => {
          const made = await call(boardRoutesOf(place).create, {
            id: place.id,
            name: values.text('name'),
          })
          setCachedData(apiReadUrl(boardRoutesOf(place).boards, boardsInput(place)), [
            ...boards,
            made,
          ])
          onClose()
          navigate(`${placeBasePath(place)}/-/boards/${made.id}`)
        }}
      >
        <TextField label={words.name} name="name" required maxLength={255} />
      </Form>
    </Dialog>
  )
}

function RenameBoard({
  place,
  board,
  onClose,
}: {
  place: Place
  board: Board
  onClose: () => void
}) {
  return (
    <Dialog title={words.rename} onClose={onClose}>
      <Form
        action={words.save}
        onSubmit={async (values) => {
          const of = { id: place.id, board_id: board.id }
          await call(boardRoutesOf(place).change, { ...of, name: values.text('name') })
          invalidateBoards(place)
          onClose()
        }}
      >
        <TextField
          label={words.name}
          name="name"
          required
          maxLength={255}
          defaultValue={board.name}
        />
      </Form>
    </Dialog>
  )
}
