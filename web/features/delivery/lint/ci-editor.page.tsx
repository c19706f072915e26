import { useEffect, useRef, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { type ProjectRecord, useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { CodeField } from '../../../surfaces/editor/code-field.tsx'
import { ciEditor as words } from '../../../text/ci-editor.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { branchToCommitTo } from '../../../ui/own-branch.ts'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Lint = Answer<'POST /projects/:id/ci/lint'>

type CiFile = Answer<'GET /projects/:id/repository/files/:file_path'>

const usual_path = '.gitlab-ci.yml'
const typing_ms = 500

export const page: PageModule<PlaceLocation> = { View: CiEditor }

function CiEditor({ at: { place } }: { at: PlaceLocation }) {
  const { data: project } = useProject(place.id)
  if (!project) return null
  const path = project.ci_config_path || usual_path
  const lead = words.lead(path)
  return (
    <DeliveryPage place={place} title={words.title} lead={lead} isWide>
      {/[@:]/.test(path) ? (
        <EmptyState title={words.storedElsewhere} />
      ) : (
        <CiFileEditor project={project} base={placeBasePath(place)} path={path} />
      )}
    </DeliveryPage>
  )
}

type OfFile = { project: ProjectRecord; base: string; path: string }

/** Waits for the file. Once the reader has typed something, later changes of the file are ignored. */
function CiFileEditor({ project, base, path }: OfFile) {
  const branch = project.default_branch ?? 'main'
  const address = { path: repositoryPageUrl(base, 'blob', branch, path) }
  const { data: found, refusal, again } = useApi('GET /resolve', address)
  const isThere = found?.entry_type === 'blob'
  const { data: now } = useApi(
    'GET /projects/:id/repository/files/:file_path',
    isThere ? { id: project.id, file_path: path, ref: branch } : undefined,
  )
  const { data: on } = useApi(
    'GET /projects/:id/repository/branches/:branch',
    found?.ref_type === 'branch' ? { id: project.id, branch } : undefined,
  )
  const begun = useRef<CiFile>(undefined)
  const isTyped = useRef(false)
  if (!isTyped.current) begun.current = now
  if (refusal && !found) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!found || (isThere && !now) || (found.ref_type && !on)) return <LoadingRows rows={12} />
  return (
    <Editing
      key={begun.current?.blob_id ?? ''}
      {...{ project, base, path, branch }}
      file={begun.current}
      first={branchToCommitTo(branch, on)}
      onTyped={() => {
        isTyped.current = true
      }}
    />
  )
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

type EditingProps = OfFile & {
  branch: string
  /** The branch for the commit unless the reader names another one. */
  first: string
  file: CiFile | undefined
  onTyped: () => void
}

function Editing({ project, base, path, branch, first, file, onTyped }: EditingProps) {
  const { id } = project
  const before = file ? new TextDecoder().decode(bytesOf(file.content)) : words.template
  const [text, setText] = useState(before)
  const [suggested] = useState(first)
  const lint = useLint(id, text)
  return (
    <>
      <StateBar
        state={<Status status={lint ? (lint.valid ? 'success' : 'failed') : 'pending'} isQuiet />}
      >
        <span role="status">{lint ? (lint.valid ? words.valid : words.invalid) : ''}</span>
      </StateBar>
      <CodeField
        label={words.contentsOf(path)}
        text={before}
        path={path}
        onText={(typed) => {
          onTyped()
          setText(typed)
        }}
      />
      {lint ? <Found lint={lint} /> : null}
      <Form
        action={words.commit}
        onSubmit={async (values) => {
          const chosen = values.text('branch').trim()
          // The commit is refused if somebody changed the file since it was read.
          const since = file ? { last_commit_id: file.last_commit_id } : {}
          const action = file ? 'update' : 'create'
          await call('POST /projects/:id/repository/commits', {
            id,
            branch: chosen,
            commit_message: values.text('message'),
            ...(chosen === branch || project.empty_repo ? {} : { start_branch: branch }),
            actions: [{ action, file_path: path, content: text, ...since }],
          })
          invalidate(`/api/v4/projects/${id}`, '/api/v4/resolve')
          showToast(words.committed)
          navigate(`${base}/-/pipelines`)
        }}
      >
        <TextField
          label={words.message}
          name="message"
          required
          defaultValue={words.defaultMessage}
          problemsOf="commit_message"
        />
        <TextField label={words.branch} name="branch" required defaultValue={suggested} />
      </Form>
    </>
  )
}

/** Returns the result of the lint shortly after the last change of the text. */
function useLint(id: number, text: string): Lint | undefined {
  const [lint, setLint] = useState<Lint>()
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(() => {
      void call('POST /projects/:id/ci/lint', {
        id,
        content: text,
        include_jobs: true,
        dry_run: true,
      })
        .then((found) => {
          if (!isOver) setLint(found)
        })
        .catch(() => {})
    }, typing_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, text])
  return lint
}

function Found({ lint }: { lint: Lint }) {
  const jobs = lint.jobs ?? []
  return (
    <>
      {lint.errors.length > 0 ? (
        <Section title={words.errors}>
          <ul class="stack stack-close">
            {lint.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </Section>
      ) : null}
      {lint.warnings.length > 0 ? (
        <Section title={words.warnings}>
          <ul class="stack stack-close">
            {lint.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      ) : null}
      {jobs.length > 0 ? (
        <Section title={words.jobs}>
          <ul class="stack stack-close">
            {jobs.map(({ name, stage }) => (
              <li key={name}>
                <strong>{name}</strong> <span class="muted">{words.stage(stage)}</span>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  )
}
