// The filters above a list of issues or merge requests: what is chosen stands beneath them and can be taken away.

import { issuableLists as listWords } from '../../text/issuable-lists.ts'
import { issuables as words } from '../../text/issues.ts'
import { ui } from '../../text/ui.ts'
import type { ComboboxChoice } from '../../ui/combobox/combobox.tsx'
import { CheckField, SelectField, TextField } from '../../ui/field/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { currentUrl, replaceUrl } from '../../ui/navigation.ts'
import { type PickedChoice, Picker } from '../../ui/picker/picker.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'
import {
  hasActiveIssuableFilter,
  type IssuableFilter,
  type IssuableFilterName,
  parseIssuableFilter,
  urlWithIssuableFilter,
} from './filter.ts'
import './filter-bar.css'

export type FilterFinders = {
  people: (search: string) => Promise<readonly PickedChoice[]>
  labels: (search: string) => Promise<readonly PickedChoice[]>
  milestones: (search: string) => Promise<readonly PickedChoice[]>
}

type Kind = 'issue' | 'merge_request'

const none: PickedChoice = { value: 'None', words: words.none }

/** People by their user names, as the address has them. */
const byUsername = (find: FilterFinders['people']) => async (search: string) =>
  (await find(search)).map(({ words: name, detail = '' }) => ({
    value: detail.slice(1),
    words: name,
    detail,
  }))

const orNone =
  (find: (search: string) => Promise<readonly PickedChoice[]>) => async (search: string) =>
    search === '' ? [none, ...(await find(search))] : find(search)

const asTitles = (find: FilterFinders['milestones']) => async (search: string) =>
  (await find(search)).map(({ words: title }) => ({ value: title, words: title }))

const choices = (value: string): ComboboxChoice[] => (value === '' ? [] : [{ value, words: value }])

export function IssuableFilterBar({
  kind,
  searchLabel,
  finds,
  isUnordered = false,
}: {
  kind: Kind
  searchLabel: string
  finds: FilterFinders
  /** Where the reader does not choose the order. */
  isUnordered?: boolean
}) {
  const url = currentUrl.value
  const filter = parseIssuableFilter(url)
  const choose = (name: IssuableFilterName) => (chosen: readonly PickedChoice[]) =>
    replaceUrl(
      urlWithIssuableFilter(currentUrl.value, { [name]: chosen.map(({ value }) => value) }),
    )
  const people = byUsername(finds.people)
  return (
    <div class="stack stack-close">
      <div class="filter-bar">
        <div class="filter-bar-search">
          <SearchField label={searchLabel} />
        </div>
        <Picker
          label={words.author}
          chosen={choices(filter.author)}
          find={people}
          onChoose={choose('author')}
        >
          <span class="button-opens">{words.author}</span>
        </Picker>
        <Picker
          label={words.assignee}
          chosen={choices(filter.assignee)}
          find={orNone(people)}
          onChoose={choose('assignee')}
        >
          <span class="button-opens">{words.assignee}</span>
        </Picker>
        {kind === 'merge_request' ? (
          <Picker
            label={words.reviewers}
            chosen={choices(filter.reviewer)}
            find={orNone(people)}
            onChoose={choose('reviewer')}
          >
            <span class="button-opens">{words.reviewers}</span>
          </Picker>
        ) : null}
        <Picker
          isMulti
          label={words.labels}
          chosen={filter.labels.map((name) => ({ value: name, words: name }))}
          find={finds.labels}
          onChoose={choose('labels')}
        >
          <span class="button-opens">{words.labels}</span>
        </Picker>
        <Picker
          label={words.milestone}
          chosen={choices(filter.milestone)}
          find={orNone(asTitles(finds.milestones))}
          onChoose={choose('milestone')}
        >
          <span class="button-opens">{words.milestone}</span>
        </Picker>
        {isUnordered ? null : (
          <SelectField
            isLabelHidden
            label={listWords.sort}
            options={listWords.sorts}
            value={filter.sort}
            onChange={(event) =>
              replaceUrl(
                urlWithIssuableFilter(currentUrl.value, { sort: event.currentTarget.value }),
              )
            }
          />
        )}
      </div>
      <MoreFilters kind={kind} filter={filter} />
      <Active filter={filter} url={url} />
    </div>
  )
}

/** Filters that few people need every day. */
function MoreFilters({ kind, filter }: { kind: Kind; filter: IssuableFilter }) {
  return (
    <details class="filter-bar-more">
      <summary>{listWords.moreFilters}</summary>
      <Form
        key={JSON.stringify(filter)}
        action={listWords.applyFilters}
        label={listWords.moreFilters}
        onSubmit={(values) => {
          const labels = values.text('notLabels').split(',')
          replaceUrl(
            urlWithIssuableFilter(currentUrl.value, {
              notLabels: labels.map((name) => name.trim()),
              notAuthor: values.text('notAuthor').trim().replace(/^@/, ''),
              createdAfter: values.text('createdAfter'),
              createdBefore: values.text('createdBefore'),
              ...(kind === 'issue'
                ? { due: values.text('due'), confidential: values.has('confidential') ? 'yes' : '' }
                : {}),
            }),
          )
        }}
      >
        <div class="filter-bar-fields">
          <TextField
            label={listWords.excludeLabels}
            hint={listWords.excludeLabelsHint}
            name="notLabels"
            defaultValue={filter.notLabels.join(', ')}
          />
          <TextField
            label={listWords.excludeAuthor}
            name="notAuthor"
            defaultValue={filter.notAuthor}
          />
          <TextField
            label={listWords.createdAfter}
            name="createdAfter"
            type="date"
            defaultValue={filter.createdAfter}
          />
          <TextField
            label={listWords.createdBefore}
            name="createdBefore"
            type="date"
            defaultValue={filter.createdBefore}
          />
          {kind === 'issue' ? (
            <>
              <SelectField
                label={words.due}
                name="due"
                options={listWords.dueOptions}
                value={filter.due}
              />
              <CheckField
                label={listWords.confidentialOnly}
                name="confidential"
                defaultChecked={filter.confidential === 'yes'}
              />
            </>
          ) : null}
        </div>
      </Form>
    </details>
  )
}

function Active({ filter, url }: { filter: IssuableFilter; url: URL }) {
  if (!hasActiveIssuableFilter(filter)) return null
  const { filterIs, filterIsNot } = words
  const due = listWords.dueOptions.find(([value]) => value === filter.due)?.[1] ?? filter.due
  const all: (readonly [string, Parameters<typeof urlWithIssuableFilter>[1]] | false)[] = [
    filter.search !== '' && [filterIs(listWords.text, filter.search), { search: '' }],
    filter.author !== '' && [filterIs(words.author, filter.author), { author: '' }],
    filter.notAuthor !== '' && [filterIsNot(words.author, filter.notAuthor), { notAuthor: '' }],
    filter.assignee !== '' && [filterIs(words.assignee, filter.assignee), { assignee: '' }],
    filter.reviewer !== '' && [filterIs(words.reviewers, filter.reviewer), { reviewer: '' }],
    filter.milestone !== '' && [filterIs(words.milestone, filter.milestone), { milestone: '' }],
    ...filter.labels.map(
      (name) =>
        [
          filterIs(words.label, name),
          { labels: filter.labels.filter((one) => one !== name) },
        ] as const,
    ),
    ...filter.notLabels.map(
      (name) =>
        [
          filterIsNot(words.label, name),
          { notLabels: filter.notLabels.filter((one) => one !== name) },
        ] as const,
    ),
    filter.confidential !== '' && [listWords.confidentialOnly, { confidential: '' }],
    filter.due !== '' && [filterIs(words.due, due), { due: '' }],
    filter.createdAfter !== '' && [
      filterIs(listWords.createdAfter, filter.createdAfter),
      { createdAfter: '' },
    ],
    filter.createdBefore !== '' && [
      filterIs(listWords.createdBefore, filter.createdBefore),
      { createdBefore: '' },
    ],
  ]
  return (
    <ul class="row" aria-label={words.filters}>
      {all.map((one) =>
        one ? (
          <li key={one[0]}>
            <a
              class="chip filter-bar-chip"
              href={urlWithIssuableFilter(url, one[1])}
              aria-label={listWords.removeFilter(one[0])}
            >
              {one[0]} <span aria-hidden="true">{ui.signs.remove}</span>
            </a>
          </li>
        ) : null,
      )}
      <li>
        <a href={clearedUrl(url)}>{words.clearFilters}</a>
      </li>
    </ul>
  )
}

/** The list in its state and order, without any filter. */
function clearedUrl({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams()
  for (const name of ['state', 'sort']) {
    const value = searchParams.get(name)
    if (value) query.set(name, value)
  }
  const text = query.toString()
  return pathname + (text === '' ? '' : `?${text}`)
}
