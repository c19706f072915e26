// One commit, written in the browser: the file of the address, and others beside it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, projectInput, useProject } from '../../../api/project.ts'
import { Refusal } from '../../../api/refusal.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { fileEditingText } from '../../../text/editing.ts'
import { formatBytes } from '../../../text/numbers.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { encodePath, navigate } from '../../../ui/navigation.ts'
import { branchToCommitTo } from '../../../ui/own-branch.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import { FileConflict, type FileConflictState } from './conflict.tsx'
import { DraftView } from './draft-view.tsx'
import {
  classifyFileDraftChange,
  commitActionOfFileDraft,
  createDraftFromUpload,
  createFileDraft,
  type FileDraft,
  fetchCurrentFile,
  fileDraftOf,
  fileDraftStorage,
  isStaleFileRefusal,
  suggestCommitTitle,
} from './drafts.ts'
import './edit.css'

const upload_max = 10 * 1024 * 1024

function fileInput({ id, section, path, ref, entry_type }: Place) {
  if (section !== 'edit' || !path || entry_type !== 'blob') return undefined
  return { id, file_path: path, ref: ref ?? 'HEAD' }
}

function branchInput({ id, ref, ref_type }: Place) {
  return ref !== null && ref_type === 'branch' ? { id, branch: ref } : undefined
}

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => {
    const file = fileInput(place)
    const branch = branchInput(place)
    return [
      apiReadUrl('GET /projects/:id', projectInput(place.id)),
      file && apiReadUrl('GET /projects/:id/repository/files/:file_path', file),
      branch && apiReadUrl('GET /projects/:id/repository/branches/:branch', branch),
    ]
  },
  View: ({ at }) =>
    at.place.section === 'edit' && at.place.entry_type !== 'blob' ? (
      <NoFile at={at} />
    ) : (
      <Edit at={at} />
    ),
}

function NoFile({ at: { place } }: { at: PlaceLocation }) {
  return (
    <Page title={fileEditingText.noFile(place.path || (place.rest ?? ''))}>
      <EmptyState title={fileEditingText.noFileText}>
        <ButtonLink href={placeBasePath(place)}>{fileEditingText.viewCode}</ButtonLink>
      </EmptyState>
    </Page>
  )
}

function Edit({ at: { place, url } }: { at: PlaceLocation }) {
  const { data: project } = useProject(place.id)
  const { data: file } = useApi('GET /projects/:id/repository/files/:file_path', fileInput(place))
  const { data: on } = useApi('GET /projects/:id/repository/branches/:branch', branchInput(place))
  const key = `draft:${url.pathname}`
  const begin = () => [
    file ? fileDraftOf(file) : createFileDraft({ path: place.path ? `${place.path}/` : '' }),
  ]
  const [restored] = useState(() => fileDraftStorage.read(key))
  const [drafts, setDrafts] = useState<FileDraft[]>(() => restored ?? begin())
  const [isRestored, setRestored] = useState(restored !== undefined)
  const [chosen, choose] = useState(drafts[0]?.id ?? 0)
  const [stale, setStale] = useState<FileConflictState>()
  const [problem, setProblem] = useState('')
  const isDone = useRef(false)
  useEffect(() => {
    const hasWork = drafts.some(
      (one) => classifyFileDraftChange(one) !== 'same' && (one.original || one.text !== ''),
    )
    if (hasWork && !isDone.current) fileDraftStorage.write(key, drafts)
  }, [drafts])
  if (!project) return null
  const base = `/${encodePath(project.path_with_namespace)}`
  const ref = place.ref ?? project.default_branch ?? 'main'
  const change = (id: number, next: Partial<FileDraft>) =>
    setDrafts((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)))
  const add = (more: FileDraft[]) => {
    setDrafts((all) => [...all, ...more])
    if (more[0]) choose(more[0].id)
  }
  const leaveOut = (id: number) => {
    const rest = drafts.filter((one) => one.id !== id)
    setDrafts(rest)
    choose(rest[0]?.id ?? 0)
  }
  const take = async (files: FileList | null) => {
    const all = [...(files ?? [])]
    const large = all.find(({ size }) => size > upload_max)
    setProblem(large ? fileEditingText.tooLarge(large.name) : '')
    const fit = all.filter(({ size }) => size <= upload_max)
    add(await Promise.all(fit.map(createDraftFromUpload)))
  }
  const commit = async (message: string, branch: string, isProposed: boolean) => {
    const actions = drafts.map(commitActionOfFileDraft).filter((action) => action !== undefined)
    try {
      const made = await call('POST /projects/:id/repository/commits', {
        id: project.id,
        branch,
        commit_message: message,
        actions,
        ...(branch === ref || project.empty_repo ? {} : { start_branch: ref }),
      })
      isDone.current = true
      fileDraftStorage.drop(key)
      invalidate(`/api/v4/projects/${project.id}`, '/api/v4/resolve')
      showToast(fileEditingText.committed(branch))
      navigate(
        base +
          (isProposed && branch !== ref
            ? newRequestOf(branch, ref)
            : addressAfter(drafts, branch, made.id)),
      )
    } catch (error) {
      const found =
        error instanceof Refusal &&
        isStaleFileRefusal(error) &&
        (await findStale(drafts, project.id, ref))
      if (!found) throw error
      setStale(found)
      choose(found.id)
    }
  }
  const draft = drafts.find(({ id }) => id === chosen)
  const title = file ? fileEditingText.edit(file.file_path) : fileEditingText.newFile
  return (
    <Page title={title} isWide>
      <div class="edit">
        {isRestored ? (
          <div class="row edit-note">
            <span>{fileEditingText.draftRestored}</span>
            <Button
              onClick={() => {
                fileDraftStorage.drop(key)
                const anew = begin()
                setDrafts(anew)
                choose(anew[0]?.id ?? 0)
                setRestored(false)
              }}
            >
              {fileEditingText.discardDraft}
            </Button>
          </div>
        ) : null}
        <Files drafts={drafts} chosen={chosen} onChoose={choose} />
        <div class="row">
          <Button onClick={() => add([createFileDraft({})])}>{fileEditingText.add}</Button>
          <label class="button button-plain edit-upload">
            {fileEditingText.upload}
            <input
              type="file"
              multiple
              class="only-spoken"
              onChange={(event) => void take(event.currentTarget.files)}
            />
          </label>
        </div>
        {problem ? (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        ) : null}
        {stale ? (
          <FileConflict
            stale={stale}
            mine={drafts.find(({ id }) => id === stale.id)?.text ?? ''}
            onSettle={(settled) => {
              const old = drafts.find(({ id }) => id === stale.id)
              const next = createFileDraft({ ...old, ...settled })
              setDrafts(drafts.map((one) => (one.id === stale.id ? next : one)))
              choose(next.id)
              setStale(undefined)
            }}
          />
        ) : null}
        {draft ? (
          <DraftView
            key={draft.id}
            draft={draft}
            project={project.path_with_namespace}
            onChange={(next) => change(draft.id, next)}
            onLeaveOut={drafts.length > 1 ? () => leaveOut(draft.id) : undefined}
          />
        ) : null}
        <CommitForm
          drafts={drafts}
          branch={branchToCommitTo(ref, on)}
          hint={hintOf(project, ref, on)}
          back={
            place.path
              ? `${base}/-/${file ? 'blob' : 'tree'}/${encodePath(ref)}/${encodePath(place.path)}`
              : base
          }
          mayPropose={!project.empty_repo && mayInProject(project, 'create_merge_requests')}
          into={ref}
          onCommit={commit}
        />
      </div>
    </Page>
  )
}

function hintOf(
  { empty_repo }: ProjectRecord,
  ref: string,
  on: { can_push: boolean } | undefined,
): string {
  if (empty_repo) return fileEditingText.branchHintEmpty
  return on && !on.can_push ? fileEditingText.branchHintOwn(ref) : fileEditingText.branchHint(ref)
}

/** One file leads to itself, several to the commit. */
function addressAfter(drafts: readonly FileDraft[], branch: string, sha: string): string {
  const [only, second] = drafts.filter((draft) => classifyFileDraftChange(draft) !== 'same')
  if (!only || second) return `/-/commit/${sha}`
  const place = `${encodePath(branch)}/${encodePath(only.path.trim())}`
  return only.isRemoved ? `/-/tree/${encodePath(branch)}` : `/-/blob/${place}`
}

/** Where a merge request of the branch is written, into the one it began at. */
function newRequestOf(branch: string, ref: string): string {
  const query = new URLSearchParams({
    'merge_request[source_branch]': branch,
    'merge_request[target_branch]': ref,
  })
  return `/-/merge_requests/new?${query}`
}

/** The first file that is not what it was. */
async function findStale(
  drafts: readonly FileDraft[],
  id: number,
  ref: string,
): Promise<FileConflictState | undefined> {
  for (const draft of drafts) {
    const { original } = draft
    if (!original || classifyFileDraftChange(draft) === 'same') continue
    const theirs = await fetchCurrentFile(id, ref, original.path)
    if (theirs?.commit !== original.commit) return { id: draft.id, path: original.path, theirs }
  }
  return undefined
}

function Files({
  drafts,
  chosen,
  onChoose,
}: {
  drafts: readonly FileDraft[]
  chosen: number
  onChoose: (id: number) => void
}) {
  if (drafts.length < 2) return null
  return (
    <ul class="edit-files" aria-label={fileEditingText.files}>
      {drafts.map((draft) => (
        <li key={draft.id}>
          <button
            type="button"
            class="edit-file"
            aria-pressed={draft.id === chosen}
            onClick={() => onChoose(draft.id)}
          >
            <span class="mono">{draft.path || fileEditingText.unnamed}</span>
            <span class="muted">
              {fileEditingText.marks[classifyFileDraftChange(draft)]}
              {draft.size === undefined ? '' : ` · ${formatBytes(draft.size)}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function CommitForm({
  drafts,
  branch,
  hint,
  back,
  into,
  mayPropose,
  onCommit,
}: {
  drafts: readonly FileDraft[]
  branch: string
  hint: string
  back: string
  /** The branch that is edited; a commit to another one can be proposed to it. */
  into: string
  mayPropose: boolean
  onCommit: (message: string, branch: string, isProposed: boolean) => Promise<void>
}) {
  const [typed, setTyped] = useState<string>()
  const [first] = useState(branch)
  const [to, setTo] = useState(first)
  const isOther = to.trim() !== '' && to.trim() !== into
  const hasChange = drafts.some((draft) => classifyFileDraftChange(draft) !== 'same')
  const isNamed = drafts.every(({ path }) => path.trim() !== '' && !path.endsWith('/'))
  const why = (!hasChange && fileEditingText.changeFirst) || (!isNamed && fileEditingText.nameFirst)
  return (
    <Form
      label={fileEditingText.commit}
      action={fileEditingText.commit}
      blocked={why}
      more={<ButtonLink href={back}>{fileEditingText.cancel}</ButtonLink>}
      onSubmit={(values) =>
        onCommit(values.text('message'), values.text('branch').trim(), values.has('propose'))
      }
    >
      <TextArea
        label={fileEditingText.message}
        name="message"
        rows={2}
        required
        value={typed ?? suggestCommitTitle(drafts)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        problemsOf="commit_message"
      />
      <TextField
        label={fileEditingText.branch}
        hint={hint}
        name="branch"
        required
        spellcheck={false}
        defaultValue={first}
        onInput={(event) => setTo(event.currentTarget.value)}
      />
      {mayPropose && isOther ? (
        <CheckField label={fileEditingText.propose(into)} name="propose" defaultChecked />
      ) : null}
    </Form>
  )
}
