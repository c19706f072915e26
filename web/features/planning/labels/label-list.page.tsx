// The labels of a project, with those of the groups above it, or of a group; each is changed where it stands.
import { useState } from 'preact/hooks'
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import type { Label as LabelRecord } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { labels as words } from '../../../text/labels.ts'
import { ui } from '../../../text/ui.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { Label } from '../../../ui/label/label.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateLabels, labelListInput, labelRouteInput, labelRoutesOf } from './label-calls.ts'
import { LabelForm } from './label-form.tsx'

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [apiReadUrl(labelRoutesOf(place).list, labelListInput(place, url))],
  View: LabelList,
}

function LabelList({ at: { place } }: { at: PlaceLocation }) {
  const routes = labelRoutesOf(place)
  const input = labelListInput(place, currentUrl.value)
  const { data, page: pages, refusal, again } = useApi(routes.list, input)
  const can = useAbilities(place)
  const base = `${placeBasePath(place)}/-/labels`
  const mayWrite = can('write_labels')
  const isNew = place.rest === 'new'
  if (isNew && !mayWrite) return <NotFoundPage />
  return (
    <PlanningPage
      place={place}
      title={words.title}
      actions={
        mayWrite && !isNew ? (
          <ButtonLink look="primary" href={`${base}/new`}>
            {words.new}
          </ButtonLink>
        ) : null
      }
    >
      {isNew ? (
        <LabelForm
          onSave={async (texts) => {
            await call(routes.create, { id: place.id, ...texts })
            invalidateLabels()
            navigate(base, { replace: true })
            showToast(words.created(texts.name))
          }}
          onCancel={() => navigate(base)}
        />
      ) : null}
      <SearchField label={words.search} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <Nothing isSearched={'search' in input} /> : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((label) => (
            <LabelRow key={label.id} {...{ label, place, mayWrite }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </PlanningPage>
  )
}

function Nothing({ isSearched }: { isSearched: boolean }) {
  return (
    <EmptyState title={isSearched ? words.noMatches : words.empty}>
      <p>{isSearched ? words.noMatchesText : words.emptyText}</p>
    </EmptyState>
  )
}

type RowProps = { label: LabelRecord; place: Place; mayWrite: boolean }

function LabelRow({ label, place, mayWrite }: RowProps) {
  const [isEditing, setEditing] = useState(false)
  const routes = labelRoutesOf(place)
  const { name, color, description, subscribed } = label
  const base = `${placeBasePath(place)}/-/`
  const query = `?label_name[]=${encodeURIComponent(name)}`
  const isInherited = place.kind === 'project' && label.is_project_label === false
  const toggle = async () => {
    await call(subscribed ? routes.unsubscribe : routes.subscribe, labelRouteInput(place, label))
    invalidateLabels()
  }
  if (isEditing) {
    return (
      <ListRow>
        <LabelForm
          label={label}
          onSave={async ({ name: new_name, ...texts }) => {
            await call(routes.change, { ...labelRouteInput(place, label), ...texts, new_name })
            invalidateLabels()
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      </ListRow>
    )
  }
  return (
    <ListRow
      aside={
        <>
          <a href={`${base}issues${query}`}>
            {words.openIssues(label.open_issues_count ?? 0)}
            <span class="only-spoken"> {words.of(name)}</span>
          </a>
          <a href={`${base}merge_requests${query}`}>
            {words.openRequests(label.open_merge_requests_count ?? 0)}
            <span class="only-spoken"> {words.of(name)}</span>
          </a>
          <Button look="quiet" onClick={() => void toggle()}>
            {subscribed ? words.unsubscribe : words.subscribe}
            <span class="only-spoken"> {name}</span>
          </Button>
          {mayWrite && !isInherited ? (
            <LabelMenu label={label} place={place} onEdit={() => setEditing(true)} />
          ) : null}
        </>
      }
    >
      <div class="row">
        <Label name={name} color={color} href={`${base}issues${query}`} />
        {isInherited ? <Chip>{words.groupLabel}</Chip> : null}
      </div>
      {description ? <p class="muted">{description}</p> : null}
    </ListRow>
  )
}

function LabelMenu({
  label,
  place,
  onEdit,
}: {
  label: LabelRecord
  place: Place
  onEdit: () => void
}) {
  const { name } = label
  const isProject = place.kind === 'project'
  const { data: project } = useProject(place.id, { isAsked: isProject })
  const isInGroup = project?.namespace.kind === 'group'
  const canInGroup = useAbilities({
    kind: isInGroup ? 'group' : 'none',
    id: project?.namespace.id ?? 0,
  })
  const promote = () =>
    confirmBefore({
      title: words.promoteTitle(name),
      text: words.promoteText,
      action: words.promote,
      run: async () => {
        await call('PUT /projects/:id/labels/:name/promote', labelRouteInput(place, label))
        invalidateLabels()
        showToast(words.promoted(name))
      },
    })
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(labelRoutesOf(place).remove, labelRouteInput(place, label))
        invalidateLabels()
        showToast(words.removed(name))
      },
    })
  return (
    <Menu
      look="quiet"
      label={words.menu(name)}
      items={[
        { words: words.edit, run: onEdit },
        canInGroup('write_labels') && { words: words.promote, run: promote },
        { words: words.remove, run: remove, isDanger: true },
      ]}
    >
      <span aria-hidden="true">{ui.signs.more}</span>
    </Menu>
  )
}
