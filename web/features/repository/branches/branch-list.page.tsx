import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { may, type ProjectRecord, useProject } from '../../../api/project.ts'
import { need, readAll, useApi } from '../../../api/use-api.ts'
import { refs } from '../../../text/code.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { RefPicker } from '../../../ui/combobox/ref-picker.tsx'
import { confirmThen, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { tell } from '../../../ui/toast/toast.tsx'

type Branch = Answer<'GET /projects/:id/repository/branches'>[number]

function inputOf({ place, url: { searchParams } }: AtPlace) {
  const search = searchParams.get('search')
  return {
    id: place.id,
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
  }
}

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/repository/branches', inputOf(at))],
  View: BranchList,
}

function BranchList({ at }: { at: AtPlace }) {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /projects/:id/repository/branches', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const [isNew, setNew] = useState(false)
  const mayPush = may(project, 'push_code')
  return (
    <Page
      title={refs.branches}
      actions={
        mayPush && project ? (
          <>
            <Button onClick={() => void askToRemoveMerged(project)}>{refs.removeMerged}</Button>
            <Button look="primary" onClick={() => setNew(true)}>
              {refs.newBranch}
            </Button>
          </>
        ) : null
      }
    >
      <ListFilter label={refs.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? <Blank title={refs.none} /> : null}
      {data && data.length > 0 ? (
        <List label={refs.branches}>
          {data.map((branch) => (
            <BranchRow
              key={branch.name}
              {...{ branch, project, mayPush }}
              base={baseOf(at.place)}
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {isNew && project ? <NewBranch project={project} onClose={() => setNew(false)} /> : null}
    </Page>
  )
}

type RowProps = {
  branch: Branch
  project: ProjectRecord | undefined
  base: string
  mayPush: boolean
}

function BranchRow({ branch, project, base, mayPush }: RowProps) {
  const main = project?.default_branch
  return (
    <Row
      aside={
        <>
          <Time at={branch.commit.committed_date} />
          {main && !branch.default ? (
            <a href={`${base}/-/compare/${encodePath(main)}...${encodePath(branch.name)}`}>
              {refs.compare}
              <span class="only-spoken"> {branch.name}</span>
            </a>
          ) : null}
          {mayPush && project && !branch.default && !branch.protected ? (
            <Button look="quiet" onClick={() => askToRemove(project, branch)}>
              {refs.remove}
              <span class="only-spoken"> {branch.name}</span>
            </Button>
          ) : null}
        </>
      }
    >
      <div class="row">
        <a data-main class="mono" href={codeUrl(base, 'tree', branch.name)}>
          {branch.name}
        </a>
        {branch.default ? <Chip>{refs.default}</Chip> : null}
        {branch.protected ? <Chip>{refs.protected}</Chip> : null}
        {branch.merged && !branch.default ? <Chip tone="passed">{refs.merged}</Chip> : null}
      </div>
      <p class="muted one-line">
        <a href={`${base}/-/commit/${branch.commit.id}`}>{branch.commit.title}</a> ·{' '}
        {branch.commit.author_name}
      </p>
    </Row>
  )
}

const branchesUrl = ({ id }: ProjectRecord) => `/api/v4/projects/${id}/repository/branches`

function askToRemove(project: ProjectRecord, { name, commit }: Branch): void {
  confirmThen({
    title: refs.removeBranch(name),
    text: refs.removeText,
    action: refs.remove,
    run: async () => {
      await call('DELETE /projects/:id/repository/branches/:branch', {
        id: project.id,
        branch: name,
      })
      touch(branchesUrl(project))
      tell(refs.removed(name), {
        undo: () => {
          const again = { id: project.id, branch: name, ref: commit.id }
          void call('POST /projects/:id/repository/branches', again).then(() =>
            touch(branchesUrl(project)),
          )
        },
      })
    },
  })
}

/** Names them first. */
async function askToRemoveMerged(project: ProjectRecord): Promise<void> {
  const all = await readAll('GET /projects/:id/repository/branches', { id: project.id })
  const merged = all.filter((branch) => branch.merged && !branch.default && !branch.protected)
  if (merged.length === 0) return tell(refs.removeMergedNone)
  confirmThen({
    title: refs.removeMerged,
    text: refs.removeMergedText(merged.map(({ name }) => name).join(', ')),
    action: refs.remove,
    run: async () => {
      await call('DELETE /projects/:id/repository/merged_branches', { id: project.id })
      touch(branchesUrl(project))
    },
  })
}

function NewBranch({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [from, setFrom] = useState(project.default_branch ?? '')
  return (
    <Dialog title={refs.newBranch} onClose={onClose}>
      <Form
        action={refs.create}
        onSubmit={async (values) => {
          await call('POST /projects/:id/repository/branches', {
            id: project.id,
            branch: values.text('branch'),
            ref: from,
          })
          touch(branchesUrl(project))
          onClose()
        }}
      >
        {(refusal) => (
          <>
            <TextField
              label={refs.name}
              name="branch"
              required
              problem={refusal?.problemOf('branch')}
            />
            <RefPicker projectId={project.id} value={from} label={refs.from} onPick={setFrom} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
