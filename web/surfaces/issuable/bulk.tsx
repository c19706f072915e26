// Many issues or merge requests changed at once: those selected in a list, one request each.
import { useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'
import { issuableLists as listWords } from '../../text/issuable-lists.ts'
import { issuables, issues } from '../../text/issues.ts'
import { Button } from '../../ui/button/button.tsx'
import { useKeyActions } from '../../ui/keys.ts'
import { Picker } from '../../ui/picker/picker.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { showToast } from '../../ui/toast/toast.tsx'
import type { FilterFinders } from './filter-bar.tsx'
import './bulk.css'
import './issuable.css'

type Thing = { id: number; iid: number; project_id: number; title: string }

export type RowSelection<T> = {
  chosen: readonly T[]
  has: (thing: T) => boolean
  toggle: (thing: T) => void
  toggleAll: () => void
  deselect: (things: readonly T[]) => void
}

export type BulkIssuableChanges = {
  state_event?: 'close' | 'reopen'
  add_labels?: string[]
  remove_labels?: string[]
  milestone_id?: number
  assignee_ids?: number[]
}

/** Which of the list are selected; what has left the list is not. */
export function useRowSelection<T extends Thing>(list: readonly T[]): RowSelection<T> {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const chosen = list.filter(({ id }) => ids.has(id))
  const toggle = ({ id }: T) =>
    setIds((now) => {
      const next = new Set(now)
      if (!next.delete(id)) next.add(id)
      return next
    })
  useKeyActions([
    {
      name: listWords.selectItem,
      keys: 'x',
      isListed: false,
      run: () => {
        const row = document.activeElement?.closest('.list-row')
        row?.querySelector<HTMLInputElement>('.issuable-select')?.click()
      },
    },
  ])
  return {
    chosen,
    has: ({ id }) => ids.has(id),
    toggle,
    toggleAll: () =>
      setIds(chosen.length === list.length ? new Set() : new Set(list.map(({ id }) => id))),
    deselect: (things) =>
      setIds((now) => new Set([...now].filter((id) => !things.some((thing) => thing.id === id)))),
  }
}

export function BulkBar<T extends Thing>({
  selection,
  finds,
  change,
  onDone,
}: {
  selection: RowSelection<T>
  finds: FilterFinders
  change: (thing: T, changes: BulkIssuableChanges) => Promise<unknown>
  onDone: () => void
}) {
  /** `of` stays what it was at the start: others may change the list meanwhile. */
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const [refusal, setRefusal] = useState<Refusal>()
  const { chosen } = selection
  if (chosen.length === 0 && !progress) return null
  const apply = async (changes: BulkIssuableChanges) => {
    setRefusal(undefined)
    const of = chosen.length
    let count = 0
    setProgress({ done: count, of })
    try {
      for (const thing of chosen) {
        await change(thing, changes)
        count += 1
        setProgress({ done: count, of })
      }
      showToast(listWords.bulkDone(count))
      // The list may show the changes before they are all answered, and more be selected then.
      selection.deselect(chosen)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    }
    setProgress(undefined)
    onDone()
  }
  const isBusy = progress !== undefined
  return (
    <section class="bulk" aria-label={listWords.bulk}>
      <strong role="status">
        {progress
          ? listWords.bulkProgress(progress.done, progress.of)
          : listWords.selected(chosen.length)}
      </strong>
      <Button look="quiet" onClick={selection.toggleAll}>
        {listWords.selectAll}
      </Button>
      <Button isBusy={isBusy} onClick={() => void apply({ state_event: 'close' })}>
        {issues.closeWord}
      </Button>
      <Button isBusy={isBusy} onClick={() => void apply({ state_event: 'reopen' })}>
        {issues.reopenWord}
      </Button>
      <Picker
        isMulti
        label={issuables.labels}
        chosen={[]}
        find={finds.labels}
        onChoose={(labels) => apply({ add_labels: labels.map(({ value }) => value) })}
      >
        {listWords.addLabels}
      </Picker>
      <Picker
        isMulti
        label={issuables.labels}
        chosen={[]}
        find={finds.labels}
        onChoose={(labels) => apply({ remove_labels: labels.map(({ value }) => value) })}
      >
        {listWords.removeLabels}
      </Picker>
      <Picker
        label={issuables.milestone}
        chosen={[]}
        find={finds.milestones}
        onChoose={([one]) => apply({ milestone_id: Number(one?.value ?? 0) })}
      >
        {listWords.setMilestone}
      </Picker>
      <Picker
        label={issuables.assignee}
        chosen={[]}
        find={finds.people}
        onChoose={([one]) => apply({ assignee_ids: one ? [Number(one.value)] : [] })}
      >
        {listWords.setAssignee}
      </Picker>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
    </section>
  )
}
